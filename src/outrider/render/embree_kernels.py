"""Compiled parts of the Embree renderer: rays, surfaces, light."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.render.compiled import compiled_free as compiled
from outrider.render.light import CUT, DETAIL_MEAN, DISC_COSINE, SPOT_COSINES, UNDER
from outrider.render.tables import Ints, Tables
from outrider.render.texture_kernels import look_up, opacity_at
from outrider.scene.surface import Floats32

Flags = NDArray[np.uint8]
_OUTER, _INNER = SPOT_COSINES


@compiled
def aim(
    places: Floats32,
    rows: Ints,
    turns: Floats32,
    eyes: Array,
    near: float,
    far: float,
    origins: Floats32,
    directions: Floats32,
    reach: Floats32,
    scale: Floats32,
) -> None:  # pragma: no cover - compiled
    """Make rays from the near plane to the far one; ``scale`` is their length per depth."""
    for i in range(places.shape[0]):
        x, y = places[i, 0], places[i, 1]
        length = math.sqrt(x * x + y * y + 1.0)
        turn, eye = turns[rows[i]], eyes[rows[i]]
        for k in range(3):
            d = (turn[k, 0] * x + turn[k, 1] * y + turn[k, 2]) / length
            directions[i, k] = d
            origins[i, k] = eye[k] + d * near * length
        reach[i] = (far - near) * length
        scale[i] = length


@compiled
def _corner_weights(
    t: Tables, shape: int, prim: int, u: float, v: float
) -> tuple[Any, Any, Any, Any]:  # pragma: no cover - compiled
    face = t.faces[t.first_face[shape] + prim]
    return face[0], face[1], face[2], np.float32(1.0) - u - v


@compiled
def _spans(
    t: Tables,
    a: int,
    b: int,
    c: int,
    px: Floats32,
    py: Floats32,
    out: Floats32,
) -> None:  # pragma: no cover - compiled
    """Turn two steps on a triangle (in its frame) into steps of the texture: ux vx uy vy."""
    e1, e2 = np.empty(3, np.float32), np.empty(3, np.float32)
    for k in range(3):
        e1[k] = t.vertices[b, k] - t.vertices[a, k]
        e2[k] = t.vertices[c, k] - t.vertices[a, k]
    g11 = e1[0] * e1[0] + e1[1] * e1[1] + e1[2] * e1[2]
    g12 = e1[0] * e2[0] + e1[1] * e2[1] + e1[2] * e2[2]
    g22 = e2[0] * e2[0] + e2[1] * e2[1] + e2[2] * e2[2]
    det = g11 * g22 - g12 * g12
    inverse = np.float32(1.0) / det if det > np.float32(1e-30) else np.float32(0.0)
    u1, v1 = t.uv[b, 0] - t.uv[a, 0], t.uv[b, 1] - t.uv[a, 1]
    u2, v2 = t.uv[c, 0] - t.uv[a, 0], t.uv[c, 1] - t.uv[a, 1]
    for k in range(2):
        p = px if k == 0 else py
        p1 = p[0] * e1[0] + p[1] * e1[1] + p[2] * e1[2]
        p2 = p[0] * e2[0] + p[1] * e2[1] + p[2] * e2[2]
        s = (g22 * p1 - g12 * p2) * inverse
        q = (g11 * p2 - g12 * p1) * inverse
        out[2 * k] = s * u1 + q * u2
        out[2 * k + 1] = s * v1 + q * v2


@compiled
def _steps(
    direction: Floats32,
    ng: Floats32,
    turn: Floats32,
    way: float,
    scale: float,
    right: Floats32,
    down: Floats32,
    px: Floats32,
    py: Floats32,
) -> None:  # pragma: no cover - compiled
    """Write how far the hit moves on its plane for a pixel to the right and one down.

    In the frame of the hit's group, whose axes in the world are the columns of ``turn``.
    """
    depth = way / scale
    n_dir, n_right, n_down = np.float32(0.0), np.float32(0.0), np.float32(0.0)
    for k in range(3):
        n_dir += ng[k] * direction[k]
        n_right += ng[k] * right[k]
        n_down += ng[k] * down[k]
    if abs(n_dir) < np.float32(1e-12):
        n_dir = np.float32(1e-12)
    wx, wy = np.empty(3, np.float32), np.empty(3, np.float32)
    for k in range(3):
        wx[k] = depth * (right[k] - direction[k] * n_right / n_dir)
        wy[k] = depth * (down[k] - direction[k] * n_down / n_dir)
    for k in range(3):
        px[k] = turn[0, k] * wx[0] + turn[1, k] * wx[1] + turn[2, k] * wx[2]
        py[k] = turn[0, k] * wy[0] + turn[1, k] * wy[1] + turn[2, k] * wy[2]


@compiled
def world_normals(
    shapes: Ints, t: Tables, turns: Floats32, ng: Floats32
) -> None:  # pragma: no cover - compiled
    """Turn the normals of hits from their group's frame to the world, to unit length."""
    out = np.empty(3, np.float32)
    for i in range(shapes.shape[0]):
        if shapes[i] < 0:
            continue
        turn = turns[t.group[shapes[i]]]
        size = np.float32(0.0)
        for k in range(3):
            out[k] = turn[k, 0] * ng[i, 0] + turn[k, 1] * ng[i, 1] + turn[k, 2] * ng[i, 2]
            size += out[k] * out[k]
        size = np.float32(1.0) / np.float32(math.sqrt(max(size, np.float32(1e-30))))
        for k in range(3):
            ng[i, k] = out[k] * size


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
    """Write what colour each hit has (and its opacity) and its smooth normal, facing the eye.

    ``ng`` are unit normals of the triangles in the world; they are turned to the eye as well.
    """
    px, py = np.empty(3, np.float32), np.empty(3, np.float32)
    span, texel = np.empty(4, np.float32), np.empty(4, np.float32)
    smooth = np.empty(3, np.float32)
    for i in range(shapes.shape[0]):
        shape = shapes[i]
        if shape < 0:
            continue
        u, v = us[i], vs[i]
        a, b, c, w = _corner_weights(t, shape, prims[i], u, v)
        turn = turns[t.group[shape]]
        for k in range(4):
            albedo[i, k] = t.colour[shape, k]
        if t.texture[shape] >= 0:
            _steps(directions[i], ng[i], turn, way[i], scale[i], right, down, px, py)
            _spans(t, a, b, c, px, py, span)
            pu = w * t.uv[a, 0] + u * t.uv[b, 0] + v * t.uv[c, 0]
            pv = w * t.uv[a, 1] + u * t.uv[b, 1] + v * t.uv[c, 1]
            look_up(t, t.texture[shape], pu, pv, span[0], span[1], span[2], span[3], texel)
            for k in range(3):
                albedo[i, k] = texel[k]
            albedo[i, 3] *= texel[3]
            if t.detail[shape] >= 0:
                _overlay(t, shape, pu, pv, span, texel)
                for k in range(3):
                    albedo[i, k] *= texel[k]
        for k in range(3):
            smooth[k] = w * t.normals[a, k] + u * t.normals[b, k] + v * t.normals[c, k]
        _face_eye(directions[i], turn, smooth, ng[i], normals[i])


