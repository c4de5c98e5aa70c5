"""Beams end on the relief of rough ground: against an intersection by brute force."""

import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.scene.past_poses import PastPoses
from outrider.scene.roughness import CELLS, SIDE, amplitude, tile
from outrider.scene.scene import Scene
from outrider.world.assembly import assemble
from outrider.world.materials import Material, Roughness
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Plane
from outrider.world.state import BODY

ROUGH = Roughness(4e-3)


@pytest.fixture(scope="module")
def scene():
    geometry = Geometry(Plane(200.0), Pose(), Material("rough", roughness=ROUGH))
    floor = Model("floor", (Link("link", None, (geometry,)),), mobility="static")
    made = Scene(assemble(World("w", (floor,))))
    made.relief_seed = 3
    return made


def look(scene, origins, directions):
    n = len(origins)
    return scene.look(
        np.ascontiguousarray(origins, np.float32),
        np.ascontiguousarray(directions, np.float32),
        np.full(n, 200.0, np.float32),
        np.zeros(n, np.int64),
        PastPoses.of(np.zeros(0, BODY), 0),
        by_light=True,
    ).distance


def heights(x, y):
    """The relief as a bilinear picture, by numpy alone."""
    field = tile(ROUGH.slope, 3).astype(np.float64) * amplitude(ROUGH)
    fx, fy = np.mod(x, SIDE) / SIDE * CELLS, np.mod(y, SIDE) / SIDE * CELLS
    i, j = fx.astype(int), fy.astype(int)
    u, v = fx - i, fy - j
    i, j, i1, j1 = i % CELLS, j % CELLS, (i + 1) % CELLS, (j + 1) % CELLS
    near = (1 - v) * field[i, j] + v * field[i, j1]
    far = (1 - v) * field[i1, j] + v * field[i1, j1]
    return (1 - u) * near + u * far


def test_straight_down_the_relief_is_measured_exactly(scene):
    random = np.random.default_rng(1)
    places = random.uniform(-30, 30, (500, 2))
    origins = np.column_stack([places, np.ones(500)])
    found = 1.0 - look(scene, origins, np.tile([0.0, 0.0, -1.0], (500, 1)))
    assert found == pytest.approx(heights(*places.T), abs=2e-4)
    assert 3e-3 < found.std() < 12e-3  # millimetres, where the mesh is flat


@pytest.mark.parametrize("grazing_deg", [60.0, 20.0, 8.0, 3.0])
def test_at_any_angle_beams_end_where_they_first_meet_the_relief_or_behind_the_tip_of_a_bump(
    scene, grazing_deg
):
    random = np.random.default_rng(2)
    turn, a = random.uniform(0, 2 * np.pi, 60), np.radians(grazing_deg)
    directions = np.column_stack(
        [np.cos(a) * np.cos(turn), np.cos(a) * np.sin(turn), np.full(60, -np.sin(a))]
    )
    origins = np.tile([0.0, 0.0, 1.0], (60, 1))
    found = look(scene, origins, directions)
    flat, late = 1.0 / np.sin(a), []
    for ray in range(60):
        way = np.arange(flat - 0.06 / np.sin(a), flat + 0.06 / np.sin(a), 5e-4)
        points = origins[ray] + directions[ray] * way[:, None]
        above = points[:, 2] - heights(points[:, 0], points[:, 1])
        late.append(found[ray] - way[np.argmax(above <= 0)])
    assert min(late) > -8e-3
    assert np.median(np.abs(late)) < 2e-3


def test_a_flat_beam_ends_before_a_bump_that_is_higher_than_those_it_looks_at(scene):
    """Such beams begin inside the bump: they end there, and not metres before or behind."""
    random = np.random.default_rng(4)
    turn, a = random.uniform(0, 2 * np.pi, 40_000), np.radians(8.0)
    directions = np.column_stack(
        [np.cos(a) * np.cos(turn), np.cos(a) * np.sin(turn), np.full(40_000, -np.sin(a))]
    )
    origins = np.column_stack([random.uniform(-9, 9, (40_000, 2)), np.ones(40_000)])
    points = origins + directions * look(scene, origins, directions)[:, None]
    assert np.abs(points[:, 2]).max() < 1.05 * np.abs(heights(*points[:, :2].T)).max()
