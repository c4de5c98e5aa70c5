"""Grounds that stay on disk: rays against Embree, levels of detail, wheels and bodies far away."""

from dataclasses import replace

import numpy as np
import pytest

from outrider.core.errors import ConfigError, FormatError, PhysicsError
from outrider.core.frames import Pose
from outrider.core.structure import from_data
from outrider.loader.mapped_ground import mapped_ground
from outrider.loader.world import build_world, ground_height
from outrider.scene.grid_surface import GridSurface
from outrider.scene.surface import Surface
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.world import WorldSpec
from outrider.terrain.mapped import mapped_field
from outrider.vehicles.robot import load_robot
from outrider.world.level_of_detail import level_of_detail_mesh
from outrider.world.model import Geometry
from outrider.world.shapes import Box, HeightField


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "cache"))
    mapped_ground.cache_clear()


def hills(rows, columns, seed=1):
    random = np.random.default_rng(seed)
    wave = 20 * np.sin(np.arange(rows) / 20)[:, None]
    return (random.random((rows, columns)) * 3 + wave).astype(np.float32)


def field_of(heights, size, key="k"):
    return mapped_field(key, heights.shape, size, lambda first, last: heights[first:last])


def rays(count, seed=2):
    random = np.random.default_rng(seed)
    low, high = [-350, -250, 25], [350, 250, 60]
    origins = random.uniform(low, high, (count, 3)).astype(np.float32)
    directions = random.standard_normal((count, 3))
    directions[:, 2] = -np.abs(directions[:, 2]) * random.random(count)
    directions[: count // 20] = [0, 0, -1]
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    return origins, directions.astype(np.float32)


@pytest.mark.parametrize("shape", [(300, 201), (9, 8), (2, 2), (65, 64)])
def test_rays_end_where_embree_lets_them_end(shape):
    heights, size = hills(*shape), (598.0, 400.0)
    ours = GridSurface([Geometry(field_of(heights, size))])
    embree = Surface([Geometry(HeightField(heights.astype(np.float64), size))])
    origins, directions = rays(50_000)
    a = ours.cast(origins, directions, np.full(50_000, 500, np.float32))
    b = embree.cast(origins, directions, np.full(50_000, 500, np.float32))
    met = b.shape >= 0
    assert met.sum() > 10_000
    assert ((a.shape >= 0) != met).sum() <= 2  # a ray along the very edge may go either way
    both = met & (a.shape >= 0)
    assert np.abs(a.distance - b.distance)[both].max() < 2e-3
    unit = [n / np.linalg.norm(n, axis=1)[:, None] for n in (a.normal[both], b.normal[both])]
    assert np.percentile(np.abs((unit[0] * unit[1]).sum(axis=1)), 0.5) > 0.9999


def test_other_things_stand_in_the_way_as_they_do_elsewhere():
    ground = Geometry(field_of(np.zeros((50, 50), np.float32), (98.0, 98.0)))
    box = Geometry(Box((2.0, 2.0, 2.0)), Pose(np.array([5.0, 0.0, 1.0])))
    surface = GridSurface([box, ground])
    origins = np.array([[0, 0, 1], [0, 3, 1], [0, 0, 1]], np.float32)
    directions = np.array([[1, 0, 0], [0, 0, -1], [0, 0, 1]], np.float32)
    hits = surface.cast(origins, directions, np.full(3, 50, np.float32))
    assert hits.shape.tolist() == [0, 1, -1]
    assert hits.distance[:2] == pytest.approx([4.0, 1.0])
    assert surface.blocked(origins, directions, np.full(3, 50, np.float32)).tolist() == [1, 1, 0]


def test_levels_of_detail_cover_all_without_gaps_and_are_exact_near_by():
    heights = hills(1200, 900)
    field = field_of(heights, (2398.0, 1798.0))
    mesh = level_of_detail_mesh(field, 300.0, -200.0)
    assert len(mesh.faces) < 0.2 * field.triangles
    surface = Surface([Geometry(mesh)])
    random = np.random.default_rng(3)
    points = random.uniform([-1198, -898], [1198, 898], (20_000, 2))
    origins = np.column_stack([points, np.full(20_000, 100.0)]).astype(np.float32)
    down = np.tile(np.array([0, 0, -1], np.float32), (20_000, 1))
    found = surface.cast(origins, down, np.full(20_000, 300, np.float32))
    assert (found.shape >= 0).all()  # no gap between rings
    full = GridSurface([Geometry(field)]).cast(origins, down, np.full(20_000, 300, np.float32))
    near = np.abs(points - [300, -200]).max(axis=1) < 180
    assert np.abs(found.distance - full.distance)[near].max() < 1e-3


def endless(**ground):
    base = {"type": "noise", "height": 60.0, "wavelength": 900.0, "octaves": 4, "gain": 0.3}
    data = {"type": "endless", "pixels": 0, "cell": 10.0, "base": base, "material": "smooth"}
    own = {"smooth": {"friction": 0.8}}  # no roughness: only the ground itself is felt
    return from_data(WorldSpec, {"ground": {**data, **ground}, "materials": own})


def drive(world, starts, seconds, speed):
    robot = load_robot("husky").bare()
    robots = [
        Participant(robot, f"husky{k}", Pose.from_rpy([*start, 0.0], [0, 0, 0]))
        for k, start in enumerate(starts)
    ]
    simulation = Simulation(world, robots)
    for _ in range(round(seconds / simulation.rig.step_s)):
        for handle in simulation.robots.values():
            handle.drive(speed, 0.0)
        simulation.step()
    return simulation


def slope(tmp_path):
    """Return a ground that rises by an eighth along x over more than 30 km, in cells of 30 m."""
    side = 30_720.0
    rise = 0.125 * np.linspace(-side / 2, side / 2, 1025)
    np.save(tmp_path / "slope.npy", np.tile(rise[:, None], (1, 1025)).astype(np.float32))
    file = {"type": "file", "file": str(tmp_path / "slope.npy")}
    return build_world(endless(base=file, size=[side, side]))


def test_fifteen_kilometres_out_all_is_as_at_the_origin(tmp_path):
    world = slope(tmp_path)
    simulation = drive(world, [(0.37, 0.2), (15_000.37, 0.2), (10_600.37, -10_600.0)], 2.0, 1.0)
    places = np.array([handle.pose.position for handle in simulation.robots.values()])
    assert np.ptp(places[:, 2] - 0.125 * places[:, 0]) < 1e-4
    penetration = simulation.rig.tyres.rows["penetration"].reshape(3, 4)
    assert np.ptp(penetration, axis=0).max() < 2e-4
    assert penetration.min() > 0
    eyes = np.array([[0.37, 0.2, 3.0], [15_000.37, 0.2, 1878.0]], np.float32)
    aslant = np.tile(np.array([0.8, 0.0, -0.6], np.float32), (2, 1))
    seen = simulation.rig.scene.static.surface.cast(eyes, aslant, np.full(2, 99.0, np.float32))
    assert np.ptp(seen.distance) < 1e-3


def test_robots_far_apart_drive_on_their_own_pieces_and_a_crate_falls_on_one():
    spec = endless()
    crate = {"name": "crate", "shape": {"type": "box"}, "mass": 5, "pose": {"x": -5000, "y": 4000}}
    spec = replace(spec, objects=from_data(WorldSpec, {"objects": [crate]}).objects)
    simulation = drive(build_world(spec), [(0, 0), (7000, -7000)], 4.0, 1.0)
    for handle in simulation.robots.values():
        x, y, z = handle.pose.position
        assert 0.05 < z - ground_height(spec, x, y) < 0.4
    root = simulation.rig.assembly.root("crate")
    x, y, z = simulation.state.bodies[root]["position"]
    assert z - ground_height(spec, x, y) == pytest.approx(0.5, abs=0.06)


def test_the_same_run_twice_and_after_a_reset_has_the_same_hash():
    world = build_world(endless(cell=2.0, size=[600.0, 600.0]))
    simulation = drive(world, [(0, 0)], 2.0, 1.0)
    first = simulation.state_hash
    simulation.reset()
    for _ in range(round(2.0 / simulation.rig.step_s)):
        simulation.robots["husky0"].drive(1.0, 0.0)
        simulation.step()
    assert simulation.state_hash == first == drive(world, [(0, 0)], 2.0, 1.0).state_hash


def test_heights_come_from_arrays_and_images(tmp_path):
    from PIL import Image

    values = (hills(64, 48) + 25).astype(np.float32)
    np.save(tmp_path / "map.npy", values)
    spec = endless(size=[630, 470], base={"type": "file", "file": str(tmp_path / "map.npy")})
    assert ground_height(spec, -315 + 10 * 7, -235 + 10 * 5) == pytest.approx(
        values[7, 5], abs=1e-4
    )
    pixels = np.round(values / 60 * 65535).astype(np.uint16)
    Image.fromarray(pixels.T[::-1].copy()).save(tmp_path / "map.png")
    base = {"type": "file", "file": str(tmp_path / "map.png"), "height": 60.0}
    spec = endless(size=[630, 470], base=base)
    assert ground_height(spec, -315 + 10 * 7, -235 + 10 * 5) == pytest.approx(
        values[7, 5], abs=1e-3
    )


def test_bad_maps_are_refused_in_one_sentence(tmp_path):
    values = hills(64, 48)
    values[3, 4] = np.nan
    np.save(tmp_path / "holes.npy", values)
    with pytest.raises(FormatError, match=r"holes\.npy: 1 heights in rows 0 to 63 are not finite"):
        build_world(endless(base={"type": "file", "file": str(tmp_path / "holes.npy")}))
    assert not list((tmp_path / "cache" / "grounds").iterdir())  # nothing half made is left
    with pytest.raises(ConfigError, match="there is no file"):
        build_world(endless(base={"type": "file", "file": "gone.npy"}))
    with pytest.raises(ConfigError, match="there is no file"):
        build_world(endless(base={"type": "file", "file": "9" * 300}))
    with pytest.raises(ConfigError, match="heights are more than"):
        build_world(endless(cell=0.01))
    for name in ("bad.npy", "bad.png"):
        (tmp_path / name).write_text("no heights")
        base = {"type": "file", "file": str(tmp_path / name), "height": 3.0}
        with pytest.raises(FormatError, match=f"{name}: cannot be read as heights"):
            build_world(endless(base=base))


def test_bullet_says_that_it_has_no_such_ground():
    pytest.importorskip("pybullet")
    world = build_world(endless(base={"type": "level"}, size=[500, 500]))
    with pytest.raises(PhysicsError, match="use 'mujoco'"):
        Simulation(world, [], engine="bullet")