@compiled
def _overlay(
    t: Tables, shape: int, pu: float, pv: float, span: Floats32, texel: Floats32
) -> None:  # pragma: no cover - compiled
    """Write by how much the detail picture makes a texture place lighter or darker."""
    ru, rv = t.detail_repeat[shape, 0], t.detail_repeat[shape, 1]
    look_up(
        t, t.detail[shape], pu * ru, pv * rv,
        span[0] * ru, span[1] * rv, span[2] * ru, span[3] * rv, texel,
    )  # fmt: skip
    for k in range(3):
        texel[k] /= np.float32(DETAIL_MEAN)


@compiled
def _face_eye(
    direction: Floats32, turn: Floats32, smooth: Floats32, ng: Floats32, out: Floats32
) -> None:  # pragma: no cover - compiled
    """Write the smooth normal in the world; both normals are turned to where the ray came from."""
    size, same = np.float32(0.0), np.float32(0.0)
    towards = np.float32(0.0)
    for k in range(3):
        out[k] = turn[k, 0] * smooth[0] + turn[k, 1] * smooth[1] + turn[k, 2] * smooth[2]
        size += out[k] * out[k]
        same += out[k] * ng[k]
        towards += direction[k] * ng[k]
    flat = np.float32(-1.0) if towards > 0 else np.float32(1.0)
    sign = flat if same >= 0 else -flat
    size = sign / np.float32(math.sqrt(max(size, np.float32(1e-30))))
    for k in range(3):
        out[k] *= size
        ng[k] *= flat


@compiled
def shadow_rays(
    towards: Floats32,
    origins: Floats32,
    directions: Floats32,
    way: Floats32,
    shapes: Ints,
    ng: Floats32,
    normals: Floats32,
    lit: Flags,
    rays: Ints,
    starts: Floats32,
) -> int:  # pragma: no cover - compiled
    """List the hits that may see a light, with points just above them; others are dark."""
    count = 0
    for i in range(shapes.shape[0]):
        lit[i] = 0
        if shapes[i] < 0:
            continue
        flat, smooth, size = np.float32(0.0), np.float32(0.0), np.float32(0.0)
        for k in range(3):
            flat += ng[i, k] * towards[k]
            smooth += normals[i, k] * towards[k]
        if flat <= 0 or smooth <= 0:
            continue
        lit[i] = 1
        for k in range(3):
            p = origins[i, k] + directions[i, k] * way[i]
            starts[count, k] = p
            size = max(size, abs(p))
        lift = np.float32(5e-4) + np.float32(1e-6) * (size + way[i])
        for k in range(3):
            starts[count, k] += lift * ng[i, k]
        rays[count] = i
        count += 1
    return count


