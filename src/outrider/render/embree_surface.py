"""What a ray finds on a surface: its colour under the pixel, its smooth normal."""

import math
from typing import Any, TypeAlias

import numpy as np

from outrider.core.compiled import compiled_free as compiled
from outrider.render.light import DETAIL_MEAN
from outrider.render.tables import Ints, Tables
from outrider.render.texture_kernels import MOST_TAPS, look_up
from outrider.scene.surface import Floats32

Vector: TypeAlias = tuple[Any, Any, Any]


@compiled
def _dot(a: Vector, b: Vector) -> Any:  # pragma: no cover - compiled
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled
def _row(array: Floats32, i: int) -> Vector:  # pragma: no cover - compiled
    """Return a row as three numbers: a view of it would be counted as a new array."""
    return array[i, 0], array[i, 1], array[i, 2]


@compiled
def _edge(vertices: Floats32, a: int, b: int) -> Vector:  # pragma: no cover - compiled
    return (
        vertices[b, 0] - vertices[a, 0],
        vertices[b, 1] - vertices[a, 1],
        vertices[b, 2] - vertices[a, 2],
    )


@compiled
def _span(
    vertices: Floats32, uv: Floats32, a: int, b: int, c: int, px: Vector, py: Vector
) -> tuple[Any, Any, Any, Any]:  # pragma: no cover - compiled
    """Turn two steps on a triangle (in its frame) into steps of the texture: ux vx uy vy."""
    e1, e2 = _edge(vertices, a, b), _edge(vertices, a, c)
    g11, g12, g22 = _dot(e1, e1), _dot(e1, e2), _dot(e2, e2)
    det = g11 * g22 - g12 * g12
    inverse = np.float32(1.0) / det if det > np.float32(1e-30) else np.float32(0.0)
    u1, v1 = uv[b, 0] - uv[a, 0], uv[b, 1] - uv[a, 1]
    u2, v2 = uv[c, 0] - uv[a, 0], uv[c, 1] - uv[a, 1]
    x1, x2, y1, y2 = _dot(px, e1), _dot(px, e2), _dot(py, e1), _dot(py, e2)
    sx, qx = (g22 * x1 - g12 * x2) * inverse, (g11 * x2 - g12 * x1) * inverse
    sy, qy = (g22 * y1 - g12 * y2) * inverse, (g11 * y2 - g12 * y1) * inverse
    return sx * u1 + qx * u2, sx * v1 + qx * v2, sy * u1 + qy * u2, sy * v1 + qy * v2


@compiled
def _step(
    direction: Vector, ng: Vector, turns: Floats32, group: int, depth: float, pixel: Vector
) -> Vector:  # pragma: no cover - compiled
    """Return how far the hit moves on its plane for a step of a pixel.

    In the frame of the hit's group, whose axes in the world are the columns of its turn.
    """
    along = _dot(ng, direction)
    if abs(along) < np.float32(1e-12):
        along = np.float32(1e-12)
    share = _dot(ng, pixel) / along
    x = depth * (pixel[0] - direction[0] * share)
    y = depth * (pixel[1] - direction[1] * share)
    z = depth * (pixel[2] - direction[2] * share)
    return (
        turns[group, 0, 0] * x + turns[group, 1, 0] * y + turns[group, 2, 0] * z,
        turns[group, 0, 1] * x + turns[group, 1, 1] * y + turns[group, 2, 1] * z,
        turns[group, 0, 2] * x + turns[group, 1, 2] * y + turns[group, 2, 2] * z,
    )


@compiled
def surface(
    t: Tables,
    turns: Floats32,
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
    vertices, uv, corners, faces, first_face = t.vertices, t.uv, t.normals, t.faces, t.first_face
    group_of, colour, texture, detail, repeat = (
        t.group, t.colour, t.texture, t.detail, t.detail_repeat,
    )  # fmt: skip
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
        direction, flat = _row(directions, i), _row(ng, i)
        red, green, blue = colour[shape, 0], colour[shape, 1], colour[shape, 2]
        if texture[shape] >= 0:
            depth = way[i] / scale[i]
            px = _step(direction, flat, turns, group, depth, pixel_right)
            py = _step(direction, flat, turns, group, depth, pixel_down)
            span = _span(vertices, uv, a, b, c, px, py)
            pu = w * uv[a, 0] + u * uv[b, 0] + v * uv[c, 0]
            pv = w * uv[a, 1] + u * uv[b, 1] + v * uv[c, 1]
            first, last = firsts[texture[shape]], firsts[texture[shape] + 1] - 1
            most = 1 if detail[shape] >= 0 else MOST_TAPS  # a map of a land is smooth
            red, green, blue = look_up(texels, starts, sizes, first, last, most, pu, pv, *span)
            if detail[shape] >= 0:
                first, last = firsts[detail[shape]], firsts[detail[shape] + 1] - 1
                ru, rv = repeat[shape, 0], repeat[shape, 1]
                r, g, bl = look_up(
                    texels, starts, sizes, first, last, MOST_TAPS, pu * ru, pv * rv,
                    span[0] * ru, span[1] * rv, span[2] * ru, span[3] * rv,
                )  # fmt: skip
                red, green, blue = red * r * overlay, green * g * overlay, blue * bl * overlay
        albedo[i, 0], albedo[i, 1], albedo[i, 2] = red, green, blue
        smooth = (
            w * corners[a, 0] + u * corners[b, 0] + v * corners[c, 0],
            w * corners[a, 1] + u * corners[b, 1] + v * corners[c, 1],
            w * corners[a, 2] + u * corners[b, 2] + v * corners[c, 2],
        )
        _face_eye(direction, turns, group, smooth, flat, i, ng, normals)


@compiled
def _face_eye(
    direction: Vector,
    turns: Floats32,
    group: int,
    smooth: Vector,
    flat: Vector,
    i: int,
    ng: Floats32,
    normals: Floats32,
) -> None:  # pragma: no cover - compiled
    """Write the smooth normal in the world; both normals are turned to where the ray came from."""
    x = _dot(_row(turns[group], 0), smooth)
    y = _dot(_row(turns[group], 1), smooth)
    z = _dot(_row(turns[group], 2), smooth)
    size = x * x + y * y + z * z
    facing = np.float32(-1.0) if _dot(direction, flat) > 0 else np.float32(1.0)
    sign = facing if x * flat[0] + y * flat[1] + z * flat[2] >= 0 else -facing
    size = sign / np.float32(math.sqrt(max(size, np.float32(1e-30))))
    normals[i, 0], normals[i, 1], normals[i, 2] = x * size, y * size, z * size
    ng[i, 0], ng[i, 1], ng[i, 2] = flat[0] * facing, flat[1] * facing, flat[2] * facing
