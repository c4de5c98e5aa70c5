"""Lands from recipes: what layers do, that seeds hold, and what is refused."""

import json
import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from outrider.core.errors import OutriderError
from outrider.core.structure import from_data
from outrider.loader.library import load_world_spec
from outrider.loader.terrain_recipe import land_of
from outrider.loader.world import build_world, ground_height
from outrider.specs.world import WorldSpec
from outrider.terrain.craters import profile
from outrider.terrain.grid import Grid, triangle_slopes
from outrider.terrain.layers import height_at
from outrider.terrain.noise import fractal, gradient_noise
from outrider.terrain.recipe import TerrainGround
from outrider.terrain.sizes import law_sizes
from outrider.world.tessellate import tessellate


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    land_of.cache_clear()


def world(**ground):
    return from_data(WorldSpec, {"ground": {"type": "terrain", "pixels": 0, **ground}})


def land(**ground):
    return land_of(world(**ground).ground)


HILLS = {"type": "noise", "height": 5.0, "wavelength": 20.0}


def test_noise_is_the_same_everywhere_and_for_ever():
    x, y = np.array([0.25, 1.5, -7.75]), np.array([0.5, 3.125])
    found = gradient_noise(x, y, 3, "hills")
    again = gradient_noise(x[1:2], y[1:], 3, "hills")
    assert again[0, 0] == found[1, 1]
    assert found.astype("<f8").tobytes().hex()[:32] == NOISE


NOISE = "00000000207ed9bf000080f2442ddebf"


def test_noise_does_not_depend_on_where_a_grid_begins():
    x = np.linspace(-40, 40, 161)
    whole = fractal(x, x, 5, "a", wavelength=13.0, octaves=6, gain=0.5)
    part = fractal(x[50:90], x[7:], 5, "a", wavelength=13.0, octaves=6, gain=0.5)
    assert (part == whole[50:90, 7:]).all()


def test_hills_span_their_height_and_no_two_seeds_are_alike():
    first, second = land(base=HILLS, seed=1), land(base=HILLS, seed=2)
    assert np.ptp(first.heights) == pytest.approx(5.0)
    assert np.abs(first.heights - second.heights).max() > 1.0


def test_a_crater_is_a_fifth_as_deep_as_wide_with_a_rim_of_a_twenty_fifth():
    made = land(size=[60, 60], cell=0.25, layers=[{"type": "crater", "diameter": 20.0}])
    assert made.heights.min() == pytest.approx(-0.16 * 20, abs=0.01)
    crest = made.heights.max()
    assert 0.75 * 0.04 * 20 < crest < 0.04 * 20
    assert crest - made.heights.min() == pytest.approx(0.2 * 20, rel=0.05)
    where = np.unravel_index(made.heights.argmax(), made.heights.shape)
    assert math.hypot(made.grid.x[where[0]], made.grid.y[where[1]]) == pytest.approx(10, abs=0.6)


def test_the_blanket_of_a_crater_ends_at_two_and_a_half_radii():
    r = np.array([2.49, 2.5, 2.6])
    assert profile(r, 0.2, 0.04)[0] > 0
    assert (profile(r, 0.2, 0.04)[1:] == 0).all()


def test_sizes_follow_their_law():
    sizes = law_sizes(np.random.default_rng(0), 200_000, 1.0, 100.0, 2.0)
    more_than_two, more_than_ten = (sizes > 2).mean(), (sizes > 10).mean()
    assert more_than_two == pytest.approx((2**-2 - 1e-4) / (1 - 1e-4), rel=0.02)
    assert more_than_ten == pytest.approx((10**-2 - 1e-4) / (1 - 1e-4), rel=0.1)


def test_the_steepest_triangle_has_the_slope_asked_for():
    made = land(base=HILLS, layers=[{"type": "steepest", "slope_deg": 25}])
    steepest = float(triangle_slopes(made.grid, made.heights).max())
    assert math.degrees(math.atan(steepest)) == pytest.approx(25.0, abs=1e-9)


def test_slopes_of_triangles_are_those_of_their_normals():
    grid = Grid.of((4.0, 6.0), 1.0)
    heights = np.random.default_rng(2).random(grid.shape)
    from outrider.world.shapes import HeightField

    mesh = tessellate(HeightField(heights, (4.0, 6.0)))
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    slope = np.hypot(normal[:, 0], normal[:, 1]) / normal[:, 2]
    assert sorted(slope) == pytest.approx(sorted(triangle_slopes(grid, heights).ravel()))


