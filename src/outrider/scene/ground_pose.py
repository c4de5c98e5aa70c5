"""How an object stands on the ground."""

import math

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.scene.island import is_island
from outrider.scene.roof import is_roof
from outrider.scene.scene import Scene

_SPOTS = np.array([-0.5, 0.0, 0.5])
_GRID = np.stack(np.meshgrid(_SPOTS, _SPOTS, indexing="ij"), axis=-1).reshape(-1, 2)

_UNEVEN = 0.2  # of the footprint's diagonal
_STEP = 0.07  # of it: an end that stands on something so high makes a third of it uneven
_LOW = 0.03  # m of unevenness that is no thing
_STEEP = 1.75  # tangent: 60 degrees
_SOLID = 0.8  # of all points between the nine: the ground has hardly any gaps
_SOME = 3  # of nine points
_LAYERS, _APART = 100, 0.02  # surfaces above one another (trees have many), so far apart (m)


def place_on_ground(
    scene: Scene,
    pose: Pose,
    footprint: tuple[float, float],
    height: float,
    top: float | None = None,
    rise: tuple[float, float] = (0.0, 0.0),
) -> Pose:
    """Return a pose at the same x, y and heading, standing ``height`` above the ground's plane.

    The plane is fitted to nine points under the footprint; what lies above ``top``, which may rise
    along x and y, is no ground.
    Without ``top`` it is the highest surface that is even enough to stand on and leads somewhere:
    not a branch, nor the top of a box, nor the roof of a room.
    """
    yaw = _heading(pose)
    c, s = math.cos(yaw), math.sin(yaw)
    ahead, aside = footprint[0] * _GRID[:, 0], footprint[1] * _GRID[:, 1]
    x, y = pose.position[0], pose.position[1]
    points = np.column_stack([x + c * ahead - s * aside, y + s * ahead + c * aside])
    highest = top if top is None or rise == (0.0, 0.0) else top + (points - [x, y]) @ rise
    heights = _filled(scene.ground_below(points, highest))
    if heights is None:
        return pose
    if top is None:
        heights = _even(scene, points, heights, footprint)
    level = float(heights.mean())
    slope = float(heights @ ahead / (ahead @ ahead)), float(heights @ aside / (aside @ aside))
    # upward normal from the slopes ahead and aside; straight above or below the heading asked for
    up = _unit(-slope[0] * c + slope[1] * s, -slope[0] * s - slope[1] * c, 1.0)
    forward = _unit(c, s, slope[0])
    left = _cross(up, forward)
    matrix = np.eye(4)
    matrix[:3, 0], matrix[:3, 1], matrix[:3, 2] = forward, left, up
    # straight above the point asked for: standing off along the normal would move it sideways
    matrix[:3, 3] = x, y, level + height / up[2]
    return Pose.from_matrix(matrix)


def stands_evenly(scene: Scene, pose: Pose, footprint: tuple[float, float], height: float) -> bool:
    """Tell whether the ground under a footprint is where its plane is, nowhere deeper or higher."""
    ahead, aside = footprint[0] * _GRID[:, 0], footprint[1] * _GRID[:, 1]
    feet = pose.apply(np.column_stack([ahead, aside, np.full(len(_GRID), -height)]))
    ground = scene.ground_below(feet, feet[:, 2] + 2 * _LOW)
    return bool((np.abs(ground - feet[:, 2]) < _LOW).all())


def _even(scene: Scene, points: Array, heights: Array, footprint: tuple[float, float]) -> Array:
    """Return the highest surface that a thing can stand on, or the lowest there is."""
    size = math.hypot(*footprint)
    for _ in range(_LAYERS):
        slope, rest = _fit(heights, footprint)
        below = _filled(scene.ground_below(points, float(heights.max()) - _APART))
        even = slope < _STEEP and rest < _UNEVEN * size and not _on_step(rest, below, footprint)
        if even and rest > _LOW:
            thin = _is_thin(scene, points, heights, footprint)
            even = not thin and not _on_thing(scene, points, heights, footprint)
        if even:
            x, y = points[len(points) // 2].tolist()
            level = float(heights.mean())
            if not (is_island(scene, x, y, level, size) or is_roof(scene, x, y, level)):
                break
        if below is None:
            break
        heights = below
    return heights


def _fit(heights: Array, footprint: tuple[float, float]) -> tuple[float, float]:
    """Return how steep the plane through nine heights is, and what is farthest from it."""
    ahead, aside = footprint[0] * _GRID[:, 0], footprint[1] * _GRID[:, 1]
    rise = float(heights @ ahead / (ahead @ ahead)), float(heights @ aside / (aside @ aside))
    rest = heights - heights.mean() - rise[0] * ahead - rise[1] * aside
    return math.hypot(*rise), float(np.abs(rest).max())


def _is_thin(scene: Scene, points: Array, heights: Array, footprint: tuple[float, float]) -> bool:
    """Tell whether there are gaps between nine points: what they are on are branches, say."""
    terms = np.column_stack([np.ones(len(points)), points - points[len(points) // 2]])
    level, *rise = np.linalg.lstsq(terms, heights, rcond=None)[0].tolist()
    between = ((points[:, None] + points[None]) / 2).reshape(-1, 2)
    plane = level + (between - points[len(points) // 2]) @ rise
    most = _UNEVEN * math.hypot(*footprint)
    found = scene.ground_below(between, plane + most)
    return float((np.abs(found - plane) < most).mean()) < _SOLID


def _on_thing(scene: Scene, points: Array, heights: Array, footprint: tuple[float, float]) -> bool:
    """Tell whether a part of the points is on a thing, and others on even ground that it is on."""
    _, rest = _fit(heights, footprint)
    lower = heights
    for _ in range(_LAYERS):
        lower = scene.ground_below(points, float(lower.max()) - _APART)
        if not np.isfinite(lower).all():
            return False
        slope, evener = _fit(lower, footprint)
        if slope < _STEEP and evener < 0.5 * rest:
            return int((np.abs(lower - heights) < _APART).sum()) >= _SOME
    return False


def _on_step(rest: float, below: Array | None, footprint: tuple[float, float]) -> bool:
    """Tell whether something high is under a part of a thing, on ground that is plainly evener."""
    if below is None or rest < _STEP * math.hypot(*footprint):
        return False
    slope, evener = _fit(below, footprint)
    return slope < _STEEP and evener < 0.5 * rest


def _heading(pose: Pose) -> float:
    forward = matrix_from_quaternion(pose.rotation)[:, 0]
    return math.atan2(forward[1], forward[0])


def _filled(heights: Array) -> Array | None:
    """Fill gaps with the mean of what is known, or give up where hardly anything is."""
    known = np.isfinite(heights)
    if known.all():
        return heights
    return np.where(known, heights, heights[known].mean()) if known.sum() >= 3 else None


def _unit(x: float, y: float, z: float) -> tuple[float, float, float]:
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


def _cross(
    a: tuple[float, float, float], b: tuple[float, float, float]
) -> tuple[float, float, float]:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
