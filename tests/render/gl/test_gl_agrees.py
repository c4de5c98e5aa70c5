"""The OpenGL renderer against the Embree one: the same picture, depth and labels."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from gl_scenes import Set, camera, hills, make, psnr, static, why_no_gl, yard
from scipy import ndimage

from outrider.render.embree.renderer import EmbreeRenderer
from outrider.render.film import Film
from outrider.render.gl.renderer import GlRenderer
from outrider.render.intrinsics import Intrinsics
from outrider.render.picture import Picture
from outrider.render.shot import Shot
from outrider.world.model import Light
from outrider.world.shapes import Box, Mesh, Plane, Sphere

pytestmark = pytest.mark.skipif(bool(why_no_gl()), reason=why_no_gl() or "there is OpenGL")
LENS = Intrinsics.from_fov(480, 360, 66.0)
BENT = Intrinsics.from_fov(480, 360, 66.0, (-0.25, 0.08, 0.001, -0.0005, 0.0))
ALL = frozenset(["colour", "depth", "labels"])
SHOT = Shot(camera(0, 0, 1.0, 8.0), LENS, film=Film(samples=1), wants=ALL)


class Pair:
    """Both renderers of one scene."""

    def __init__(self, place: Set) -> None:
        self.bodies = place.bodies
        self.renderers = GlRenderer(place.scene), EmbreeRenderer(place.scene)

    def take(self, shot: Shot) -> tuple[Picture, Picture]:
        """Take the same picture with each: OpenGL first."""
        first, second = (r.begin([shot], self.bodies).pictures()[0] for r in self.renderers)
        return first, second

    def close(self) -> None:
        """Let go of them."""
        for renderer in self.renderers:
            renderer.close()


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Return both renderers in the yard."""
    both = Pair(yard(tmp_path_factory.mktemp("yard")))
    yield both
    both.close()


def alike(a: Picture, b: Picture) -> float:
    """Return how alike the colours are, in dB."""
    assert a.colour is not None
    assert b.colour is not None
    return psnr(a.colour, b.colour)


def off(gl: Picture, embree: Picture) -> float:
    """Return the share of pixels off by more than 2 mm and more than a pixel."""
    assert gl.depth is not None
    assert embree.depth is not None
    ours, theirs = (np.minimum(p.depth, 1e6).astype(np.float64) for p in (gl, embree))
    low, high = ndimage.minimum_filter(theirs, 3), ndimage.maximum_filter(theirs, 3)
    wrong = (np.abs(ours - theirs) > 2e-3) & ((ours < low - 1e-4) | (ours > high + 1e-4))
    return float(wrong.mean())


def test_colour_depth_and_labels_are_the_same(pair: Pair) -> None:
    gl, embree = pair.take(SHOT)
    assert alike(gl, embree) > 30
    assert off(gl, embree) < 1e-3
    assert (gl.labels == embree.labels).mean() > 0.998
    assert gl.names == embree.names


@pytest.mark.parametrize("lens", [LENS, BENT])
def test_a_bent_lens_with_smooth_edges_gives_the_same(pair: Pair, lens: Intrinsics) -> None:
    gl, embree = pair.take(replace(SHOT, intrinsics=lens, film=Film(samples=4)))
    assert alike(gl, embree) > 30
    assert off(gl, embree) < 2e-3


@pytest.mark.parametrize(
    "film",
    [
        Film(samples=1, noise=0.05, frame=7, seed=3),
        Film(samples=1, grain=0.2, grain_size=3, noise=0.01),
        Film(samples=1, vignetting=0.7, exposure=1.3, balance=(1.1, 0.9, 0.7)),
        Film(samples=1, chromatic=0.01),
        Film(samples=1, aperture_m=0.02, focus_m=3.0),
    ],
)
def test_the_film_does_the_same(pair: Pair, film: Film) -> None:
    gl, embree = pair.take(replace(SHOT, film=film))
    assert alike(gl, embree) > 30


def test_a_rolling_shutter_bends_the_same(pair: Pair) -> None:
    poses = tuple(camera(0, 0, 1.0, 8.0, yaw) for yaw in np.linspace(-2, 2, 5))
    gl, embree = pair.take(replace(SHOT, T_world_optical=poses[2], row_poses=poses))
    still, _ = pair.take(SHOT)
    assert alike(gl, embree) > 26  # bands of eight rows: up to a third of a pixel
    assert alike(gl, embree) > alike(still, embree) + 6


