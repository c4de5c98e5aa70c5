"""Plain forms: swept, turned on a lathe, bevelled, bent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robot_meshes.mesh import TAU, Array, Faces, Mesh, Point2, Point3, moved, outward


def sweep(rings: Array, closed: bool = False) -> Mesh:
    """Stretch a skin over rings of shape (rings, points, 3), with end caps unless closed."""
    count, size, _ = rings.shape
    ids = np.arange(count * size).reshape(count, size)
    if closed:
        ids = np.vstack([ids, ids[:1]])
    a, b = ids[:-1], ids[1:]
    next_a, next_b = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    sides = [np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, next_a, next_b), (a, next_b, b))]
    points = rings.reshape(-1, 3)
    if closed:
        return outward(Mesh(points, np.concatenate(sides)))
    ends = np.vstack([points, rings[0].mean(axis=0), rings[-1].mean(axis=0)])
    caps = [_cap(ids[0], len(points)), _cap(ids[-1], len(points) + 1)[:, ::-1]]
    return outward(Mesh(ends, np.concatenate(sides + caps)))


def _cap(ring: Faces, centre: int) -> Faces:
    return np.stack([np.roll(ring, -1), ring, np.full_like(ring, centre)], axis=-1)


def lathe(profile: Sequence[Point2], segments: int = 32) -> Mesh:
    """Turn a closed (radius, y) profile about the y axis."""
    radius, y = np.array(profile).T
    angle = TAU * np.arange(segments)[:, None] / segments
    rings = (radius * np.cos(angle), np.broadcast_to(y, (segments, len(y))), radius * np.sin(angle))
    return sweep(np.stack(rings, axis=-1), closed=True)


def disc(radius: float, y0: float, y1: float, segments: int = 24, bevel: float = 0.0) -> Mesh:
    """Make a cylinder about y with bevelled rims."""
    rim = [(radius - bevel, y0), (radius, y0 + bevel), (radius, y1 - bevel), (radius - bevel, y1)]
    return lathe([(0.0, y0), *rim, (0.0, y1)], segments)


def ring(r_in: float, r_out: float, y0: float, y1: float, segments: int = 32) -> Mesh:
    """Make a hollow cylinder about y."""
    return lathe([(r_in, y0), (r_out, y0), (r_out, y1), (r_in, y1)], segments)


def chamfered(length: float, width: float, corner: float) -> list[Point2]:
    """Outline a rectangle round the origin with cut corners."""
    x, y, c = length / 2, width / 2, corner
    quarter = [(x, y - c), (x - c, y)]
    left = [(-u, v) for u, v in reversed(quarter)]
    return quarter + left + [(-u, -v) for u, v in quarter] + [(-u, -v) for u, v in left]


def bevelled_box(size: Point3, bevel: float, at: Point3 = (0.0, 0.0, 0.0)) -> Mesh:
    """Make a box with all edges cut, centred on `at`."""
    sx, sy, sz = size
    inner = chamfered(sx - 2 * bevel, sy - 2 * bevel, bevel * 0.6)
    outer = chamfered(sx, sy, bevel)
    heights = (-sz / 2, -sz / 2 + bevel, sz / 2 - bevel, sz / 2)
    outlines = (inner, outer, outer, inner)
    rings = [[(x, y, z) for x, y in o] for o, z in zip(outlines, heights, strict=True)]
    return moved(sweep(np.array(rings)), at)


def box(size: Point3, at: Point3 = (0.0, 0.0, 0.0)) -> Mesh:
    """Make a plain box centred on `at`."""
    return moved(sweep(_rectangles(size)), at)


def _rectangles(size: Point3) -> Array:
    x, y, z = np.array(size) / 2
    flat = [(x, y), (-x, y), (-x, -y), (x, -y)]
    return np.array([[(u, v, w) for u, v in flat] for w in (-z, z)])


def slab(outline_xz: Sequence[Point2], y0: float, y1: float, bevel: float = 0.0) -> Mesh:
    """Pull a side outline (x, z), all of it visible from its middle, from y0 to y1."""
    outline = np.array(outline_xz)
    middle = outline.mean(axis=0)
    reach = np.linalg.norm(outline - middle, axis=1, keepdims=True)
    small = middle + (outline - middle) * (1.0 - bevel / reach)
    ends = [(small, y0), (outline, y0 + bevel), (outline, y1 - bevel), (small, y1)]
    rings = [[(x, y, z) for x, z in o] for o, y in (ends if bevel else ends[1:3])]
    return sweep(np.array(rings))


def arch(centre: Point2, radii: Point2, angles_deg: Point2, y: Point2, steps: int = 10) -> Mesh:
    """Bend a plate between two radii about (x, z) = centre, from angle to angle, y to y."""
    rings = []
    for angle in np.radians(np.linspace(*angles_deg, steps)):
        inner, outer = (
            np.array(centre) + r * np.array([np.cos(angle), np.sin(angle)]) for r in radii
        )
        corners = [(inner, y[0]), (outer, y[0]), (outer, y[1]), (inner, y[1])]
        rings.append([(p[0], v, p[1]) for p, v in corners])
    return sweep(np.array(rings))


def tube(path: Sequence[Point3], radius: float, across: Point3, sides: int = 8) -> Mesh:
    """Bend a round bar along a flat path; `across` is the normal of the plane of the path."""
    line, normal = np.array(path), np.array(across)
    tangent = np.gradient(line, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    angle = TAU * np.arange(sides) / sides
    sideways = np.cross(tangent, normal)[:, None] * np.sin(angle)[None, :, None]
    return sweep(line[:, None] + radius * (normal * np.cos(angle)[None, :, None] + sideways))
