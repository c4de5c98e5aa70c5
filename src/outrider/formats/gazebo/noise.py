"""Gazebo's noise elements as the errors of our instruments."""

from __future__ import annotations

import math

from outrider.core.structure import Data
from outrider.formats.xml_source import Element, XmlSource

_OTHERS = ("mean", "bias_mean", "bias_stddev")


def deviation(source: XmlSource, noise: Element | None) -> float:
    """Return the standard deviation of a noise; what else it says is noted."""
    if noise is None or _is_silent(source, noise):
        return 0.0
    others = [f"<{tag}> {value:g}" for tag in _OTHERS if (value := _figure(source, noise, tag))]
    if others:
        source.note(noise, f"left out: {', '.join(others)}")
    return _figure(source, noise, "stddev")


def triad(source: XmlSource, owner: Element | None) -> Data:
    """Return the errors of three axes, ``<x>``, ``<y>`` and ``<z>``; empty where nothing is said.

    Gazebo draws a bias around ``bias_mean`` and then its sign: its spread is that of both figures.
    """
    axes = [None if owner is None else owner.find(f"{axis}/noise") for axis in "xyz"]
    heard = [n for n in axes if n is not None and not _is_silent(source, n)]
    if not heard:
        return {}
    mean = [0.0 if n is None else _figure(source, n, "mean", least=-math.inf) for n in axes]
    return _errors(source, heard) | ({"offset": mean} if any(mean) else {})


def same_on_all_axes(source: XmlSource, noise: Element | None) -> Data:
    """Return the errors of three axes that one element describes, as files before SDF 1.5 do."""
    if noise is None:
        return {}
    mean = _figure(source, noise, "mean", least=-math.inf)
    return _errors(source, [noise]) | ({"offset": [mean] * 3} if mean else {})


def _errors(source: XmlSource, noises: list[Element]) -> Data:
    sigmas = [_figure(source, noise, "stddev") for noise in noises]
    biases = [math.hypot(*(_figure(source, n, tag) for tag in _OTHERS[1:])) for n in noises]
    for what, values in (("noise", sigmas), ("bias", biases)):
        if min(values) != max(values):
            source.note(
                noises[0], f"the {what} of its axes differs; {values[0]:g} is used", "guessed"
            )
    return {"noise_sigma": sigmas[0], "turn_on_sigma": biases[0]}


def _is_silent(source: XmlSource, noise: Element) -> bool:
    return (noise.get("type") or source.child_text(noise, "type")).strip() == "none"


def _figure(source: XmlSource, noise: Element, tag: str, least: float = 0.0) -> float:
    return max(least, source.child_number(noise, tag, 0.0))
