"""Where to look from to see all of a world: for pictures of what has no robot in it."""

import math
from itertools import product

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.render.intrinsics import Intrinsics
from outrider.scene.grid_surface import GridSurface
from outrider.scene.part import Part
from outrider.sim.simulation import Simulation
from outrider.world.shapes import Plane

_WAY = np.array([-3.2, 1.8, 2.2]) / math.hypot(3.2, 1.8, 2.2)  # from it to the camera
_RIGHT = np.array([-1.8, -3.2, 0.0]) / math.hypot(1.8, 3.2)
_UP = np.cross(_WAY, _RIGHT)
_TRIES = 4
_MARGIN = 0.92  # of the image that may be filled
_FARTHEST = 600.0  # m from the start: more of an endless terrain would be a haze
_SKY = 1000.0  # m above the start without a roof


def overview(simulation: Simulation, lens: Intrinsics) -> tuple[Array, Array] | None:
    """Return where to look from and at, to see everything; None inside a room, or without end."""
    start = simulation.rig.assembly.world.start.position
    corners = _corners(simulation, start)
    if corners is None or _roofed(simulation, start):
        return None
    target = (corners.min(axis=0) + corners.max(axis=0)) / 2
    for _ in range(_TRIES):  # what is near looks larger: the middle of the image is not that
        target = target + _framed(corners - target, lens)[1]
    return target + _framed(corners - target, lens)[0] * _WAY, target


def _framed(corners: Array, lens: Intrinsics) -> tuple[float, Array]:
    """Return the distance at which all corners are in the image, and how far beside its middle."""
    near, right, up = corners @ _WAY, corners @ _RIGHT, corners @ _UP
    wide = np.abs(right) * lens.fx / (_MARGIN * lens.width / 2)
    high = np.abs(up) * lens.fy / (_MARGIN * lens.height / 2)
    distance = float((near + np.maximum(wide, high)).max())
    across, along = (axis / (distance - near) for axis in (right, up))
    shift = [distance * (side.min() + side.max()) / 2 for side in (across, along)]
    return distance, shift[0] * _RIGHT + shift[1] * _UP


def _corners(simulation: Simulation, start: Array) -> Array | None:
    """Return the corners of the box around all that is seen; planes do not count."""
    view = simulation.rig.scene.view
    boxes = [] if view.static is None else list(_boxes(view.static, start))
    boxes += [box_of(simulation, mover) for mover in view.movers]
    if not boxes:
        return None
    low, high = np.min([b[0] for b in boxes], axis=0), np.max([b[1] for b in boxes], axis=0)
    return np.array(list(product(*zip(low, high, strict=True))))


def box_of(simulation: Simulation, mover: Part) -> Array:
    """Return the lowest and the highest corner of the box around a part that moves."""
    row = simulation.state.bodies[mover.body]
    centre = Pose(row["position"], row["rotation"]).apply(mover.centre)
    return np.array([centre - mover.radius, centre + mover.radius])


def _boxes(part: Part, start: Array) -> list[Array]:
    surface = part.surface
    if isinstance(surface, GridSurface):  # an endless terrain
        around = np.array([_FARTHEST, _FARTHEST, math.inf])
        whole = np.array([surface.low, surface.high])
        return [np.clip(whole, start - around, start + around)]
    pairs = zip(surface.geometry, surface.meshes, strict=True)
    found = [vertices for geometry, (vertices, _) in pairs if not isinstance(geometry.shape, Plane)]
    return [np.array([v.min(axis=0), v.max(axis=0)], np.float64) for v in found]


def _roofed(simulation: Simulation, start: Array) -> bool:
    """Return whether something is above the start: a roof."""
    static, ground = simulation.rig.scene.view.static, simulation.rig.scene.ground_below
    if static is None:
        return False
    floor = float(ground(start[None, :], float(start[2]) + 2.0)[0])
    foot = np.array([[start[0], start[1], (floor if math.isfinite(floor) else start[2]) + 0.5]])
    up = np.array([[0.0, 0.0, 1.0]], np.float32)
    hit = static.surface.cast(foot.astype(np.float32), up, np.array([_SKY], np.float32))
    return bool(hit.shape[0] >= 0)
