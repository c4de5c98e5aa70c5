"""The lunar and the inspection world: sizes, triangles, slopes, contents, tunnel and bridge."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from standing_rig import smooth

from outrider.core.frames import Pose
from outrider.loader.library import load_world_spec
from outrider.loader.terrain_recipe import land_of
from outrider.loader.world import build_world
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.terrain.grid import triangle_slopes
from outrider.terrain.layers import height_at
from outrider.terrain.tunnels import left_out
from outrider.vehicles.robot import load_robot
from outrider.world.assembly import WORLD
from outrider.world.tessellate import tessellate


def plain(name, seed=None):
    """Return a world's file without its colour map, which takes a while to draw."""
    spec = load_world_spec(name)
    own = {"pixels": 0} if seed is None else {"pixels": 0, "seed": seed}
    return replace(spec, ground=replace(spec.ground, **own))


@pytest.fixture(scope="module")
def lunar():
    return build_world(plain("lunar"))


@pytest.fixture(scope="module")
def inspection():
    return build_world(plain("inspection"))


def triangle_count(world):
    geometry = [g for m in world.models for link in m.links for g in link.visuals]
    return sum(len(tessellate(g.shape).faces) for g in geometry)


def test_the_moon_has_the_size_and_the_triangles_of_the_thesis(lunar):
    assert triangle_count(lunar) == pytest.approx(2_742_273, rel=0.1)
    corners = lunar.models[0].links[0].visuals[0].shape.vertices
    assert np.ptp(corners, axis=0)[:2] == pytest.approx([1600, 2500])
    assert lunar.sky == (0.0, 0.0, 0.0)
    assert len(lunar.lights) == 1
    elevation = math.degrees(
        math.asin(-lunar.lights[0].direction[2] / np.linalg.norm(lunar.lights[0].direction))
    )
    assert 5 < elevation < 25


def test_the_moon_may_be_without_small_rocks_and_with_its_own_gravity(lunar):
    smooth = build_world(plain("lunar-smooth"))
    assert {m.name for m in lunar.models} - {m.name for m in smooth.models} == {
        "rocks",
        "rocks_near",
    }
    assert lunar.gravity[2] == pytest.approx(-9.80665)
    assert load_world_spec("lunar-gravity").gravity == (0, 0, -1.62)


def test_a_boulder_stands_ahead_of_the_start_with_five_others_around(lunar):
    boulder = next(m for m in lunar.models if m.name == "boulder")
    assert 5 < np.linalg.norm(boulder.pose.position[:2]) < 15
    near = next(m for m in lunar.models if m.name == "boulders_near")
    assert len(near.links[0].colliders) == 5


def test_the_steepest_slope_of_the_inspection_world_is_25_degrees():
    ground = plain("inspection").ground
    land = land_of(ground)
    slopes = triangle_slopes(land.grid, land.heights).max(axis=0)
    slopes[left_out(land, ground.openings)] = 0.0
    assert math.degrees(math.atan(float(slopes.max()))) == pytest.approx(25.0, abs=2.0)


def test_the_inspection_world_has_its_pond_bridge_panels_pipes_and_tunnel(inspection):
    names = [m.name for m in inspection.models]
    assert len([n for n in names if n.startswith("panel")]) == 5
    assert {"water", "bridge_1", "abutment_west", "abutment_east", "tunnel"} <= set(names)
    assert any(n.startswith("pipeline") for n in names)
    spec = load_world_spec("inspection")
    pipes = next(thing for thing in spec.things if thing.what == "pipeline")
    assert pipes.parameters["pipes"] == 2
    assert spec.origin.latitude_deg == pytest.approx(57.0271155)


def test_the_inspection_world_has_the_size_and_the_triangles_of_the_thesis(inspection):
    corners = np.concatenate([g.shape.vertices for g in inspection.models[0].links[0].visuals])
    assert np.ptp(corners, axis=0)[:2] == pytest.approx([60, 60], rel=1e-6)
    assert triangle_count(inspection) == pytest.approx(5767, rel=0.02)


