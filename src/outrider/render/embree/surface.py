"""Surface properties at a hit: its filtered colour and its smooth normal."""

import math
from typing import Any, TypeAlias

import numpy as np

from outrider.core.compiled import compiled_inline, compiled_nogil
from outrider.core.vector_kernels import dot
from outrider.render.light import DETAIL_MEAN, DETAIL_MIX
from outrider.render.tables import Ints, Tables
from outrider.render.texture.kernels import MOST_TAPS, look_up
from outrider.scene.surface import Floats32

Vector: TypeAlias = tuple[Any, Any, Any]
_MIX = np.float32(DETAIL_MIX)
_REST = np.float32((1 - 2 * DETAIL_MIX) * math.sqrt(DETAIL_MEAN))


@compiled_nogil
def row(array: Floats32, i: int) -> Vector:  # pragma: no cover - compiled
    """Return a row as three numbers: a view of it would be counted as a new array."""
    return array[i, 0], array[i, 1], array[i, 2]


@compiled_nogil
def _rotated(r: Floats32, group: int, v: Vector) -> Vector:  # pragma: no cover - compiled
    """Rotate a vector from the frame of a group to the world."""
    return (
        r[group, 0, 0] * v[0] + r[group, 0, 1] * v[1] + r[group, 0, 2] * v[2],
        r[group, 1, 0] * v[0] + r[group, 1, 1] * v[1] + r[group, 1, 2] * v[2],
        r[group, 2, 0] * v[0] + r[group, 2, 1] * v[1] + r[group, 2, 2] * v[2],
    )


@compiled_nogil
def span(
    direction: Vector, ng: Vector, depth: float, right: Vector, down: Vector, u: Vector, v: Vector
) -> tuple[Any, Any, Any, Any]:  # pragma: no cover - compiled
    """Return how far texture coordinates move for a step of a pixel to the right, and down.

    ``u`` and ``v`` are how they change on the triangle's plane, per metre of the world.
    """
    along: Any = dot(ng, direction)
    if abs(along) < np.float32(1e-12):
        along = np.float32(1e-12)
    per = np.float32(1.0) / along
    across, below = dot(ng, right) * per, dot(ng, down) * per  # how far along the ray
    du, dv = dot(u, direction), dot(v, direction)
    return (
        depth * (dot(u, right) - du * across),
        depth * (dot(v, right) - dv * across),
        depth * (dot(u, down) - du * below),
        depth * (dot(v, down) - dv * below),
    )


@compiled_inline
def _turned(
    at: tuple[Any, Any], turn: tuple[Any, Any]
) -> tuple[Any, Any]:  # pragma: no cover - compiled
    """Return where the second copy of a detail picture is read, or how far it moves there."""
    return turn[0] * at[0] - turn[1] * at[1], turn[1] * at[0] + turn[0] * at[1]


