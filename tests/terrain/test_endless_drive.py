"""Driving on fifteen by fifteen kilometres: pictures on the way, and robots far from each other."""

import gc
import math
import weakref

import numpy as np
import pytest

from outrider.core.errors import RenderError
from outrider.core.frames import Pose
from outrider.core.structure import from_data
from outrider.loader.world import build_world, ground_height
from outrider.render.intrinsics import Intrinsics
from outrider.render.renderer import make_renderer
from outrider.render.shot import T_BODY_OPTICAL, Shot
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.world import WorldSpec
from outrider.vehicles.robot import load_robot

SIZE, CELL = 15_000.0, 10.0
LENS = Intrinsics.from_fov(320, 240, 70.0)


@pytest.fixture(scope="module")
def spec():
    base = {"type": "noise", "height": 120.0, "wavelength": 2000.0, "octaves": 5, "gain": 0.35}
    ground = {"type": "endless", "size": [SIZE, SIZE], "cell": CELL, "pixels": 0, "base": base}
    return from_data(WorldSpec, {"ground": {**ground, "material": "grass"}})


def eye(spec, x, y, yaw=0.3):
    return Pose.from_rpy([x, y, ground_height(spec, x, y) + 1.0], [0.0, 0.05, yaw])


def rays(body):
    """Return the rays of all pixels, and how much farther they go than straight ahead."""
    u, v = np.meshgrid(np.arange(LENS.width), np.arange(LENS.height))
    ways = np.stack([(u - LENS.cx) / LENS.fx, (v - LENS.cy) / LENS.fy, np.ones(u.shape)], axis=-1)
    longer = np.linalg.norm(ways, axis=-1)
    turned = (body @ T_BODY_OPTICAL).apply(ways.reshape(-1, 3)) - body.position
    return turned / longer.reshape(-1, 1), longer


def true_depth(simulation, body):
    """Return the depth of each pixel by rays over the map itself, as LiDARs see it."""
    ways, longer = rays(body)
    origins = np.tile(body.position, (len(ways), 1)).astype(np.float32)
    far = np.full(len(ways), 20_000.0, np.float32)
    hits = simulation.rig.scene.static.surface.cast(origins, ways.astype(np.float32), far)
    depth = np.where(hits.shape >= 0, hits.distance, np.nan).reshape(longer.shape)
    return depth / longer


def picture(simulation, renderer, body):
    shot = Shot(body @ T_BODY_OPTICAL, LENS, wants=frozenset(["depth"]))
    (found,) = renderer.begin([shot], simulation.state.bodies).pictures()
    return np.where(np.isfinite(found.depth) & (found.depth > 0), found.depth, np.nan)


def smooth(spec):
    """Return a simulation of a ground that is as smooth as its map."""
    simulation = Simulation(build_world(spec), [], engine="kinematic")
    simulation.rig.scene.relief_seed = None
    return simulation


def test_pictures_on_a_way_have_no_holes_and_agree_with_the_map(spec):
    simulation = smooth(spec)
    renderer = make_renderer(simulation.rig.scene, "embree")
    centres = set()
    for way in range(0, 1001, 100):
        body = eye(spec, 4000.0 + way, -3000.0 + 0.2 * way, 0.3 + 0.016 * way)  # looks all around
        seen, true = picture(simulation, renderer, body), true_depth(simulation, body)
        centres.add(simulation.rig.scene.drawn_about)
        ground = np.isfinite(true)
        assert _at_skyline(ground & np.isnan(seen), ground)  # coarse hills may be a little lower
        near = ground & (true < 200.0)
        assert near.sum() > 10_000
        assert np.nanmax(np.abs(seen - true)[near] / true[near]) < 0.01
    renderer.close()
    assert len(centres) >= 3  # the rings have moved along


def _at_skyline(holes, ground):
    """Tell whether all holes lie within three rows of the top of the ground in their column."""
    rows, columns = np.nonzero(holes)
    return bool((rows - ground.argmax(axis=0)[columns] <= 3).all())


@pytest.mark.parametrize("name", ["embree", "gl"])
def test_cameras_ten_kilometres_apart_each_see_their_own_ground_in_full(spec, name):
    simulation = smooth(spec)
    try:
        renderer = make_renderer(simulation.rig.scene, name)
    except RenderError as error:
        pytest.skip(f"the renderer '{name}' does not work here: {error}")
    bodies = [eye(spec, 3500.0, 3500.0), eye(spec, -3600.0, -3600.0)]
    truths = [true_depth(simulation, body) for body in bodies]
    first = [picture(simulation, renderer, body) for body in bodies]
    again = [picture(simulation, renderer, body) for body in [*bodies, bodies[0]]]
    renderer.close()
    # the ground laid last is still that of the second: nothing was made anew
    assert simulation.rig.scene.drawn_about == pytest.approx(bodies[1].position[:2])
    for seen, true in zip(first, truths, strict=True):
        near = np.isfinite(true) & (true < 200.0)
        error = np.abs(seen - true)[near] / true[near]
        assert np.nanpercentile(error, 99.9) < 0.01
        assert np.isfinite(seen[near]).mean() > 0.999
    for k, seen in enumerate(again):
        assert np.array_equal(seen, first[k % 2], equal_nan=True)


def drive(simulation, seconds):
    for _ in range(round(seconds / simulation.rig.step_s)):
        for handle in simulation.robots.values():
            handle.drive(1.0, 0.0)
        simulation.step()


def husky(name, x, y):
    pose = Pose.from_rpy([x, y, 0.0], [0.0, 0.0, 0.3])
    return Participant(load_robot("husky").bare(), name, pose)


def test_a_husky_drives_fifty_metres_and_another_ten_kilometres_away(spec):
    starts = {"here": (3500.0, 3500.0), "there": (-3600.0, -3600.0)}
    robots = [husky(name, x, y) for name, (x, y) in starts.items()]
    simulation = Simulation(build_world(spec), robots)
    places = [handle.pose.position.copy() for handle in simulation.robots.values()]
    assert np.linalg.norm(places[0] - places[1]) > 10_000.0
    drive(simulation, 52.0)
    for handle, start in zip(simulation.robots.values(), places, strict=True):
        x, y, z = handle.pose.position
        assert math.dist((x, y), start[:2]) > 45.0
        assert 0.0 < z - ground_height(spec, x, y) < 0.4
        assert (simulation.rig.tyres.rows["penetration"] > 0).mean() > 0.6


def test_a_renderer_does_not_keep_a_scene_alive(spec):
    simulation = Simulation(build_world(spec), [], engine="kinematic")
    renderer = make_renderer(simulation.rig.scene, "embree")
    scene = weakref.ref(simulation.rig.scene)
    del simulation
    gc.collect()
    assert scene() is None
    renderer.close()