def test_a_flattened_place_is_level_and_its_surroundings_keep_on():
    bare = land(base=HILLS)
    made = land(base=HILLS, layers=[{"type": "flatten", "x": 5, "size": [8, 8], "blend": 3}])
    x, y = np.meshgrid(made.grid.x, made.grid.y, indexing="ij")
    near, far = np.hypot(x - 5, y) <= 4, np.hypot(x - 5, y) > 8
    assert np.ptp(made.heights[near]) < 1e-12
    assert (made.heights[far] == bare.heights[far]).all()


PATH = {"points": [[-45, -20], [0, 0], [45, 10]], "width": 4.0, "material": "gravel", "blend": 2}


def test_a_path_is_level_across_and_the_same_for_every_seed():
    first, second = (land(base=HILLS, paths=[PATH], seed=seed) for seed in (1, 2))
    number = first.materials.index("gravel")
    assert ((first.cells == number) == (second.cells == number)).all()
    share = (first.cells == number).sum() * 0.25 / (4.0 * 95)
    assert share == pytest.approx(1.0, abs=0.1)
    for x, y, across in ((-30, -13.3, (-0.4, 0.91)), (30, 6.7, (-0.22, 0.98))):
        left = height_at(first.grid, first.heights, x + across[0], y + across[1])
        right = height_at(first.grid, first.heights, x - across[0], y - across[1])
        assert abs(left - right) < 0.06


def test_materials_follow_slope_height_and_patches():
    rules = [
        {"material": "rock", "slope_deg": [20, 90]},
        {"material": "sand", "height": [-10, -1]},
    ]
    made = land(base=HILLS, surfaces=rules)
    slope = np.degrees(np.arctan(triangle_slopes(made.grid, made.heights).max(axis=0)))
    h = made.heights
    level = (h[:-1, :-1] + h[1:, :-1] + h[:-1, 1:] + h[1:, 1:]) / 4
    names = np.array(made.materials)[made.cells]
    assert (names[level <= -1] == "sand").all()
    assert (names[(slope >= 20) & (level > -1)] == "rock").all()
    assert (names[(slope < 20) & (level > -1)] == "grass").all()
    patched = land(size=[400, 400], cell=2, surfaces=[{"material": "soil", "patches": 0.3}])
    assert (patched.cells == 1).mean() == pytest.approx(0.3, abs=0.06)


def test_the_meshes_of_all_materials_are_the_height_field_cut_along_shared_borders():
    made = build_world(world(base=HILLS, surfaces=[{"material": "rock", "slope_deg": [15, 90]}]))
    link = made.models[0].links[0]
    assert sorted(g.name for g in link.visuals) == ["grass", "rock"]
    whole = tessellate(link.colliders[0].shape)
    assert sum(len(g.shape.faces) for g in link.visuals) == len(whole.faces)
    corners = np.concatenate([g.shape.vertices[g.shape.faces].reshape(-1, 9) for g in link.visuals])
    expected = whole.vertices[whole.faces].reshape(-1, 9)
    assert (np.unique(corners, axis=0) == np.unique(expected, axis=0)).all()


def rocks(seed=1, **scatter):
    spec = world(base=HILLS, paths=[PATH], seed=seed)
    item = {"what": "rock", "count": 200, "size": [0.2, 2.0], "law": 2.0, **scatter}
    return replace(spec, scatter=from_data(WorldSpec, {"scatter": [item]}).scatter)


def centres(spec):
    """Return the middles of the rocks, from the boxes that bodies meet."""
    link = build_world(spec).models[-1].links[0]
    return np.array([g.pose.position for g in link.colliders])


def test_the_same_seed_gives_the_same_rocks_and_another_others():
    first, again, other = (build_world(rocks(seed)).models[-1] for seed in (1, 1, 2))
    bytes_of = [m.links[0].visuals[0].shape.vertices.tobytes() for m in (first, again, other)]
    assert bytes_of[0] == bytes_of[1] != bytes_of[2]


def test_rocks_keep_off_the_path_and_the_start_and_lie_on_the_ground():
    spec = rocks(keep_clear=0.5, clear_start=3.0)
    places = centres(spec)
    assert len(places) > 100
    assert np.hypot(places[:, 0], places[:, 1]).min() > 3.0
    line = np.array([[x, np.interp(x, [-45, 0, 45], [-20, 0, 10])] for x in range(-45, 46)])
    apart = np.linalg.norm(places[:, None, :2] - line[None], axis=2).min(axis=1)
    assert apart.min() > 2.2
    for x, y, z in places[:30]:
        assert -1.2 < z - ground_height(spec, x, y) < 1.2


def test_rocks_stay_in_their_region():
    places = centres(rocks(count=50, region={"centre": [20, -20], "radius": 10}))
    assert np.hypot(places[:, 0] - 20, places[:, 1] + 20).max() <= 10.0