def test_the_pond_lies_in_its_basin_with_a_rim_of_sand_and_only_rays_meet_it(inspection):
    water = next(m for m in inspection.models if m.name == "water")
    assert water.pose.position[2] == 0.0
    assert not water.links[0].colliders
    ground = plain("inspection").ground
    land, sheet = land_of(ground), ground.water[0]
    level = (land.heights[:-1, :-1] + land.heights[1:, 1:]) / 2
    wet = level < 0.0
    assert 0.02 < wet.mean() < 0.1  # 70 to 360 square metres
    sand = land.materials.index("sand")
    assert (land.cells[wet] == sand).all()
    assert (land.cells == sand).sum() > 1.2 * wet.sum()  # and a rim around it
    rim = _rim_of(land, sheet)
    assert rim.min() > sheet.level  # its edge is inside the banks on all sides
    scene = Simulation(inspection, [], engine="kinematic").rig.scene
    assert _depth(scene.view.static) == pytest.approx(3.0, abs=1e-4)  # a LiDAR's rays end on it
    assert _depth(scene.static) == pytest.approx(3.55, abs=1e-4)  # wheels stand on the bottom


def _depth(part):
    """Return how far it is from three metres above the pond straight down to what a ray meets."""
    above, down = np.array([[10.0, 8.0, 3.0]], np.float32), np.array([[0, 0, -1]], np.float32)
    return float(part.surface.cast(above, down, np.full(1, 10.0, np.float32)).distance[0])


def _rim_of(land, sheet):
    """Return how high the land is along the edge of a sheet of water."""
    t = np.linspace(-0.5, 0.5, 61)
    ends = np.full_like(t, 0.5)
    sides = [(t, ends), (t, -ends), (ends, t), (-ends, t)]
    return np.array(
        [
            height_at(
                land.grid, land.heights, sheet.x + a * sheet.size[0], sheet.y + b * sheet.size[1]
            )
            for x, y in sides
            for a, b in zip(x, y, strict=True)
        ]
    )


@pytest.mark.parametrize(
    ("start", "heading", "metres"),
    [((-25.0, -21.75, 1.4), 0.0, 42.0), ((0.2, -1.35, 1.1), 7.8, 21.0)],
    ids=["tunnel", "bridge"],
)
def test_it_drives_through_the_tunnel_and_over_the_bridge(inspection, start, heading, metres):
    yaw = math.radians(heading)
    pose = Pose.from_rpy(start, [0, 0, yaw])
    simulation = Simulation(
        smooth(inspection), [Participant(load_robot("jackal").bare(), "jackal", pose)]
    )
    simulation.rig.engine.watch_contacts = True
    handle = simulation.robots["jackal"]
    begin, heights = handle.pose.position.copy(), []
    for _ in range(round(metres / 1.5 / simulation.rig.step_s)):
        off = handle.pose.rpy[2] - yaw
        handle.drive(1.8, -1.5 * math.atan2(math.sin(off), math.cos(off)))
        simulation.step()
        heights.append(handle.pose.position[2])
        assert not [c for c in simulation.rig.engine.contacts() if WORLD in (c.first, c.second)]
        if np.linalg.norm(handle.pose.position - begin) > metres:
            break
    assert np.linalg.norm(handle.pose.position - begin) > metres
    assert min(heights) > 0.6  # on the deck, not in the pond
    assert max(heights) < 1.6  # through the hill, not over it


@pytest.mark.slow
def test_the_same_seed_gives_the_same_world_byte_for_byte_in_an_empty_cache(tmp_path, monkeypatch):
    spec = load_world_spec("inspection")
    spec = replace(spec, ground=replace(spec.ground, pixels=256))
    first = list(_bytes(build_world(spec)))
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    assert list(_bytes(build_world(spec))) == first


def _bytes(world):
    """Yield everything that a world's meshes, heights and pictures are made of."""
    for model in world.models:
        yield model.name, model.pose.position.tobytes(), model.pose.rotation.tobytes()
        for g in (g for link in model.links for g in (*link.visuals, *link.colliders)):
            parts = ("vertices", "faces", "uv", "heights", "size")
            yield [np.asarray(getattr(g.shape, part, 0)).tobytes() for part in parts]
            yield [Path(p).read_bytes() for p in (g.material.texture, g.material.detail) if p]


def test_other_seeds_give_other_rocks_and_the_same_roads(inspection):
    spec = plain("inspection", seed=77)
    first, other = land_of(plain("inspection").ground), land_of(spec.ground)
    number = first.materials.index("gravel")
    assert ((first.cells == number) == (other.cells == number)).all()
    rocks = [
        next(m for m in w.models if m.name == "rocks").links[0].visuals[0].shape.vertices
        for w in (inspection, build_world(spec))
    ]
    assert rocks[0].tobytes() != rocks[1].tobytes()
