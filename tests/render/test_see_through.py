"""Rays of sensors pass where a texture has a hole, as the camera's do."""

from dataclasses import replace

import numpy as np
import pytest
from render_rig import NO_BODIES, camera, floor, save_image, static

from outrider.render.embree.renderer import EmbreeRenderer
from outrider.render.intrinsics import Intrinsics
from outrider.render.shot import Shot
from outrider.scene.past_poses import PastPoses
from outrider.sim.simulation import Simulation
from outrider.world.model import World
from outrider.world.shapes import Box


@pytest.fixture
def scene(tmp_path):
    """A wall behind a card, every other of whose four columns is a hole; a faint pane beside."""
    pixels = np.full((64, 64, 4), 255, np.uint8)
    pixels[:, 16:32, 3] = pixels[:, 48:, 3] = 0
    picture = save_image(tmp_path / "card.png", pixels)
    card = static("card", Box((0.01, 2.0, 2.0)), x=5.0, z=1.0, texture=picture, texture_size=2.0)
    wall = static("wall", Box((1.0, 20.0, 20.0)), x=8.5)
    pane = static("pane", Box((0.01, 1.0, 2.0)), x=5.0, y=3.0, z=1.0, colour=(1, 1, 1, 0.3))
    return Simulation(World("w", (floor(), card, wall, pane))).rig.scene


def _seen_at(scene, y):
    n = len(y)
    ends = np.column_stack([np.full(n, 5.0), y, np.full(n, 1.025)])
    ways = ends - [0.0, 0.0, 1.0]
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    origins = np.tile(np.float32([0, 0, 1]), (n, 1))
    far = np.full(n, 50, np.float32)
    times = np.zeros(n, np.int64)
    rays = (origins, ways.astype(np.float32), far, times)
    sight = scene.look(*rays, PastPoses.of(NO_BODIES, 0), by_light=True)
    return sight.distance * ways[:, 0]


def test_beams_pass_the_holes_of_a_card_and_end_on_the_rest(scene):
    columns = np.array([-0.75, -0.25, 0.25, 0.75])
    found = _seen_at(scene, columns)
    assert sorted(found.round(1).tolist()) == [5.0, 5.0, 8.0, 8.0]
    assert found.round(1).tolist() in ([5.0, 8.0, 5.0, 8.0], [8.0, 5.0, 8.0, 5.0])


def test_a_pane_that_hides_less_than_half_stops_no_beam(scene):
    assert _seen_at(scene, np.array([3.0])) == pytest.approx([8.0], abs=1e-3)


@pytest.mark.parametrize(("opacity", "colour", "depth"), [(77, 1, 8), (200, 1, 5), (200, 0.5, 8)])
def test_a_veil_stops_beams_where_it_hides_more_than_half(tmp_path, opacity, colour, depth):
    """Its picture says how opaque it is: cameras looked through it, and LiDARs did not."""
    picture = save_image(tmp_path / "veil.png", np.full((8, 8, 4), [9, 99, 9, opacity], np.uint8))
    veil = static(
        "veil", Box((0.01, 2, 2)), x=5.0, z=1.0, texture=picture, colour=(1, 1, 1, colour)
    )
    wall = static("wall", Box((1.0, 20.0, 20.0)), x=8.5)
    scene = Simulation(World("w", (floor(), veil, wall))).rig.scene
    assert _seen_at(scene, np.array([0.3])) == pytest.approx([depth], abs=0.01)
    renderer = EmbreeRenderer(scene)
    shot = Shot(camera(z=1.0), Intrinsics.from_fov(9, 9, 10.0), wants=frozenset({"depth"}))
    for infrared in (False, True):
        seen = renderer.begin([replace(shot, infrared=infrared)], NO_BODIES).pictures()[0].depth
        assert seen[4, 4] == pytest.approx(depth, abs=0.01)
    renderer.close()


def test_depth_of_a_picture_and_beams_agree_pixel_for_pixel(scene):
    lens = Intrinsics(64, 48, 100.0, 100.0, 31.5, 23.5)
    renderer = EmbreeRenderer(scene)
    shot = Shot(camera(z=1.0), lens, wants=frozenset({"depth"}))
    depth = renderer.begin([shot], NO_BODIES).pictures()[0].depth[23]
    renderer.close()
    y = -(np.arange(64) - 31.5) / 100.0 * 5.0
    beams = _seen_at(scene, y)
    assert (np.abs(depth - beams) < 0.02).mean() > 0.95
    assert set(beams.round(0).tolist()) == {5.0, 8.0}
