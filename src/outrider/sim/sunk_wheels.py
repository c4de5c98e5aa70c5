"""Wheels and belts that are inside the ground, or inside other things, before the first step."""

import math
from collections.abc import Container
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.core.frames import Array, matrix_from_quaternion
from outrider.core.vector_kernels import Vector, rotate
from outrider.physics.tyres.data import Records
from outrider.physics.tyres.kernels import ANGLES
from outrider.scene.part import Part
from outrider.scene.scene import Scene
from outrider.scene.surface import Floats32
from outrider.world.state import WorldState

SINK = 0.3  # radii that a tyre on uneven ground may be pressed in by
LEAST = 0.02  # m, for very small wheels, and to the side for all
BELOW = np.radians(50.0)  # from straight down: what a wheel meets there is what it stands on
ROWS = (-0.5, 0.5)  # half widths: where a tyre feels
_BETWEEN = 0.05  # m between the rays that look at all of a wheel


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """Rays through wheels; the last ones go both ways, first ``both`` one way, then back."""

    starts: Array
    ways: Array
    length: Array
    least: Array  # from which depth on it counts
    both: int


def sunk_wheels(
    scene: Scene,
    state: WorldState,
    tyres: Records,
    among: Container[str] | None = None,
    *,
    still: bool = True,
    most: float | None = None,
) -> tuple[str, float]:
    """Return what the wheels of one robot are deepest inside of and by how much, or nothing.

    Each wheel is looked at where it feels, all around in its plane, and through its middle: from
    its highest point to its lowest, and both ways ahead and aside, of which the shorter one counts:
    what is not ground may begin on either side. ``among``: only in things with these names; not
    ``still``: only in what moves; ``most`` is the depth (m) from which on it counts everywhere, and
    all of a wheel is looked at, also where it feels nothing.
    """
    worst, name = 0.0, ""
    if not len(tyres):
        return name, worst
    parts = [*([scene.static] if still and scene.static else []), *_near(scene, state, tyres)]
    lines = _lines(state, tyres, most) if parts else None
    for part in parts:
        assert lines is not None
        depth, names = _depths(part, state, lines)
        if part.body >= 0:
            names[:] = scene.assembly.models[part.model]
        if among is not None:
            depth[[found not in among for found in names.tolist()]] = 0.0
        deepest = int(depth.argmax())
        if depth[deepest] > worst:
            worst, name = float(depth[deepest]), str(names[deepest])
    return name, worst


def _lines(state: WorldState, tyres: Records, most: float | None) -> _Lines:
    hubs, downs, axles = (np.zeros((len(tyres), 3)) for _ in range(3))
    for row, tyre in enumerate(tyres):
        body = state.bodies[tyre["body"]]
        rotation = matrix_from_quaternion(body["rotation"])
        hubs[row], axles[row] = body["position"] + rotation @ tyre["hub"], rotation @ tyre["axle"]
        downs[row] = -matrix_from_quaternion(state.bodies[tyre["base"]]["rotation"])[:, 2]
    radius, wide, ahead = tyres["radius"], tyres["half_width"], np.cross(downs, axles)
    pressed = np.maximum(LEAST, SINK * radius) if most is None else np.full(len(tyres), most)
    beside = np.full(len(tyres), LEAST if most is None else most)
    rows, angles = (np.array(ROWS), ANGLES) if most is None else _everywhere(tyres)
    found = [
        (
            hubs + row * wide[:, None] * axles,
            np.cos(angle) * downs + np.sin(angle) * ahead,
            radius,
            pressed if abs(angle) < BELOW else beside,
        )
        for row in rows.tolist()
        for angle in angles.tolist()
    ]
    found.append((hubs - radius[:, None] * downs, downs, 2 * radius, pressed))
    for sign in (1.0, -1.0):
        for way, half, least in ((sign * ahead, radius, pressed), (sign * axles, wide, beside)):
            found.append((hubs - half[:, None] * way, way, 2 * half, least))
    starts, ways, length, counts = (np.concatenate(part) for part in zip(*found, strict=True))
    return _Lines(starts, ways, length, counts, 2 * len(tyres))


def _everywhere(tyres: Records) -> tuple[Array, Array]:
    """Return rows (half widths) and angles so close that no post is between them."""
    across = 2 + math.ceil(2.0 * float(tyres["half_width"].max()) / _BETWEEN)
    around = math.ceil(2.0 * np.pi * float(tyres["radius"].max()) / _BETWEEN)
    angles = np.linspace(-np.pi, np.pi, around, endpoint=False)
    return np.union1d(ROWS, np.linspace(-1.0, 1.0, across)), np.union1d(ANGLES, angles)


def _near(scene: Scene, state: WorldState, tyres: Records) -> list[Part]:
    """Return what moves, and is not the robot's own, around its wheels."""
    found = np.empty(len(scene.movers), np.intp)
    count = near_wheels(state.bodies, tyres, scene.mover_rows, found)
    return [scene.movers[number] for number in found[:count].tolist()]


@compiled
def near_wheels(
    bodies: Records, tyres: Records, movers: Records, found: NDArray[np.intp]
) -> int:  # pragma: no cover - compiled
    """Find the movers of other models around wheels; return how many."""
    count = 0
    for i in range(movers.shape[0]):
        mover = movers[i]
        if mover.model == tyres[0].model:
            continue
        x, y, z = _carried(bodies[mover.body], mover.centre)
        for k in range(tyres.shape[0]):
            hx, hy, hz = _carried(bodies[tyres[k].body], tyres[k].hub)
            reach = mover.radius + 2.0 * (tyres[k].radius + tyres[k].half_width)
            if (x - hx) ** 2 + (y - hy) ** 2 + (z - hz) ** 2 < reach**2:
                found[count] = i
                count += 1
                break
    return count


@compiled
def _carried(body: Any, point: Array) -> Vector:  # pragma: no cover - compiled
    """Return a point of a body, in the world."""
    x, y, z = rotate(body.rotation, point)
    return body.position[0] + x, body.position[1] + y, body.position[2] + z


def _depths(part: Part, state: WorldState, lines: _Lines) -> tuple[Array, NDArray[np.object_]]:
    """Return how far before its end each line meets something (both ways: the least), and what."""
    starts, along, both, least = lines.starts, lines.ways, lines.both, lines.least
    if part.body >= 0:
        least = np.minimum(least, LEAST)  # what moves is not uneven ground: it would be pushed away
        body = state.bodies[part.body]
        rotation = matrix_from_quaternion(body["rotation"])
        starts, along = (starts - body["position"]) @ rotation, along @ rotation
    hits = part.surface.cast(_f32(starts), _f32(along), _f32(lines.length))
    depth = np.where(hits.shape >= 0, lines.length - hits.distance, 0.0)
    depth[-2 * both : -both] = np.minimum(depth[-2 * both : -both], depth[-both:])
    depth[-both:] = 0.0
    depth[depth < least] = 0.0
    names = np.array([part.names[s] if s >= 0 else "" for s in hits.shape.tolist()], object)
    return depth, names


def _f32(array: Array) -> Floats32:
    return np.ascontiguousarray(array, np.float32)