@compiled
def list_holes(
    t: Tables,
    first_shape: int,
    geometry: Ints,
    prims: Ints,
    us: Floats32,
    vs: Floats32,
    out: Ints,
) -> int:  # pragma: no cover - compiled
    """List the hits of a group that met nothing solid: the texture has a hole there."""
    count = 0
    for i in range(geometry.shape[0]):
        if geometry[i] < 0 or not t.holes[first_shape + geometry[i]]:
            continue
        shape = first_shape + geometry[i]
        opacity = t.colour[shape, 3]
        if t.texture[shape] >= 0:
            u, v = us[i], vs[i]
            a, b, c, w = _corner_weights(t, shape, prims[i], u, v)
            pu = w * t.uv[a, 0] + u * t.uv[b, 0] + v * t.uv[c, 0]
            pv = w * t.uv[a, 1] + u * t.uv[b, 1] + v * t.uv[c, 1]
            opacity *= opacity_at(t, t.texture[shape], pu, pv)
        if opacity < CUT:
            out[count] = i
            count += 1
    return count


@compiled
def go_on(
    holes: Ints,
    origins: Floats32,
    directions: Floats32,
    passed: Floats32,
    found: Floats32,
    limit: Floats32,
    new_origins: Floats32,
    new_directions: Floats32,
    new_limit: Floats32,
    new_passed: Floats32,
) -> None:  # pragma: no cover - compiled
    """Let rays that met a hole go on just behind it; ``passed`` is what they have come so far."""
    for j in range(holes.shape[0]):
        i = holes[j]
        step = found[i] + np.float32(2e-4) + np.float32(2e-6) * found[i]
        for k in range(3):
            new_origins[j, k] = origins[i, k] + directions[i, k] * step
            new_directions[j, k] = directions[i, k]
        new_limit[j] = max(np.float32(0.0), limit[i] - step)
        new_passed[j] = passed[i] + step


@compiled
def light(
    lights: NDArray[np.void],
    ambient: Array,
    sky: Array,
    horizon: Array,
    haze: float,
    origins: Floats32,
    directions: Floats32,
    way: Floats32,
    scale: Floats32,
    near: float,
    shapes: Ints,
    albedo: Floats32,
    normals: Floats32,
    lit: Flags,
    out: Floats32,
) -> None:  # pragma: no cover - compiled
    """Write the linear light that reaches the eye along each ray; ``lit`` is (lights, rays)."""
    total = np.empty(3)
    for i in range(shapes.shape[0]):
        if shapes[i] < 0:
            _sky(lights, sky, horizon, directions[i], out[i])
            continue
        share = UNDER + (1.0 - UNDER) * 0.5 * (1.0 + normals[i, 2])
        for k in range(3):
            total[k] = ambient[k] * share
        for m in range(lights.shape[0]):
            if lit[m, i]:
                _add_light(lights[m], origins[i], directions[i], way[i], normals[i], total)
        clear = 1.0
        if haze > 0.0:
            clear = math.exp(-haze * (way[i] + near * scale[i]))
        for k in range(3):
            out[i, k] = albedo[i, k] * total[k] * clear + horizon[k] * (1.0 - clear)


@compiled
def _add_light(
    source: Any,
    origin: Floats32,
    direction: Floats32,
    way: float,
    normal: Floats32,
    total: Array,
) -> None:  # pragma: no cover - compiled
    """Add what a light gives to a surface."""
    strength = 0.0
    if source.kind == 0:
        for k in range(3):
            strength += normal[k] * source.towards[k]
    else:
        square, facing, spot = 0.0, 0.0, 0.0
        for k in range(3):
            d = source.position[k] - (origin[k] + direction[k] * way)
            square += d * d
            facing += d * normal[k]
            spot += d * source.towards[k]
        far = math.sqrt(max(square, 1e-12))
        fade = max(0.0, 1.0 - (far / source.range) ** 4)
        strength = max(0.0, facing / far) * fade * fade / max(square, 1.0)
        if source.kind == 2:
            edge = (spot / far - _OUTER) / (_INNER - _OUTER)
            edge = min(1.0, max(0.0, edge))
            strength *= edge * edge * (3.0 - 2.0 * edge)
    strength = max(0.0, strength)
    for k in range(3):
        total[k] += strength * source.colour[k]


@compiled
def _sky(
    lights: NDArray[np.void], sky: Array, horizon: Array, direction: Floats32, out: Floats32
) -> None:  # pragma: no cover - compiled
    """Write the sky's light in a direction."""
    rise = 1.0 - max(0.0, float(direction[2]))
    share = rise * rise * rise * rise
    for k in range(3):
        out[k] = sky[k] + (horizon[k] - sky[k]) * share
    for m in range(lights.shape[0]):
        if lights[m].kind == 0:
            along = 0.0
            for k in range(3):
                along += direction[k] * lights[m].towards[k]
            if along > DISC_COSINE:
                out[:] = np.float32(1.0)
