"""MuJoCo's convex shapes as solids of flat faces, in the frame of a mesh."""

import math

from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array

SPHERE, CAPSULE, CYLINDER, BOX, MESH = 2, 3, 5, 6, 7  # as MuJoCo numbers them
SIDES = 32  # of a cylinder: turned so that one edge points at the triangle


@compiled
def box(
    frame: Array, half: Array, planes: Array, points: Array
) -> None:  # pragma: no cover - compiled
    """Write the six planes and eight corners of a box; a frame is a rotation over a position."""
    for axis in range(3):
        for sign in range(2):
            out = 1.0 - 2.0 * sign
            plane = planes[2 * axis + sign]
            offset = half[axis]
            for k in range(3):
                plane[k] = out * frame[k, axis]
                offset += plane[k] * frame[3, k]
            plane[3] = offset
    for i in range(8):
        x = half[0] if i & 1 else -half[0]
        y = half[1] if i & 2 else -half[1]
        z = half[2] if i & 4 else -half[2]
        place(frame, x, y, z, points[i])


@compiled
def place(frame: Array, x: float, y: float, z: float, out: Array) -> None:  # pragma: no cover
    """Write a point of a body in the frame of the mesh."""
    for k in range(3):
        out[k] = frame[3, k] + frame[k, 0] * x + frame[k, 1] * y + frame[k, 2] * z


@compiled
def hull(
    frame: Array, source: Array, corners: Array, planes: Array, points: Array
) -> None:  # pragma: no cover
    """Write a convex mesh's planes (four numbers each) and corners."""
    for i in range(len(points)):
        place(frame, corners[3 * i], corners[3 * i + 1], corners[3 * i + 2], points[i])
    for p in range(len(planes)):
        plane = planes[p]
        offset = source[4 * p + 3]
        for k in range(3):
            plane[k] = (
                frame[k, 0] * source[4 * p]
                + frame[k, 1] * source[4 * p + 1]
                + frame[k, 2] * source[4 * p + 2]
            )
            offset += plane[k] * frame[3, k]
        plane[3] = offset


@compiled
def cylinder(
    frame: Array, radius: float, half: float, normal: Array, planes: Array, points: Array
) -> None:  # pragma: no cover - compiled
    """Write a cylinder of many sides; one of its edges looks along a normal, and one against it."""
    x = frame[0, 0] * normal[0] + frame[1, 0] * normal[1] + frame[2, 0] * normal[2]
    y = frame[0, 1] * normal[0] + frame[1, 1] * normal[1] + frame[2, 1] * normal[2]
    start, step = math.atan2(y, x), 2.0 * math.pi / SIDES
    near = radius * math.cos(step / 2)  # the middle of a side
    for i in range(SIDES):
        angle = start + i * step
        c, s = radius * math.cos(angle), radius * math.sin(angle)
        place(frame, c, s, half, points[2 * i])
        place(frame, c, s, -half, points[2 * i + 1])
        c, s = math.cos(angle + step / 2), math.sin(angle + step / 2)
        plane = planes[i]
        offset = near
        for k in range(3):
            plane[k] = frame[k, 0] * c + frame[k, 1] * s
            offset += plane[k] * frame[3, k]
        plane[3] = offset
    for sign in range(2):
        out = 1.0 - 2.0 * sign
        plane = planes[SIDES + sign]
        offset = half
        for k in range(3):
            plane[k] = out * frame[k, 2]
            offset += plane[k] * frame[3, k]
        plane[3] = offset
