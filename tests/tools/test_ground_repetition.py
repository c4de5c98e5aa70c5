"""The count of places that look alike: of a small world, only places on its ground count."""

import numpy as np
import pytest
from render_rig import scene_of, static
from tools.ground_repetition import SIDE_M, alike, pictures, places

import outrider as o
from outrider.builders.grounds import Floor
from outrider.builders.world import WorldBuilder
from outrider.sim.simulation import Simulation
from outrider.world.shapes import Box


def test_all_pictures_show_ground_from_edge_to_edge():
    field = static("field", Box((80.0, 40.0, 1.0)), x=20.0)
    found = places(scene_of(field), seed=1, count=6)
    assert len(found) == 6
    assert (np.abs(found - [20.0, 0.0]) <= np.array([40.0, 20.0]) - SIDE_M / 2).all()


@pytest.mark.parametrize("renderer", ["gl", "embree"])
def test_ground_is_not_taken_for_ground_farther_off(renderer):
    """24 m away, in the direction in which the detail once came back, and at a place of chance."""
    world = WorldBuilder("lawn")
    world.add(Floor(80.0, 80.0, material="grass"))
    scene = Simulation(world.build()).rig.scene
    here = np.array([[-9.7, 11.3], [-3.1, 4.2], [6.4, 15.9]])
    for away in ((12.012, -20.985), (-8.3, -13.1)):
        pairs = zip(
            pictures(scene, here, renderer), pictures(scene, here + away, renderer), strict=True
        )
        assert not any(alike(*pair) for pair in pairs)
    (same,) = pictures(scene, here[:1], renderer)
    (beside,) = pictures(scene, here[:1] + np.array([0.5, -0.3]), renderer)
    assert alike(same, beside)  # the measure finds what is the same


def test_what_moves_is_no_ground():
    here = np.array([[0.0, 0.0], [7.0, 0.0]])
    shown = []
    for boxes in ([], [o.Box(1.0, 1.0, 1.0, mass=5.0).move(0.0, 0.0)]):
        world = WorldBuilder("lawn")
        world.add(Floor(80.0, 80.0, material="grass"), *boxes)
        shown.append(pictures(Simulation(world.build()).rig.scene, here, "embree"))
    assert np.array_equal(*shown)