@compiled_nogil
def surface(
    t: Tables,
    rotations: Floats32,
    first_mover: int,
    directions: Floats32,
    way: Floats32,
    scale: Floats32,
    right: Floats32,
    down: Floats32,
    shapes: Ints,
    prims: Ints,
    us: Floats32,
    vs: Floats32,
    ng: Floats32,
    albedo: Floats32,
    normals: Floats32,
) -> None:  # pragma: no cover - compiled
    """Write what colour each hit has and its smooth normal, facing the eye.

    ``ng`` are unit normals of the triangles in the world; they are turned to the eye as well.
    """
    texels, starts, sizes = t.texels, t.level_start, t.level_size
    firsts, overlay = t.first_level, np.float32(1.0 / DETAIL_MEAN)
    slopes, uv, corners, faces, first_face = t.slopes, t.uv, t.normals, t.faces, t.first_face
    group_of, colour, texture, detail, repeat = (
        t.group,
        t.colour,
        t.texture,
        t.detail,
        t.detail_repeat,
    )
    turn = (t.detail_turn[0], t.detail_turn[1])
    pixel_right = (right[0], right[1], right[2])
    pixel_down = (down[0], down[1], down[2])
    for i in range(shapes.shape[0]):
        shape = shapes[i]
        if shape < 0:
            continue
        u, v = us[i], vs[i]
        face = first_face[shape] + prims[i]
        a, b, c, w = faces[face, 0], faces[face, 1], faces[face, 2], np.float32(1.0) - u - v
        group = group_of[shape]
        direction, flat = row(directions, i), row(ng, i)
        red, green, blue = colour[shape, 0], colour[shape, 1], colour[shape, 2]
        if texture[shape] >= 0:
            depth = way[i] / scale[i]
            along_u = (slopes[face, 0], slopes[face, 1], slopes[face, 2])
            along_v = (slopes[face, 3], slopes[face, 4], slopes[face, 5])
            if group >= first_mover:
                along_u, along_v = (
                    _rotated(rotations, group, along_u),
                    _rotated(rotations, group, along_v),
                )
            moved = span(direction, flat, depth, pixel_right, pixel_down, along_u, along_v)
            pu = w * uv[a, 0] + u * uv[b, 0] + v * uv[c, 0]
            pv = w * uv[a, 1] + u * uv[b, 1] + v * uv[c, 1]
            first, last = firsts[texture[shape]], firsts[texture[shape] + 1] - 1
            most = 1 if detail[shape] >= 0 else MOST_TAPS  # a map of a land is smooth
            red, green, blue = look_up(
                texels=texels,
                starts=starts,
                sizes=sizes,
                first=first,
                last=last,
                most=most,
                u=pu,
                v=pv,
                ux=moved[0],
                vx=moved[1],
                uy=moved[2],
                vy=moved[3],
            )
            if detail[shape] >= 0:
                first, last = firsts[detail[shape]], firsts[detail[shape] + 1] - 1
                ru, rv = repeat[shape, 0], repeat[shape, 1]
                at = (pu * ru, pv * rv)
                across, below = (moved[0] * ru, moved[1] * rv), (moved[2] * ru, moved[3] * rv)
                r, g, bl = np.float32(0.0), np.float32(0.0), np.float32(0.0)
                for _ in range(2):
                    one, two, three = look_up(
                        texels=texels,
                        starts=starts,
                        sizes=sizes,
                        first=first,
                        last=last,
                        most=MOST_TAPS,
                        u=at[0],
                        v=at[1],
                        ux=across[0],
                        vx=across[1],
                        uy=below[0],
                        vy=below[1],
                    )
                    r, g, bl = r + math.sqrt(one), g + math.sqrt(two), bl + math.sqrt(three)
                    at, across, below = (
                        _turned(at, turn),
                        _turned(across, turn),
                        _turned(below, turn),
                    )
                r, g, bl = r * _MIX + _REST, g * _MIX + _REST, bl * _MIX + _REST
                red, green, blue = (
                    red * r * r * overlay,
                    green * g * g * overlay,
                    blue * bl * bl * overlay,
                )
        albedo[i, 0], albedo[i, 1], albedo[i, 2] = red, green, blue
        smooth = (
            w * corners[a, 0] + u * corners[b, 0] + v * corners[c, 0],
            w * corners[a, 1] + u * corners[b, 1] + v * corners[c, 1],
            w * corners[a, 2] + u * corners[b, 2] + v * corners[c, 2],
        )
        if group >= first_mover:
            smooth = _rotated(rotations, group, smooth)
        _face_eye(direction, smooth, flat, i, ng, normals)


@compiled_nogil
def _face_eye(
    direction: Vector, smooth: Vector, flat: Vector, i: int, ng: Floats32, normals: Floats32
) -> None:  # pragma: no cover - compiled
    """Write both normals of a hit, turned to where the ray came from, to unit length."""
    size: Any = dot(smooth, smooth)
    facing = np.float32(-1.0) if dot(direction, flat) > 0 else np.float32(1.0)
    sign = facing if dot(smooth, flat) >= 0 else -facing
    size = sign / np.float32(math.sqrt(max(size, np.float32(1e-30))))
    for k in range(3):
        normals[i, k] = smooth[k] * size
        ng[i, k] = flat[k] * facing
