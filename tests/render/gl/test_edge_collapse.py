"""Fewer triangles stay near the surface, leave no hole and keep the border."""

import numpy as np
import pytest

from outrider.render.gl.edge_collapse import collapsed

SIDE = 60


def _hills(roughness):
    x, y = np.meshgrid(np.arange(SIDE) * 0.5, np.arange(SIDE) * 0.5)
    z = 2.0 * roughness * np.sin(x / 7) * np.cos(y / 5)
    z += np.random.default_rng(0).normal(0.0, 0.01 * roughness, x.shape)
    points = np.stack([x, y, z], -1).reshape(-1, 3).astype(np.float32)
    i = np.arange(SIDE * SIDE, dtype=np.uint32).reshape(SIDE, SIDE)
    low = np.stack([i[:-1, :-1], i[:-1, 1:], i[1:, 1:]], -1).reshape(-1, 3)
    high = np.stack([i[:-1, :-1], i[1:, 1:], i[1:, :-1]], -1).reshape(-1, 3)
    return points, np.concatenate([low, high]).reshape(-1)


def _areas(points, indices):
    """Return the areas of triangles seen from above; one that lies on its face has none."""
    a, b, c = (points[indices.reshape(-1, 3)[:, k], :2].astype(float) for k in range(3))
    u, v = b - a, c - a
    return (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / 2


def _heights(points, indices):
    """Return the height of the surface at each corner of the grid."""
    out = np.full(SIDE * SIDE, np.nan)
    grid = points[:, :2].astype(float)
    for triangle in points[indices.reshape(-1, 3)].astype(float):
        edges = np.array([triangle[1, :2] - triangle[0, :2], triangle[2, :2] - triangle[0, :2]]).T
        near = np.flatnonzero(
            (grid >= triangle[:, :2].min(axis=0)).all(axis=1)
            & (grid <= triangle[:, :2].max(axis=0)).all(axis=1)
        )
        u, v = np.linalg.solve(edges, (grid[near] - triangle[0, :2]).T)
        inside = (u > -1e-6) & (v > -1e-6) & (u + v < 1 + 1e-6)
        rise = u * (triangle[1, 2] - triangle[0, 2]) + v * (triangle[2, 2] - triangle[0, 2])
        out[near[inside]] = triangle[0, 2] + rise[inside]
    return out


@pytest.mark.parametrize(("error", "share"), [(0.005, 0.8), (0.05, 0.15), (0.3, 0.1)])
def test_hills_get_coarser_within_the_error(error, share):
    points, indices = _hills(1.0)
    found = collapsed(points, indices, error)
    assert len(found) < share * len(indices)
    off = np.abs(_heights(points, found) - points[:, 2])
    assert np.isfinite(off).all()  # no hole
    assert off.max() < 3.0 * error
    assert off.mean() < error


def test_a_plane_keeps_little_more_than_its_border():
    points, indices = _hills(0.0)
    found = collapsed(points, indices, 1e-4)
    assert len(found) / 3 < 1.2 * 4 * SIDE


def test_the_border_keeps_all_its_vertices_and_nothing_turns_over():
    points, indices = _hills(1.0)
    found = collapsed(points, indices, 0.3)
    grid = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    border = np.concatenate([grid[0], grid[-1], grid[:, 0], grid[:, -1]])
    assert np.isin(border, found).all()
    areas = _areas(points, found)
    assert (areas > 0).all()
    assert areas.sum() == pytest.approx((0.5 * (SIDE - 1)) ** 2)


def test_the_same_mesh_gives_the_same_triangles():
    points, indices = _hills(1.0)
    assert np.array_equal(collapsed(points, indices, 0.05), collapsed(points, indices, 0.05))
