"""Where a Collada node stands: its transforms, one after the other."""

import math

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.formats.mesh.collada.document import ColladaDocument
from outrider.formats.xml_source import Element


def local_transform(document: ColladaDocument, node: Element) -> Array:
    """Return a node's 4x4 transform: its elements multiplied in the order they are written."""
    T_parent_node = np.eye(4)
    for child in node:
        found = _one(document, child)
        if found is not None:
            T_parent_node = T_parent_node @ found
    return T_parent_node


def _one(document: ColladaDocument, element: Element) -> Array | None:
    out = np.eye(4)
    match element.tag:
        case "matrix":
            return document.vector(element, 16).reshape(4, 4)
        case "translate":
            out[:3, 3] = document.vector(element, 3)
        case "scale":
            out[:3, :3] = np.diag(document.vector(element, 3))
        case "rotate":
            x, y, z, angle_deg = document.vector(element, 4)
            return _rotated(np.array([x, y, z]), math.radians(angle_deg))
        case "lookat" | "skew":
            document.note(element, "this kind of transform was left out")
            return None
        case _:
            return None
    return out


def _rotated(axis: Array, angle: float) -> Array:
    length = float(np.linalg.norm(axis))
    if length == 0:
        return np.eye(4)
    half = angle / 2
    return Pose(np.zeros(3), np.append(axis / length * math.sin(half), math.cos(half))).matrix
