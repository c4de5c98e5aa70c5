"""Transparent things are laid over what is behind them, the same by every renderer."""

import numpy as np
import pytest
from render_rig import (
    ALL,
    EVERY,
    NOON,
    VGA,
    Studio,
    camera,
    floor,
    save_image,
    scene_of,
    static,
    wall,
)

from outrider.render.film import PLAIN, Film
from outrider.render.light import linear_of
from outrider.render.shot import Shot
from outrider.world.shapes import Box, Mesh, Sphere

WHITE, BLACK, RED = (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
DAY = {"lights": (), "ambient": (1.0, 1.0, 1.0)}  # a wall gets three quarters of the sky's light
WALL_LIGHT = 0.75
MIDDLE = np.s_[230:250, 310:330]


def sheet(x, opacity, colour=WHITE, name="sheet", **material):
    """A square across the view, of one layer of triangles."""
    corners = np.array([[0, -1, -1], [0, 1, -1], [0, 1, 1], [0, -1, 1]], np.float64)
    shape = Mesh(corners, np.array([[0, 1, 2], [0, 2, 3]], np.int32))
    return static(name, shape, x=x, colour=(*colour, opacity), **material)


def middle_of(studio, *models, film=PLAIN, **world):
    """Linear light in the middle of a picture along x."""
    shot = Shot(camera(), VGA, film=film)
    colour = studio.one(scene_of(*models, **(DAY | world)), shot).colour[MIDDLE]
    assert np.ptp(colour.reshape(-1, 3).astype(int), axis=0).max() <= 1
    return linear_of(colour.reshape(-1, 3).mean(axis=0) / 255.0)


def white_wall():
    return wall(5.0, colour=(*WHITE, 1.0))


@pytest.mark.parametrize("samples", [1, 4])
@pytest.mark.parametrize("opacity", [0.3, 0.56, 0.9])
def test_a_black_pane_takes_its_share_of_the_light_behind(studio, opacity, samples):
    seen = middle_of(studio, white_wall(), sheet(2.0, opacity, BLACK), film=Film(samples=samples))
    assert seen == pytest.approx([WALL_LIGHT * (1 - opacity)] * 3, abs=0.006)


def test_a_closed_pane_is_as_opaque_as_it_says_not_twice(studio):
    pane = static("pane", Box((0.02, 2.0, 2.0)), x=2.0, colour=(*BLACK, 0.3))
    assert middle_of(studio, white_wall(), pane) == pytest.approx([WALL_LIGHT * 0.7] * 3, abs=0.006)


def test_the_nearer_of_two_panes_is_laid_over_the_farther_one(studio):
    panes = [sheet(2.0, 0.5, RED, "near"), sheet(3.0, 0.5, BLACK, "far")]
    expected = WALL_LIGHT * np.array([0.5 + 0.25, 0.25, 0.25])
    for order in (panes, panes[::-1]):
        assert middle_of(studio, white_wall(), *order) == pytest.approx(expected, abs=0.006)


def test_a_dozen_panes_in_a_row_are_all_looked_through(studio):
    panes = [
        static(f"pane_{k}", Box((0.02, 2.0, 2.0)), x=2.0 + 0.1 * k, colour=(*BLACK, 0.1))
        for k in range(12)
    ]
    assert middle_of(studio, white_wall(), *panes) == pytest.approx(
        [WALL_LIGHT * 0.9**12] * 3, abs=0.006
    )


@pytest.mark.parametrize("offset", [300.0, 5000.0])
def test_a_pane_far_from_the_origin_is_as_opaque(studio, offset):
    """Coordinates have 24 bits: at 3 km Embree's rays met the same face again."""
    pane = static("pane", Box((0.02, 2.0, 2.0)), x=offset + 2.0, colour=(*BLACK, 0.3))
    scene = scene_of(wall(offset + 5.0, colour=(*WHITE, 1.0)), pane, **DAY)
    colour = studio.one(scene, Shot(camera(x=offset), VGA)).colour[MIDDLE]
    seen = linear_of(colour.reshape(-1, 3).mean(axis=0) / 255.0)
    assert seen == pytest.approx([WALL_LIGHT * 0.7] * 3, abs=0.006)


@pytest.mark.parametrize("thickness", [0.0, 0.3])
def test_what_lies_on_a_floor_is_seen_on_all_of_it(studio, thickness):
    """The floor showed through in patches and speckles: both were equally far away."""
    middle, size = np.array([10.0, 0.0, thickness / 2]), np.array([18.0, 30.0, thickness])
    if thickness:
        lying = static("lying", Box(tuple(size)), *middle, colour=(*BLACK, 0.6))
    else:
        corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * size / 2 + middle
        shape = Mesh(corners, np.array([[0, 1, 2], [0, 2, 3]], np.int32))
        lying = static("lying", shape, colour=(*BLACK, 0.6))
    scene = scene_of(floor(colour=(*WHITE, 1.0)), lying, **DAY)
    picture = studio.one(scene, Shot(camera(z=2.0, pitch_deg=25.0), VGA, wants=ALL))
    seen = linear_of(picture.colour[230:, 200:440].astype(float) / 255.0)
    assert seen == pytest.approx(np.full_like(seen, 0.4), abs=0.006)
    assert {picture.names[n] for n in np.unique(picture.labels[230:, 200:440])} == {"lying"}


def test_what_is_before_a_pane_hides_it(studio):
    block = static("block", Box((0.1, 3.0, 3.0)), x=1.0, colour=(*WHITE, 1.0))
    seen = middle_of(studio, white_wall(), sheet(2.0, 0.5, BLACK), block)
    assert seen == pytest.approx([WALL_LIGHT] * 3, abs=0.006)


def test_the_sky_is_seen_through_a_pane(studio):
    seen = middle_of(studio, sheet(2.0, 0.4, BLACK), sky=WHITE, horizon=WHITE)
    assert seen == pytest.approx([0.6] * 3, abs=0.006)


def test_a_pane_in_haze_hides_no_haze_before_it(studio):
    """A share of the wall's light that haze lets through, and haze, is what a pane covers."""
    seen = middle_of(studio, white_wall(), sheet(4.0, 0.3, BLACK), visibility=30.0, horizon=WHITE)
    behind = WALL_LIGHT * np.exp(-0.5) + (1 - np.exp(-0.5))
    pane = 1 - np.exp(-0.4)
    assert seen == pytest.approx([0.3 * pane + 0.7 * behind] * 3, abs=0.006)


def test_a_texture_that_is_half_there_is_blended_not_cut(studio, tmp_path):
    pixels = np.zeros((8, 8, 4), np.uint8)
    pixels[..., 3] = 77  # 0.3: below where leaves are cut
    texture = save_image(tmp_path / "veil.png", pixels)
    pane = static("pane", Box((0.02, 2.0, 2.0)), x=2.0, colour=(1, 1, 1, 1), texture=texture)
    once = 1 - 77 / 255
    seen = middle_of(studio, white_wall(), pane)
    assert seen == pytest.approx([WALL_LIGHT * once**2] * 3, abs=0.006)


def test_depth_and_labels_show_what_covers_more_than_half(studio):
    for opacity, depth, name in ((0.3, 5.0, "wall"), (0.7, 2.0, "sheet")):
        scene = scene_of(white_wall(), sheet(2.0, opacity), **DAY)
        picture = studio.one(scene, Shot(camera(), VGA, wants=ALL))
        assert picture.depth[MIDDLE] == pytest.approx(depth, abs=1e-3)
        assert {picture.names[n] for n in np.unique(picture.labels[MIDDLE]).tolist()} == {name}


def test_sunlight_passes_a_pane(studio):
    """The floor under a sheet of water is as bright as beside it."""
    roof = static("roof", Box((4.0, 4.0, 0.01)), x=3.0, z=2.0, colour=(*WHITE, 0.56))
    scene = scene_of(floor(colour=(*WHITE, 1.0)), roof, lights=NOON, ambient=(0, 0, 0))
    shot = Shot(camera(z=1.0, pitch_deg=30.0), VGA)
    assert studio.one(scene, shot).colour[400, 320].min() > 250


def test_water_shows_the_ground_below(studio):
    striped = [
        static(f"stripe_{k}", Box((0.5, 20.0, 0.02)), x=2.0 + k, colour=(*WHITE, 1.0))
        for k in range(6)
    ]
    water = static("water", Box((20.0, 20.0, 0.02)), z=0.2, colour=(0.1, 0.3, 0.3, 0.56))
    scene = scene_of(floor(colour=(*BLACK, 1.0)), *striped, water, **DAY)
    column = studio.one(scene, Shot(camera(z=2.0, pitch_deg=30.0), VGA)).colour[200:, 320, 0]
    assert np.ptp(column.astype(int)) > 80


def test_both_renderers_show_the_same_through_glass_that_crosses():
    panes = [
        static("a", Box((0.02, 2.0, 2.0)), x=3.0, rpy_deg=(0, 0, 30), colour=(0.2, 0.4, 0.9, 0.4)),
        static("b", Box((0.02, 2.0, 2.0)), x=3.5, rpy_deg=(0, 0, -30), colour=(0.9, 0.4, 0.2, 0.6)),
        static("c", Sphere(0.5), x=2.2, y=0.6, colour=(0.2, 0.9, 0.2, 0.3)),
    ]
    scene = scene_of(floor(), white_wall(), *panes)
    shot = Shot(camera(z=0.6), VGA, film=Film(samples=4), wants=ALL)
    pictures = []
    for name in EVERY:
        studio = Studio(name)
        pictures.append(studio.one(scene, shot))
        studio.close()
    gl, embree = pictures
    apart = np.abs(gl.colour.astype(int) - embree.colour.astype(int)).max(axis=2)
    assert (apart > 6).mean() < 0.005
    assert (gl.labels == embree.labels).mean() > 0.99
