"""Our way into Embree against the package's own classes."""

import gc

import numpy as np
import pytest
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene

from outrider.core.errors import SceneError
from outrider.scene.embree import Tracer, padded_rows


def _hills(cells, seed):
    random = np.random.default_rng(seed)
    x, y = np.meshgrid(np.linspace(-20, 20, cells + 1), np.linspace(-20, 20, cells + 1))
    vertices = padded_rows((cells + 1) ** 2)
    vertices[:] = np.column_stack([x.ravel(), y.ravel(), random.normal(0, 0.3, x.size)])
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    right, up = corner + 1, corner + cells + 1
    faces = np.concatenate(
        [np.column_stack([corner, right, up]), np.column_stack([up, right, up + 1])]
    )
    return vertices, faces.astype(np.int32)


def _rays(count, seed):
    random = np.random.default_rng(seed)
    origins = random.uniform([-22, -22, -3], [22, 22, 6], (count, 3)).astype(np.float32)
    directions = random.normal(size=(count, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    return origins, directions.astype(np.float32)


@pytest.mark.parametrize("count", [1, 7, 8, 9, 20_003])
def test_rays_end_where_the_package_says_to_the_last_bit(count):
    meshes = [_hills(60, 1), _hills(7, 2)]
    theirs = EmbreeScene()
    for vertices, faces in meshes:
        TriangleMesh(theirs, np.ascontiguousarray(vertices), faces)
    origins, directions = _rays(count, 3)
    far = np.full(count, 30, np.float32)
    expected = theirs.run(origins, directions, dists=far.copy(), output=1)
    tracer = Tracer(meshes)
    found = tracer.nearest(origins, directions, far.copy())
    hit = expected["geomID"] >= 0
    assert (found["geomID"] == expected["geomID"]).all()
    for key in ("tfar", "primID"):
        assert (found[key][hit] == expected[key][hit]).all(), key
    for key in ("u", "v", "Ng"):
        assert np.allclose(found[key][hit], expected[key][hit], rtol=1e-5, atol=1e-6), key
    assert (found["tfar"][~hit] == far[~hit]).all()
    assert (tracer.blocked(origins, directions, far) == hit).all()
    assert count < 100 or 0.2 < hit.mean() < 0.9


@pytest.mark.parametrize("count", [1, 15, 16, 17, 5_000])
def test_rays_that_are_alike_end_where_they_do_alone(count):
    tracer = Tracer([_hills(60, 1), _hills(7, 2)])
    turn = np.linspace(0.0, 0.6, count)
    directions = np.column_stack([np.cos(turn), np.sin(turn), np.full(count, -0.15)])
    directions = (directions / np.linalg.norm(directions, axis=1)[:, None]).astype(np.float32)
    origins = np.tile(np.array([-15.0, -10.0, 2.0], np.float32), (count, 1))
    far = np.full(count, 60, np.float32)
    apart, together = (
        tracer.nearest(origins, directions, far.copy(), alike) for alike in (False, True)
    )
    assert (apart["geomID"] >= 0).mean() > 0.5
    for key, found in together.items():
        assert (found == apart[key]).all(), key
    blocked = tracer.blocked(origins, directions, far, True)
    assert (blocked == tracer.blocked(origins, directions, far, False)).all()


def test_no_ray_along_an_axis_is_lost_among_those_alike():
    """The y of a wheel's rays that faces along x is a rounding error, once below 1e-18."""
    tracer = Tracer([_hills(60, 1)])
    angles = np.radians(np.linspace(-87.0, 87.0, 42))
    directions = np.column_stack([np.sin(angles), np.zeros(42), -np.cos(angles)])
    directions[:, 1] = 8.8e-18 * directions[:, 2]
    directions = directions.astype(np.float32)
    origins = np.full((42, 3), [0.1, 0.2, 3.0], np.float32)
    far = np.full(42, 5.0, np.float32)
    apart, alike = (tracer.nearest(origins, directions, far.copy(), a) for a in (False, True))
    assert (apart["geomID"] == 0).sum() > 20
    assert alike["tfar"].tobytes() == apart["tfar"].tobytes()


def test_meshes_live_as_long_as_their_tracer():
    tracer = Tracer([_hills(60, 1)])
    gc.collect()
    origins, directions = _rays(1000, 3)
    first = tracer.nearest(origins, directions, np.full(1000, 30, np.float32))["tfar"]
    rubbish = [_hills(60, seed) for seed in range(20)]
    again = tracer.nearest(origins, directions, np.full(1000, 30, np.float32))["tfar"]
    assert (first == again).all()
    assert len(rubbish) == 20


def test_a_scene_that_embree_refuses_is_an_error(monkeypatch):
    monkeypatch.setattr("outrider.scene.embree._UINT3", 0x9003)  # a format that faces cannot have
    with pytest.raises(SceneError, match="Embree cannot take"):
        Tracer([_hills(2, 1)])
