"""Shapes as triangles, all facing outward, and the one triangulation of height fields."""

import math

import numpy as np

from outrider.core.errors import WorldError
from outrider.core.frames import Array
from outrider.world.level_of_detail import level_of_detail_mesh
from outrider.world.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Faces,
    HeightField,
    MappedField,
    Mesh,
    Plane,
    Shape,
    Sphere,
)

SEGMENTS = 32


def tessellate(shape: Shape, segments: int = SEGMENTS) -> Mesh:
    """Return the surface as triangles; round shapes get so many segments per turn."""
    match shape:
        case Mesh():
            return shape
        case HeightField():
            return heightfield_mesh(shape)
        case MappedField():
            return level_of_detail_mesh(shape)
        case Plane(size=size):
            return _plane(size)
        case Box(size=size):
            return _box(size)
    return _revolve(_profile(shape, segments), segments)


def bounds(shape: Shape) -> tuple[Array, Array]:
    """Return the lowest and highest corner of the box around a shape, in its own axes."""
    match shape:
        case Mesh(vertices=vertices):
            if not len(vertices):
                raise WorldError(f"mesh {shape.source} has no vertices".replace("  ", " "))
            return vertices.min(axis=0), vertices.max(axis=0)
        case HeightField(heights=heights, size=(x, y)):
            low, high = float(heights.min()), float(heights.max())
            return np.array([-x / 2, -y / 2, low]), np.array([x / 2, y / 2, high])
        case MappedField(size=(x, y)):
            lowest, highest = np.array([-x, -y, 0.0]) / 2, np.array([x, y, 0.0]) / 2
            lowest[2], highest[2] = shape.low, shape.high
            return lowest, highest
    half = _half_extent(shape)
    return -half, half


def box_corners(shape: Shape) -> Array:
    """Return the eight corners (8, 3) of that box."""
    low, high = bounds(shape)
    return np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, 8).T


def heightfield_mesh(field: HeightField) -> Mesh:
    """Return two triangles per cell, split from corner (i+1, j) to corner (i, j+1)."""
    n_x, n_y = field.heights.shape
    x, y = np.meshgrid(*heightfield_axes(field), indexing="ij")
    vertices = np.stack([x, y, field.heights], axis=-1).reshape(-1, 3)
    corner = (np.arange(n_x - 1)[:, None] * n_y + np.arange(n_y - 1)).reshape(-1, 1)
    pair = np.array([0, n_y, 1, n_y, n_y + 1, 1])
    return Mesh(vertices, (corner + pair).reshape(-1, 3).astype(np.int32))


def heightfield_axes(field: HeightField | MappedField) -> tuple[Array, Array]:
    """Return the x of every row and the y of every column."""
    (n_x, n_y), (x, y) = field.heights.shape, field.size
    return np.linspace(-x / 2, x / 2, n_x), np.linspace(-y / 2, y / 2, n_y)


def heightfield_height(field: HeightField | MappedField, x: Array, y: Array) -> Array:
    """Return heights at points, exactly on the triangles of ``heightfield_mesh``; NaN outside."""
    heights = field.heights
    row, u = _cell(x, heights.shape[0], field.size[0])
    column, v = _cell(y, heights.shape[1], field.size[1])
    h00, h10 = heights[row, column], heights[row + 1, column]
    h01, h11 = heights[row, column + 1], heights[row + 1, column + 1]
    near = h00 + u * (h10 - h00) + v * (h01 - h00)
    far = h11 + (1 - u) * (h01 - h11) + (1 - v) * (h10 - h11)
    inside = (u >= 0) & (u <= 1) & (v >= 0) & (v <= 1)
    return np.where(inside, np.where(u + v <= 1, near, far), np.nan)


def _cell(value: Array, count: int, size: float) -> tuple[Faces, Array]:
    """Return the cell a coordinate lies in, and how far into it (0 to 1 if inside the field)."""
    scaled = (np.asarray(value, np.float64) / size + 0.5) * (count - 1)
    index = np.clip(np.floor(np.nan_to_num(scaled)), 0, count - 2).astype(np.int32)
    return index, scaled - index


def _half_extent(shape: Shape) -> Array:
    match shape:
        case Plane(size=size):
            return np.array([size / 2, size / 2, 0.0])
        case Box(size=size):
            return np.array(size) / 2
        case Sphere(radius=r):
            return np.array([r, r, r])
        case Capsule(radius=r, length=length):
            return np.array([r, r, length / 2 + r])
        case Cylinder(radius=r, length=length) | Cone(radius=r, length=length):
            return np.array([r, r, length / 2])
    raise WorldError(f"a {type(shape).__name__} has no fixed extent")


def _plane(size: float) -> Mesh:
    h = size / 2
    corners = np.array([[-h, -h, 0.0], [h, -h, 0.0], [-h, h, 0.0], [h, h, 0.0]])
    return Mesh(corners, np.array([[0, 1, 2], [1, 3, 2]], np.int32))


def _box(size: tuple[float, float, float]) -> Mesh:
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    sides = np.array(
        [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    )
    faces = sides[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    return Mesh(signs * np.array(size) / 2, faces.astype(np.int32))


def _profile(shape: Shape, segments: int) -> Array:
    """Return the outline of a round shape as (radius, z) from its lowest to its highest point."""
    match shape:
        case Cylinder(radius=r, length=length):
            h = length / 2
            return np.array([[0, -h], [r, -h], [r, h], [0, h]])
        case Cone(radius=r, length=length):
            h = length / 2
            return np.array([[0, -h], [r, -h], [0, h]])
        case Sphere(radius=r):
            return _arc(r, -90, 90, segments // 2)
        case Capsule(radius=r, length=length):
            lift = np.array([0, length / 2])
            steps = max(segments // 4, 1)
            return np.concatenate([_arc(r, -90, 0, steps) - lift, _arc(r, 0, 90, steps) + lift])
    raise WorldError(f"a {type(shape).__name__} cannot be cut into triangles")


def _arc(radius: float, first_deg: float, last_deg: float, steps: int) -> Array:
    angle = np.radians(np.linspace(first_deg, last_deg, steps + 1))
    points = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points[np.abs(points[:, 0]) < 1e-12 * radius, 0] = 0.0  # a pole is one vertex, not a ring
    return points


def _revolve(profile: Array, segments: int) -> Mesh:
    """Turn an outline about z; its first and last point lie on the axis."""
    angle = np.arange(segments) * (2 * math.pi / segments)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rings = profile[1:-1]
    around = rings[:, None, :1] * circle
    height = np.broadcast_to(rings[:, None, 1:], (len(rings), segments, 1))
    side = np.concatenate([around, height], axis=2).reshape(-1, 3)
    poles = np.array([[0, 0, profile[0, 1]], [0, 0, profile[-1, 1]]])
    faces = _ring_faces(len(rings), segments)
    return Mesh(np.concatenate([side, poles]), faces)


def _ring_faces(rings: int, segments: int) -> Faces:
    """Join rings of vertices to one another and to the two poles that follow them."""
    here = np.arange(segments)
    there = (here + 1) % segments
    low, high = rings * segments, rings * segments + 1
    last = (rings - 1) * segments
    parts = [np.stack([np.full(segments, low), there, here], axis=1)]
    for ring in range(rings - 1):
        a, b = ring * segments, (ring + 1) * segments
        parts.append(np.stack([a + here, a + there, b + there], axis=1))
        parts.append(np.stack([a + here, b + there, b + here], axis=1))
    parts.append(np.stack([np.full(segments, high), last + here, last + there], axis=1))
    return np.concatenate(parts).astype(np.int32)
