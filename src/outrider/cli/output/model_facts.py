"""Masses, sizes and triangle counts of models, to compare with expectations."""

import numpy as np

from outrider.core.frames import Pose
from outrider.core.structure import Data
from outrider.world.model import Geometry, Model
from outrider.world.shapes import Plane
from outrider.world.tessellate import box_corners, tessellate


def model_facts(model: Model) -> Data:
    """Return mass, number of links and joints, size and triangles of a model."""
    shapes = _placed(model, "visuals") or _placed(model, "colliders")
    return {
        "mass_kg": round(sum(k.inertial.mass for k in model.links if k.inertial), 6),
        "links": len(model.links),
        "joints": sum(joint.kind != "fixed" for joint in model.joints),
        "size_m": _size(shapes),
        "triangles": sum(len(tessellate(g.shape).faces) for _, g in shapes),
    }


def _placed(model: Model, kind: str) -> list[tuple[Pose, Geometry]]:
    """Return all geometry with the pose of its link, joints at zero."""
    poses = model.link_poses()
    return [(poses[k.name], g) for k in model.links for g in getattr(k, kind)]


def _size(shapes: list[tuple[Pose, Geometry]]) -> list[float] | None:
    bounded = [(T @ g.pose, g.shape) for T, g in shapes if not isinstance(g.shape, Plane)]
    corners = [pose.apply(box_corners(shape)) for pose, shape in bounded]
    if not corners:
        return None
    points = np.concatenate(corners)
    return [round(extent, 4) for extent in (points.max(axis=0) - points.min(axis=0)).tolist()]
