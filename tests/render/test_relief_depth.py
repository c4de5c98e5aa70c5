"""The ground's relief below its mesh in depth images: against brute force, and against a LiDAR."""

import numpy as np
import pytest
from render_rig import Studio, camera, floor, rays_of, scene_of, static

from outrider.render.intrinsics import Intrinsics
from outrider.render.shot import Shot
from outrider.scene.past_poses import PastPoses
from outrider.scene.roughness import CELLS, SIDE, amplitude, tile
from outrider.world.materials import Roughness
from outrider.world.shapes import Box
from outrider.world.state import BODY

SEED = 7
MATERIALS = {"grass": Roughness(2e-3), "gravel": Roughness(4e-3), "asphalt": Roughness(1e-4, 1.5)}
LENS = Intrinsics.from_fov(160, 120, 60.0)
BENT = Intrinsics.from_fov(160, 120, 60.0, (-0.2, 0.05, 0.0, 0.0, 0.0))
DEPTH = frozenset(["depth"])
NEAR = camera(x=3.3, y=-1.7, z=0.8, pitch_deg=40.0)


def ground(roughness, seed=SEED, *others):
    scene = scene_of(floor(roughness=roughness), *others)
    scene.relief_seed = seed
    return scene


def heights(roughness, x, y):
    """The relief as a bilinear picture, by numpy alone."""
    field = tile(roughness.slope, SEED).astype(np.float64) * amplitude(roughness)
    fx, fy = np.mod(x, SIDE) / SIDE * CELLS, np.mod(y, SIDE) / SIDE * CELLS
    i, j = fx.astype(int) % CELLS, fy.astype(int) % CELLS
    u, v = fx % 1, fy % 1
    i1, j1 = (i + 1) % CELLS, (j + 1) % CELLS
    low = (1 - v) * field[i, j] + v * field[i, j1]
    high = (1 - v) * field[i1, j] + v * field[i1, j1]
    return (1 - u) * low + u * high


def points_of(depth, lens, pose):
    """Return where the pixels of a depth image lie in the world."""
    plane = lens.plane.reshape(-1, 2).astype(np.float64)
    rays = np.column_stack([plane, np.ones(len(plane))]) @ pose.matrix[:3, :3].T
    return pose.position + rays * depth.reshape(-1, 1)


def off_plane(points):
    """Return the heights of points above the plane that fits them best."""
    known = np.column_stack([points[:, :2], np.ones(len(points))])
    fit, *_ = np.linalg.lstsq(known, points[:, 2], rcond=None)
    return points[:, 2] - known @ fit


@pytest.mark.parametrize("material", MATERIALS)
def test_what_is_off_the_fitted_plane_is_the_relief(studio, material):
    rough = MATERIALS[material]
    lens = Intrinsics.from_fov(320, 240, 60.0)
    points = points_of(studio.one(ground(rough), Shot(NEAR, lens, wants=DEPTH)).depth, lens, NEAR)
    truth = heights(rough, points[:, 0], points[:, 1])
    found = off_plane(points)
    there = off_plane(np.column_stack([points[:, :2], truth]))
    assert found.std() == pytest.approx(there.std(), rel=0.03)
    assert np.corrcoef(points[:, 2], truth)[0, 1] > 0.99
    assert np.quantile(np.abs(points[:, 2] - truth), 0.99) < 0.3 * there.std()


@pytest.mark.parametrize("lens", [LENS, BENT], ids=["straight", "bent"])
@pytest.mark.parametrize(
    "pose",
    [
        camera(x=1.0, y=2.0, z=0.3),
        camera(x=-31.0, y=12.0, z=0.4, pitch_deg=10.0, roll_deg=25.0, yaw_deg=130.0),
        camera(x=1.0, y=2.0, z=0.4, pitch_deg=-12.0, roll_deg=180.0),
        camera(x=1.0, y=2.0, z=0.4, pitch_deg=0.0, roll_deg=90.0, yaw_deg=20.0),
    ],
    ids=["level", "rolled", "hung", "on its side"],
)
def test_depth_is_what_a_lidars_rays_find_on_the_relief(studio, pose, lens):
    scene = ground(MATERIALS["grass"])
    depth = studio.one(scene, Shot(pose, lens, wants=DEPTH)).depth.ravel()
    origins, directions = rays_of(lens, pose)
    n = len(origins)
    past, times = PastPoses.of(np.zeros(1, BODY), 0), np.zeros(n, np.int64)
    smooth, rough = (
        scene.look(origins, directions, np.full(n, 90.0, np.float32), times, past, by_light=light)
        for light in (False, True)
    )
    near = (rough.shape >= 0) & (smooth.cosine > 0.1) & (smooth.distance < 2.5)
    assert near.sum() > 500
    cosine, along = smooth.cosine[near], lens.rays()[..., 2].ravel()[near]
    found = (smooth.distance[near] - depth[near] / along) * cosine
    truth = (smooth.distance[near] - rough.distance[near]) * cosine
    assert truth.std() > 5e-3
    assert np.median(np.abs(found - truth)) < 1e-3
    assert np.corrcoef(found, truth)[0, 1] > 0.95


def test_only_the_ground_has_a_relief_and_only_with_a_seed(studio):
    rough, crate = MATERIALS["gravel"], static("crate", Box((1.0, 2.0, 1.0)), x=1.5, z=0.5)
    pose = camera(z=0.6, pitch_deg=10.0)
    pictures = [
        studio.one(scene, Shot(pose, LENS, wants=frozenset(["depth", "labels"])))
        for scene in (ground(rough, SEED, crate), ground(rough, None, crate))
    ]
    uneven, even = (picture.depth for picture in pictures)
    labels, names = pictures[0].labels, pictures[0].names
    on_crate = labels == next(n for n, name in names.items() if name == "crate")
    assert on_crate.any()
    assert (uneven[on_crate] == even[on_crate]).all()
    off = uneven - even
    near = ~on_crate & (even < 1.5)
    assert np.sqrt((off[near] ** 2).mean()) > 0.01
    points = points_of(even, LENS, pose).reshape(*even.shape, 3)[near]
    assert np.abs(points[:, 2]).max() < 1e-4


def test_the_same_image_is_the_same_bytes(studio):
    shots = [Shot(NEAR, LENS, wants=DEPTH), Shot(NEAR, LENS, wants=DEPTH | {"colour"})]
    first, again = (studio.take(ground(MATERIALS["grass"]), *shots) for _ in range(2))
    assert first[0].depth.tobytes() == again[0].depth.tobytes() == first[1].depth.tobytes()


def test_both_renderers_find_the_same_relief():
    shots = [Shot(NEAR, LENS, wants=DEPTH), Shot(camera(z=0.4), LENS, wants=DEPTH)]
    taken = []
    for name in ("gl", "embree"):
        own = Studio(name)
        taken.append([p.depth for p in own.take(ground(MATERIALS["grass"]), *shots)])
        own.close()
    for one, other in zip(*taken, strict=True):
        off = np.abs(one[other < 2.0] - other[other < 2.0])
        assert np.median(off) < 1e-4
        assert np.quantile(off, 0.999) < 0.02  # before or behind the edge of a bump