BAD = [
    ({"ground": {"seed": -1}}, "ground.seed: must be at least 0, got -1"),
    ({"ground": {"seed": 2**32}}, "ground.seed: must be at most 4294967295"),
    ({"ground": {"cell": 0}}, "ground.cell: must be above 0"),
    ({"ground": {"cell": 0.001}}, "heights are more than"),
    ({"ground": {"cell": 1e-310}}, "m is too small for"),
    ({"ground": {"size": [0, 10]}}, "ground.size"),
    ({"ground": {"layers": [{"type": "crator"}]}}, "did you mean 'crater'"),
    ({"ground": {"paths": [{"points": [[0, 0]]}]}}, "expected at least two points"),
    ({"ground": {"paths": [{"points": [[0, 0], [1e9, 0]]}]}}, "a path of 100000 m at most"),
    ({"ground": {"water": [{"size": [0, 5]}]}}, "ground.water.0.size: must be above 0"),
    ({"ground": {"base": {"type": "file", "file": "gone.png"}}}, "there is no file 'gone.png'"),
    ({"ground": {"base": {"type": "file", "file": "9" * 300}}}, "there is no file '999"),
    ({"scatter": [{"what": "rock", "density": -1}]}, "scatter.0.density: must be at least 0"),
    ({"scatter": [{"what": "rock", "density": 999}]}, "things are more than"),
    ({"scatter": [{"what": "rock"}]}, "either a 'count' or a 'density'"),
    ({"scatter": [{"what": "rok", "count": 1}]}, "there is no prop 'rok' (did you mean 'rock'?)"),
    ({"scatter": [{"what": "rock", "count": 5, "region": {"height": [90, 99]}}]}, "only 0 of 5"),
    ({"things": [{"what": "rock", "parameters": {"detale": 1}}]}, "did you mean 'detail'"),
    ({"things": [{"what": "rock", "pose": {"x": 900}}]}, "there is no ground at x = 900"),
]


@pytest.mark.parametrize(("change", "said"), BAD)
def test_what_cannot_be_is_refused_in_one_sentence(change, said):
    data = {"ground": {"type": "terrain", "pixels": 0}}
    data["ground"].update(change.pop("ground", {}))
    with pytest.raises(OutriderError) as refused:
        build_world(from_data(WorldSpec, {**data, **change}, "mine.yaml"))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def ascii_grid(file, cell):
    heights = np.random.default_rng(1).uniform(100, 103, (40, 40)).round(2)
    heights[5:9, 6:10] = -9999
    rows = "\n".join(" ".join(map(str, row)) for row in heights)
    head = f"ncols 40\nnrows 40\nxllcorner 8\nyllcorner 50\ncellsize {cell}\n"
    file.write_text(f"{head}NODATA_value -9999\n{rows}\n")


@pytest.mark.parametrize("kind", ["terrain", "endless", "heightmap"])
@pytest.mark.parametrize(("cell", "unit"), [(2.0, "metres"), (2e-5, "degrees")])
def test_holes_are_filled_and_a_missing_system_is_said(tmp_path, kind, cell, unit):
    ascii_grid(tmp_path / "holes.asc", cell)
    file = "holes.asc"
    ground = {"size": [50, 50], "pixels": 0, "base": {"type": "file", "file": file}}
    ground = {"file": file} if kind == "heightmap" else ground
    (tmp_path / "mine.yaml").write_text(json.dumps({"ground": {"type": kind, **ground}}))
    checked = run_outrider("check", str(tmp_path / "mine.yaml"))
    said = checked.stderr.splitlines()
    assert checked.returncode == 0
    assert any("16 samples without data (1.00%) were filled" in line for line in said)
    assert any(f"no coordinate system; its numbers were taken as {unit}" in line for line in said)
    heights = tessellate(
        build_world(load_world_spec(str(tmp_path / "mine.yaml")))
        .models[0]
        .links[0]
        .visuals[0]
        .shape
    ).vertices[:, 2]
    assert np.ptp(heights) < 3.01


def run_outrider(*arguments):
    command = [sys.executable, "-m", "outrider", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_recipe_is_its_own_key():
    assert hash(TerrainGround()) == hash(TerrainGround())
    assert land_of(TerrainGround(pixels=0)) is land_of(TerrainGround(pixels=0))


def test_pictures_that_cannot_be_kept_leave_plain_colours(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "file"))
    made = build_world(from_data(WorldSpec, {"ground": {"type": "flat", "material": "grass"}}))
    assert made.models[0].links[0].visuals[0].material.texture == ""
