"""Our own tree of boxes against Embree: the same hits, holes included."""

import numpy as np
import pytest
from numba import carray, cfunc, types

from outrider.core.address import pointer
from outrider.scenarios.load import load
from outrider.scenarios.run import Run
from outrider.scene import tracer as tracers
from outrider.scene.embree import HitFilter, Tracer, padded_rows
from outrider.scene.tree_tracer import TreeTracer


def _crowd(count, seed):
    """Return triangles of all sizes, everywhere."""
    random = np.random.default_rng(seed)
    vertices = padded_rows(3 * count)
    centres = random.uniform(-10, 10, (count, 1, 3))
    size = 10.0 ** random.uniform(-2, 0.5, (count, 1, 1))
    vertices[:] = (centres + size * random.normal(size=(count, 3, 3))).reshape(-1, 3)
    return vertices, np.arange(3 * count, dtype=np.int32).reshape(-1, 3)


def _rays(count, seed):
    random = np.random.default_rng(seed)
    origins = random.uniform(-12, 12, (count, 3)).astype(np.float32)
    directions = random.normal(size=(count, 3))
    directions[: count // 4] = np.eye(3)[random.integers(0, 3, count // 4)]  # along an axis
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    return origins, directions.astype(np.float32)


@pytest.mark.parametrize("counts", [(40,), (3, 50), (4000, 700)])
def test_rays_end_where_embree_says(counts):
    meshes = [_crowd(count, seed) for seed, count in enumerate(counts)]
    origins, directions = _rays(20_000, 7)
    far = np.full(len(origins), 15, np.float32)
    ours = TreeTracer(meshes).nearest(origins, directions, far.copy())
    theirs = Tracer(meshes).nearest(origins, directions, far.copy())
    same = (ours["geomID"] == theirs["geomID"]) & (ours["primID"] == theirs["primID"])
    assert same.mean() > 0.9995  # the rest touch an edge, or two triangles at once
    assert np.abs(ours["tfar"] - theirs["tfar"])[same].max() < 2e-5
    hit = same & (ours["geomID"] >= 0)
    assert hit.any()
    for key in ("u", "v", "Ng"):
        assert np.allclose(ours[key][hit], theirs[key][hit], rtol=2e-3, atol=2e-3), key
    blocked = TreeTracer(meshes).blocked(origins, directions, far)
    assert (blocked == (ours["geomID"] >= 0)).all()


def test_no_ray_slips_through_between_two_triangles():
    cells = 40
    x, y = np.meshgrid(np.arange(cells + 1.0), np.arange(cells + 1.0))
    vertices = padded_rows(x.size)
    vertices[:] = np.column_stack([x.ravel(), y.ravel(), 0.1 * np.sin(x + 2 * y).ravel()]) * 0.1
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    right, up = corner + 1, corner + cells + 1
    faces = np.concatenate([np.stack([corner, right, up], 1), np.stack([up, right, up + 1], 1)])
    random = np.random.default_rng(1)
    inner = vertices[(x.ravel() % cells > 0) & (y.ravel() % cells > 0)]
    targets = inner[random.integers(0, len(inner), 5000)]
    origins = np.float32([2.0, 2.0, 3.0]) + random.normal(size=(5000, 3)).astype(np.float32) * 0.3
    ways = targets - origins
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    found = TreeTracer([(vertices, faces.astype(np.int32))]).nearest(
        origins, ways.astype(np.float32), np.full(5000, 50, np.float32)
    )
    assert (found["geomID"] == 0).all()


def test_nothing_at_all_is_never_hit():
    origins, directions = _rays(10, 3)
    far = np.full(10, 5, np.float32)
    assert (TreeTracer([]).nearest(origins, directions, far)["geomID"] == -1).all()
    assert not TreeTracer([]).blocked(origins, directions, far).any()


@pytest.fixture
def without_embree(monkeypatch):
    monkeypatch.setattr(tracers, "has_embree", lambda: False)


def test_a_robot_drives_and_sees_without_embree(without_embree):
    with_tree = Run(load("smoke", ["duration_s=1", "expect=[]"]), speed=0.0)
    assert isinstance(with_tree.simulation.rig.scene.static.surface.tracer, TreeTracer)
    assert with_tree.go()["distance_m"] == pytest.approx(_driven_with_embree(), abs=1e-3)


def _driven_with_embree():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tracers, "has_embree", lambda: True)
        run = Run(load("smoke", ["duration_s=1", "expect=[]"]), speed=0.0)
        return run.go()["distance_m"]


@cfunc(types.void(types.CPointer(types.int64)))
def _every_other(arguments):
    """Take back the hits on faces with odd numbers."""
    words = carray(arguments, 6, np.int64)
    n = words[5] & 0xFFFFFFFF
    valid = carray(pointer(words[0]), n, np.int32)
    faces = carray(pointer(words[4]), 8 * n, np.int32)
    for i in range(n):
        if faces[5 * n + i] % 2:
            valid[i] = 0


def test_sieves_let_rays_through_as_with_embree():
    meshes = [_crowd(500, 1), _crowd(500, 2)]
    hit_filters = {1: HitFilter(_every_other.address, np.zeros(1, np.int64))}
    origins, directions = _rays(5000, 7)
    far = np.full(5000, 15, np.float32)
    ours = TreeTracer(meshes, hit_filters).nearest(origins, directions, far.copy())
    theirs = Tracer(meshes, hit_filters).nearest(origins, directions, far.copy())
    assert (ours["primID"] == theirs["primID"]).mean() > 0.9995
    through = ours["primID"][ours["geomID"] == 1]
    assert len(through) > 100
    assert not (through % 2).any()
    blocked = TreeTracer(meshes, hit_filters).blocked(origins, directions, far)
    assert (blocked == (ours["geomID"] >= 0)).all()


def test_small_triangles_in_a_large_world_are_hit():
    near = _crowd(1, 1)
    small, far_away = near[0] * np.float32(1e-3) + 1, near[0] + 5000
    vertices = padded_rows(6)
    vertices[:] = np.concatenate([small, far_away])
    faces = np.arange(6, dtype=np.int32).reshape(2, 3)
    target = small.mean(axis=0)
    normal = np.cross(small[1] - small[0], small[2] - small[0])
    normal /= np.linalg.norm(normal)
    origins, ways = (target + normal)[None], -normal[None]
    found = TreeTracer([(vertices, faces)]).nearest(origins, ways, np.full(1, 5, np.float32))
    assert found["primID"].tolist() == [0]
