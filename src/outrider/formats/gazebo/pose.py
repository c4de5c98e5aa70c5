"""Poses as SDF writes them: in radians, degrees or quaternions."""

import math

import numpy as np

from outrider.core.frames import Pose
from outrider.formats.xml_source import Element, XmlSource


def read_pose(source: XmlSource, owner: Element, tag: str = "pose") -> tuple[Pose, str]:
    """Return the pose of an element and the frame it counts from, if it names one."""
    element = owner.find(tag)
    if element is None:
        return Pose(), ""
    # 'frame' is the attribute of SDF 1.5 and 1.6; nothing ever obeyed it
    relative_to = (element.get("relative_to") or "").strip()
    text = (element.text or "").strip()
    if not text:
        return Pose(), relative_to
    if (element.get("rotation_format") or "euler_rpy") == "quat_xyzw":
        return _from_quaternion(source, element, text), relative_to
    x, y, z, *rpy = source.parse(element, "pose", text, 6)
    if (element.get("degrees") or "").strip().lower() in ("1", "true"):
        rpy = [math.radians(angle) for angle in rpy]
    return Pose.from_rpy([x, y, z], rpy), relative_to


def _from_quaternion(source: XmlSource, element: Element, text: str) -> Pose:
    values = source.parse(element, "pose", text, 7)
    rotation = np.array(values[3:])
    if not math.isfinite(float(rotation @ rotation)) or float(rotation @ rotation) < 1e-12:
        raise source.fail(element, "the quaternion has no length")
    return Pose(np.array(values[:3]), rotation)