def test_behind_a_bent_lens_a_rolling_shutter_reads_the_rows_of_the_bent_image() -> None:
    """Bands of the straight image had the time of their own rows: posts were up to 11 px off."""
    posts = [static(Box((0.1, 0.1, 30.0)), (4.0, y, 0.0)) for y in (-3.0, -1.5, 0.0, 1.5, 3.0)]
    both = Pair(make(posts, lights=(Light("sun", direction=(0.0, 0.0, -1.0)),)))
    lens = Intrinsics.from_fov(640, 480, 90.0, (-0.25, 0.05, 0.0, 0.0, 0.0))
    turn = tuple(camera(0, 0, 0, 0.0, yaw) for yaw in np.linspace(0, 12, 9))
    taken = both.take(replace(SHOT, T_world_optical=turn[4], intrinsics=lens, row_poses=turn))
    both.close()
    for number in (1, 5):  # the outermost posts
        gl, embree = (_middles(picture, number) for picture in taken)
        seen = np.isfinite(gl) & np.isfinite(embree)
        assert seen.sum() > 200
        assert np.abs(gl - embree)[seen].max() < 6.0


def _middles(picture: Picture, number: int) -> np.ndarray:
    """Return in which column a thing is in each row."""
    assert picture.labels is not None
    assert picture.names[number].startswith("thing")
    columns = [np.nonzero(row == number)[0] for row in picture.labels]
    return np.array([c.mean() if len(c) else np.nan for c in columns])


def test_a_hidden_robot_still_throws_its_shadow(pair: Pair) -> None:
    seen, _ = pair.take(SHOT)
    model = 4  # after four things that stand
    gl, embree = pair.take(replace(SHOT, hide_model=pair.renderers[0].mover_models[0]))
    assert model >= 0
    assert alike(gl, embree) > 30
    assert alike(gl, seen) < 40


def test_shadows_lie_in_the_same_place_near_and_far() -> None:
    things = [static(Plane(400.0), (0, 0, 0), colour=(1, 1, 1, 1))]
    things += [static(Box((0.5, 0.5, 3)), (x, y, 1.5)) for x, y in ((3, 1), (12, -3), (40, 8))]
    both = Pair(make(things, lights=(Light("low", direction=(0.6, 0.5, -0.25)),)))
    gl, embree = both.take(replace(SHOT, T_world_optical=camera(-1, 0, 1.5, 5.0)))
    both.close()
    assert gl.colour is not None
    assert embree.colour is not None
    dark = [p.colour[..., 1] < 200 for p in (gl, embree)]  # type: ignore[index]
    assert dark[1].mean() > 0.02
    assert (dark[0] != dark[1]).mean() < 0.004
    # only along edges: nowhere are two neighbours in a row wrong in all directions
    assert not ndimage.binary_erosion(dark[0] != dark[1], np.ones((4, 4))).any()


def test_far_leaves_change_no_more_while_driving_than_in_opengl(pair: Pair) -> None:
    drive = [replace(SHOT, T_world_optical=camera(-20 + 0.05 * i, -2, 1.0)) for i in range(5)]
    taken = [pair.take(shot) for shot in drive]
    first = taken[0][1]
    leafy = next(n for n, name in first.names.items() if name == "thing_3")
    where = ndimage.binary_dilation(first.labels == leafy, iterations=2)
    gl, embree = (
        np.abs(np.diff([p[k].colour.astype(float)[where] for p in taken], axis=0)).mean()  # type: ignore[union-attr]
        for k in (0, 1)
    )
    assert gl > 1  # there is something that changes
    assert embree < 1.1 * gl


def test_several_lights_haze_and_a_lamp_agree() -> None:
    lights = (
        Light("sun", direction=(-0.5, 0.3, -0.8), intensity=0.7),
        Light("second", direction=(0.6, 0.4, -0.7), colour=(1, 0.6, 0.4), intensity=0.5),
        Light("lamp", "point", position=(4, 0, 1.5), intensity=2.0, range=12.0),
        Light("spot", "spot", position=(6, 2, 4), direction=(0, 0, -1), intensity=4.0),
    )
    things = [
        static(Plane(300.0), (0, 0, 0), colour=(0.7, 0.7, 0.6, 1)),
        static(Sphere(0.8), (5, -1, 0.8), colour=(0.9, 0.4, 0.3, 1)),
        static(Box((1, 1, 1)), (6, 1.5, 0.5)),
    ]
    both = Pair(make(things, lights=lights, visibility=60.0))
    gl, embree = both.take(SHOT)
    both.close()
    assert alike(gl, embree) > 35


