"""Populations of SDF: many copies of one model over an area."""

from __future__ import annotations

import math
from copy import copy

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.core.seeds import generator
from outrider.formats.gazebo.pose import read_pose
from outrider.formats.sdf.document import SdfDocument, SdfLibrary
from outrider.formats.sdf.raw import RawModel, raw_models
from outrider.formats.sdf.scope import ScopeEntry
from outrider.formats.xml_source import Element

MAX_COUNT = 10_000
_LINES = {"linear-x": 0, "linear-y": 1, "linear-z": 2}


def populated(
    library: SdfLibrary, document: SdfDocument, element: Element, seed: int
) -> list[RawModel]:
    """Return the copies of a ``<population>``: the same ones for the same seed."""
    xml = document.xml
    name = element.get("name") or "population"
    found = raw_models(library, document, element, ())
    if not found:
        return []
    count = xml.child_number(element, "model_count", 1.0)
    if not 0 <= count <= MAX_COUNT or count != int(count):
        raise xml.fail(element, f"model_count must lie between 0 and {MAX_COUNT}, got {count:g}")
    pose, _ = read_pose(xml, element)
    places = _places(document, element, int(count), generator(seed, "population", name))
    xml.note(element, f"{len(places)} copies of '{found[0].name}' were placed", "applied")
    copies = []
    for number, place in enumerate(places):
        clone = copy(found[0])
        clone.name = clone.key = f"{name}_{found[0].name}_{number}"
        clone.entry = ScopeEntry("", pose @ Pose(place) @ found[0].entry.pose)
        copies.append(clone)
    return copies


def _places(
    document: SdfDocument, element: Element, count: int, random: np.random.Generator
) -> Array:
    """Return (n, 3) places in the population's frame."""
    xml = document.xml
    rule = element.find("distribution")
    kind = "random" if rule is None else xml.child_text(rule, "type", "random")
    size = np.array(_size(document, element))
    if kind == "grid" and rule is not None:
        return _grid(document, rule)
    if kind in _LINES:
        places = np.zeros((count, 3))
        places[:, _LINES[kind]] = _spread(count) * size[_LINES[kind]]
        return places
    if kind not in ("random", "uniform"):
        raise xml.fail(element, f"there is no distribution '{kind[:40]}'")
    if kind == "uniform":
        return _even(count, size, random)
    if element.find("cylinder") is not None:
        return _in_cylinder(count, size, random)
    scattered: Array = (random.random((count, 3)) - 0.5) * size
    return scattered


def _size(document: SdfDocument, element: Element) -> tuple[float, float, float]:
    xml = document.xml
    box, cylinder = element.find("box"), element.find("cylinder")
    if box is not None:
        x, y, z = xml.child_numbers(box, "size", (1.0, 1.0, 1.0))
    elif cylinder is not None:
        radius = xml.child_number(cylinder, "radius", 1.0)
        x, y, z = 2 * radius, 2 * radius, xml.child_number(cylinder, "length", 1.0)
    else:
        x, y, z = 1.0, 1.0, 1.0
    if min(x, y, z) < 0:
        raise xml.fail(element, "an area cannot have a negative size")
    return x, y, z


def _grid(document: SdfDocument, rule: Element) -> Array:
    xml = document.xml
    rows, columns = (xml.child_number(rule, tag, 1.0) for tag in ("rows", "cols"))
    step = np.array(xml.child_numbers(rule, "step", (0.5, 0.5, 0.0)))
    if not (rows >= 1 and columns >= 1 and rows * columns <= MAX_COUNT):
        raise xml.fail(rule, f"a grid has 1 to {MAX_COUNT} places, got {rows:g} x {columns:g}")
    x, y = np.meshgrid(np.arange(int(columns)), np.arange(int(rows)), indexing="ij")
    centred = np.stack([x - (int(columns) - 1) / 2, y - (int(rows) - 1) / 2, 0 * x], axis=-1)
    places: Array = centred.reshape(-1, 3) * step
    return places


def _spread(count: int) -> Array:
    return (np.arange(count) + 0.5) / max(count, 1) - 0.5


def _in_cylinder(count: int, size: Array, random: np.random.Generator) -> Array:
    angle, distance = random.random((2, count))
    radius = size[0] / 2 * np.sqrt(distance)
    height = (random.random(count) - 0.5) * size[2]
    return np.column_stack(
        [radius * np.cos(2 * math.pi * angle), radius * np.sin(2 * math.pi * angle), height]
    )


def _even(count: int, size: Array, random: np.random.Generator) -> Array:
    """Return one place in each of as many cells as are needed, chosen at random in the cell."""
    rows = max(1, math.ceil(math.sqrt(count)))
    cells = random.permutation(rows * rows)[:count]
    place = np.stack([cells // rows, cells % rows], axis=1) + random.random((count, 2))
    flat = (place / rows - 0.5) * size[:2]
    return np.column_stack([flat, np.zeros(count)])
