"""XML written by us: numbers that read back exactly, poses, and text that people can read."""

import math
from collections.abc import Iterable

import numpy as np
from lxml import etree

from outrider.core.errors import FormatError
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.formats.xml_source import Element

BOUNDLESS = 1e16  # what SDF writes where there is no limit


def number(value: float) -> str:
    """Return the shortest text that reads back as exactly this number."""
    value = float(value) + 0.0  # minus zero is zero
    if math.isnan(value):
        raise FormatError("a figure is not a number and cannot be written")
    if math.isinf(value):
        return repr(math.copysign(BOUNDLESS, value))
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def numbers(values: Iterable[float]) -> str:
    """Return numbers with a space between each."""
    return " ".join(number(value) for value in values)


def exact_rpy(pose: Pose) -> Array:
    """Return roll, pitch, yaw that give the same rotation to the last digits, at any pitch.

    Close to a pitch of 90 degrees roll and yaw cannot be told apart; there the roll is what is left
    of the rotation once the yaw is taken away, so that whatever the one misses is in the other.
    """
    m = matrix_from_quaternion(pose.rotation)
    yaw = math.atan2(m[1, 0], m[0, 0])
    c, s = math.cos(yaw), math.sin(yaw)
    pitch = math.atan2(-m[2, 0], c * m[0, 0] + s * m[1, 0])
    roll = math.atan2(s * m[0, 2] - c * m[1, 2], c * m[1, 1] - s * m[0, 1])
    return np.array([roll, pitch, yaw])


def is_identity(pose: Pose) -> bool:
    """Return whether a pose need not be written."""
    return not pose.position.any() and not pose.rotation[:3].any()


def child(parent: Element, tag: str, text: str | None = None, **attributes: str) -> Element:
    """Append an element with attributes and text."""
    try:
        element = etree.SubElement(parent, tag, attributes)
        element.text = text
    except ValueError:
        shown = ", ".join([*attributes.values(), text or ""])
        raise FormatError(f"<{tag}> cannot be written: {shown!r} is not XML text") from None
    return element


def root(tag: str, **attributes: str) -> Element:
    """Return a document's first element."""
    try:
        return etree.Element(tag, attributes)
    except ValueError:
        shown = ", ".join(attributes.values())
        raise FormatError(f"<{tag}> cannot be written: {shown!r} is not XML text") from None


def document(element: Element) -> str:
    """Return the text of a document, indented."""
    etree.indent(element, "  ")
    body: str = etree.tostring(element, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'