def test_coarser_versions_keep_depth_within_a_pixel() -> None:
    both = Pair(make([static(hills(300), (0, 0, 0), colour=(0.5, 0.6, 0.3, 1))]))
    found = [both.take(replace(SHOT, T_world_optical=camera(-15, 0, 1.5, 5.0, y))) for y in (0, 40)]
    both.close()
    for gl, embree in found:
        assert off(gl, embree) < 1e-3
        assert alike(gl, embree) > 30


def test_a_small_thing_by_itself_has_no_specks_of_shadow() -> None:
    """Texels of a shadow map were finer than what the version of a mesh in the picture is off."""
    turns, heights = np.linspace(0, 2 * np.pi, 129)[:-1], np.linspace(-1, 1, 66)[1:-1]
    across = 0.25 * np.sqrt(1 - heights**2)[:, None]
    rings = [across * np.cos(turns), across * np.sin(turns), 0.25 * heights[:, None] + 0 * turns]
    corner = np.arange(64 * 128).reshape(64, 128)
    a, b = corner[:-1], np.roll(corner, -1, axis=1)[:-1]
    c, d = corner[1:], np.roll(corner, -1, axis=1)[1:]
    faces = np.concatenate([np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, b, d), (a, d, c))])
    ball = Mesh(np.stack(rings, axis=-1).reshape(-1, 3), faces.astype(np.int32))
    sun = Light("sun", direction=(-0.5, 0.1, -0.9))
    both = Pair(make([static(ball, (1.5, 0.0, 0.25))], lights=(sun,)))
    gl, embree = both.take(replace(SHOT, T_world_optical=camera(0, 0, 1.2, 33.0)))
    both.close()
    apart = np.abs(gl.colour.astype(int) - embree.colour.astype(int)).max(axis=2)
    inside = ndimage.binary_erosion(np.isfinite(embree.depth) & (embree.depth < 10), iterations=2)
    assert inside.sum() > 3000
    assert (apart[inside] > 20).mean() < 2e-3


def wrongly_dark(gl: Picture, embree: Picture) -> float:
    """Return the share of pixels, not beside an edge, that are in shadow in the first only."""
    assert gl.colour is not None
    assert embree.colour is not None
    darker = (embree.colour.astype(int) - gl.colour).max(axis=2) > 30
    return float(ndimage.binary_opening(darker, np.ones((2, 2))).mean())


@pytest.mark.parametrize("width", [160, 320])
def test_far_away_coarser_versions_throw_no_shadow_on_themselves(width: int) -> None:
    """A pixel was wider than what the shadow map of a small world forgives: specks in `hratc`."""
    bumps = ndimage.gaussian_filter(np.random.default_rng(1).normal(size=(65, 65)), 1).ravel()
    meadow = hills(64)
    points = 0.75 * meadow.vertices  # 30 m: one map for all of it
    points[:, 2] += 0.05 / bumps.std() * bumps
    ground = static(replace(meadow, vertices=points), (0, 0, 0), colour=(0.5, 0.6, 0.3, 1))
    both = Pair(make([ground], lights=(Light("sun", direction=(-0.5, 0.1, -0.9)),)))
    lens = Intrinsics.from_fov(width, width * 3 // 4, 70.0)
    pose = camera(-22, -16, 10, 22.0, 35.0)
    gl, embree = both.take(replace(SHOT, T_world_optical=pose, intrinsics=lens))
    both.close()
    assert wrongly_dark(gl, embree) == 0.0


def test_shadows_are_seen_two_kilometres_away() -> None:
    """Behind 1.2 km there were none: the crater of the lunar world was half lit, half speckled."""
    things = [static(Plane(6000.0), (0, 0, 0), colour=(1, 1, 1, 1))]
    things += [static(Box((100, 100, 300)), (x, y, 0)) for x, y in ((800, 300), (2200, -300))]
    both = Pair(make(things, lights=(Light("low", direction=(0.2, 0.9, -0.4)),)))
    gl, embree = both.take(replace(SHOT, T_world_optical=camera(0, 0, 500, 14.0), far=1e5))
    both.close()
    assert wrongly_dark(embree, gl) == 0.0
