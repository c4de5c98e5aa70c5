"""Pictures of the OpenGL renderer, many under way at once: each is as if it were the only one."""

import threading
import time
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from gl_scenes import Set, camera, make, psnr, static, why_no_gl

from outrider.core.errors import RenderError
from outrider.render.embree.renderer import EmbreeRenderer
from outrider.render.film import Film
from outrider.render.gl import painter as gl_painter
from outrider.render.gl.renderer import GlRenderer
from outrider.render.intrinsics import Intrinsics
from outrider.render.shot import Shot
from outrider.render.texture.anisotropic import directed
from outrider.world.model import Light
from outrider.world.shapes import Box, Plane

needs_gl = pytest.mark.skipif(bool(why_no_gl()), reason=why_no_gl() or "there is OpenGL")
LENS = Intrinsics.from_fov(200, 150, 66.0)
ODD = Intrinsics.from_fov(101, 67, 66.0)
BENT = replace(LENS, distortion=(-0.1, 0.01, 0.0, 0.0, 0.0))
NOISY = Film(samples=1, noise=0.02, grain=0.02, grain_size=3, vignetting=0.3)
SHOT = Shot(camera(0, 0, 1.0, 8.0), LENS, film=NOISY)
RIGHT = replace(SHOT, T_world_optical=camera(0, -0.12, 1.0, 8.0), seat=1)
ROLLED = tuple(camera(0.005 * i, 0, 1.0, 8.0) for i in range(3))
ALL = frozenset(["colour", "depth", "labels"])
ORDERS = [
    [SHOT],
    [SHOT, RIGHT],
    [replace(SHOT, intrinsics=ODD, wants=ALL)],
    [RIGHT],
    [SHOT, replace(RIGHT, film=Film(samples=4))],
    [replace(SHOT, intrinsics=BENT, wants=ALL), RIGHT],
    [replace(SHOT, film=Film(samples=1, chromatic=0.004, aperture_m=0.01))],
    [replace(SHOT, row_poses=ROLLED)],
    [replace(SHOT, row_poses=ROLLED, film=Film(samples=4))],
    [replace(SHOT, intrinsics=ODD), RIGHT],
    [],
    [SHOT, replace(SHOT, T_world_optical=camera(1, 0, 1.0))],
]


def images(renderer: GlRenderer, place: Set, shots: list[Shot]) -> list[list[np.ndarray]]:
    """Return all that was seen in some shots."""
    return [_parts(p) for p in renderer.begin(shots, place.bodies).pictures()]


def _parts(picture: object) -> list[np.ndarray]:
    seen = (getattr(picture, name) for name in ("colour", "depth", "labels"))
    return [image for image in seen if image is not None]


def same(a: list[list[np.ndarray]], b: list[list[np.ndarray]]) -> bool:
    """Say whether two orders gave the same bits."""
    pairs = zip(chain(*a), chain(*b), strict=True)
    return all(np.array_equal(one, other) for one, other in pairs)


@needs_gl
def test_orders_under_way_together_give_what_each_gives_alone(
    renderer: GlRenderer, place: Set
) -> None:
    alone = [images(renderer, place, shots) for shots in ORDERS]
    tickets = [renderer.begin(shots, place.bodies) for shots in ORDERS * 3]
    together = [[_parts(p) for p in ticket.pictures()] for ticket in tickets]
    for number, found in enumerate(together):
        assert same(found, alone[number % len(ORDERS)]), number


@needs_gl
def test_an_eye_sees_the_same_with_and_without_the_other(renderer: GlRenderer, place: Set) -> None:
    left, right = images(renderer, place, [SHOT, RIGHT])
    assert same([left], images(renderer, place, [SHOT]))
    assert same([right], images(renderer, place, [RIGHT]))
    assert (left[0] != right[0]).mean() > 0.3


@needs_gl
def test_noise_and_dark_corners_do_not_depend_on_the_seat(renderer: GlRenderer, place: Set) -> None:
    first, second = images(renderer, place, [SHOT, replace(SHOT, seat=1)])
    off = np.abs(first[0].astype(int) - second[0])
    assert np.mean(off > 0) < 0.03  # places are rounded otherwise
    assert np.median(off) == 0


@needs_gl
@pytest.mark.parametrize("stage", ["atlas_cells", "copied"])
def test_a_picture_that_fails_does_not_hold_up_the_next(
    renderer: GlRenderer, place: Set, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = images(renderer, place, [SHOT])
    with monkeypatch.context() as patch:
        patch.setattr(gl_painter, stage, _refused)
        tickets = [renderer.begin([SHOT], place.bodies) for _ in range(3)]
        for ticket in tickets:
            with pytest.raises(RenderError, match="memory ran out"):
                ticket.pictures()
    assert same(images(renderer, place, [SHOT]), before)


def _refused(*_: object) -> None:
    raise RenderError("memory ran out")


@needs_gl
def test_a_rolling_shutter_with_smooth_edges_is_as_by_the_other_renderer(
    renderer: GlRenderer, place: Set
) -> None:
    shot = replace(SHOT, row_poses=ROLLED, film=Film(samples=4))
    (drawn,), (cast,) = (
        images(r, place, [shot])[0] for r in (renderer, EmbreeRenderer(place.scene))
    )
    assert psnr(drawn, cast) > 28


@needs_gl
@pytest.mark.parametrize("apart", [0.12, 2.0, 20.0])
def test_shadows_are_right_for_eyes_far_apart(apart: float) -> None:
    things = [static(Plane(200.0), (0, 0, 0))]
    things += [static(Box((0.3, 0.3, 2)), (6, y, 1)) for y in range(-30, 31, 3)]
    scene = make(things, static(Box((0.5, 0.5, 0.5)), (5, 1, 0.5)))
    eyes = [camera(0, 0, 1.5, 10.0), camera(0, -apart, 1.5, 10.0)]
    shots = [Shot(eye, LENS, film=Film(samples=1), seat=n) for n, eye in enumerate(eyes)]
    pair, alone = GlRenderer(scene.scene), [GlRenderer(scene.scene) for _ in eyes]
    found = images(pair, scene, shots)
    for image, shot, fresh in zip(found, shots, alone, strict=True):
        truth = images(fresh, scene, [shot])[0][0].astype(int)
        assert (np.abs(image[0] - truth).max(axis=2) > 8).mean() < 5e-4
        fresh.close()
    pair.close()


@needs_gl
def test_a_body_that_stands_keeps_its_shadow_while_the_camera_moves() -> None:
    noon = Light("sun", direction=(0.0, 0.0, -1.0))
    body = static(Box((0.6, 0.5, 0.4)), (5.2, 0, 0.8))
    scene = make([static(Plane(200.0), (0, 0, 0))], body, lights=(noon,))
    mover = GlRenderer(scene.scene)
    for x in (0.7, -1.0, -3.0, 2.0):
        shot = Shot(camera(x, 0, 1.0, 8.0), LENS, film=Film(samples=1))
        fresh = GlRenderer(scene.scene)
        found, truth = (images(r, scene, [shot])[0][0].astype(int) for r in (mover, fresh))
        fresh.close()
        assert (np.abs(found - truth).max(axis=2) > 8).mean() < 5e-4
    mover.close()


@needs_gl
def test_a_renderer_that_cannot_be_made_leaves_nothing_behind() -> None:
    lights = tuple(Light(f"sun_{i}", direction=(0.1 * i, 0.0, -1.0)) for i in range(9))
    scene = make([static(Plane(10.0), (0, 0, 0))], lights=lights)
    before = threading.active_count()
    for _ in range(3):
        with pytest.raises(RenderError, match="lights"):
            GlRenderer(scene.scene)
    deadline = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before


def high_above(x: float) -> Set:
    """Return a plain with a body high above it, out of sight; the sun stands behind the camera."""
    sun = Light("sun", direction=(1.0, 0.0, -1.0))
    body = static(Box((1.0, 1.0, 0.2)), (0, 0, 0), colour=(0.2, 0.2, 0.2, 1))
    found = make([static(Plane(100.0), (0, 0, 0))], body, lights=(sun,))
    found.bodies["position"] = (x, 0.0, 6.0)
    return found


@needs_gl
def test_the_shadow_of_a_body_out_of_sight_is_seen() -> None:
    """Six metres up and behind the camera; its shadow falls in front of it."""
    shot = Shot(camera(0, 0, 1.5, 20.0), LENS, film=Film(samples=1))
    scene = high_above(-2.0)
    gl, exact = GlRenderer(scene.scene), EmbreeRenderer(scene.scene)
    drawn, truth = (images(r, scene, [shot])[0][0].astype(int) for r in (gl, exact))
    dark = truth.sum(axis=2) < 0.8 * np.median(truth[100:].sum(axis=2))
    gl.close()
    assert 0.005 < dark.mean() < 0.5
    assert (np.abs(drawn - truth).max(axis=2) > 30).mean() < 0.003


@needs_gl
def test_no_shadow_stays_behind_where_nobody_looked() -> None:
    """Two cameras back to back share the maps; the body's shadow goes from one to the other."""
    ahead = Shot(camera(0, 0, 1.5, 20.0), LENS, film=Film(samples=1))
    behind = replace(ahead, T_world_optical=camera(0, 0, 1.5, 20.0, 180.0))
    way = [high_above(x) for x in (-2.0, -9.0, -2.0, -60.0)]
    one = GlRenderer(way[0].scene)
    for place in way:
        fresh = GlRenderer(place.scene)
        for shot in (ahead, behind):
            assert same(images(one, place, [shot]), images(fresh, place, [shot]))
        fresh.close()
    one.close()


@pytest.mark.parametrize(
    ("size", "ways"),
    [
        ((16, 16), [(0, 1), (1, 1), (1, 0), (1, -1)]),
        ((16, 32), [(0, 1), (1, 2), (1, 0), (1, -2)]),  # a slant is one of the whole image
    ],
)
def test_copies_are_smeared_along_their_direction_alone(
    size: tuple[int, int], ways: list[tuple[int, int]]
) -> None:
    pixels = np.zeros((*size, 1), np.uint8)
    pixels[8, 8] = 200
    for copy, (rows, columns) in zip(directed(pixels, first=False), ways, strict=True):
        found = {(int(i) - 8, int(j) - 8) for i, j in zip(*np.nonzero(copy[..., 0]), strict=True)}
        assert found == {(0, 0), (rows, columns), (-rows, -columns)}
        assert abs(int(copy.sum()) - 200) <= 2


def test_copies_repeat_at_the_edges_and_keep_what_is_even() -> None:
    even = np.full((5, 3, 4), 77, np.uint8)
    assert (directed(even, first=True) == 77).all()
    edge = np.zeros((4, 4, 1), np.uint8)
    edge[0, 0] = 255
    assert directed(edge, first=False)[0][0, 3, 0] > 0
    assert directed(edge, first=False)[2][3, 0, 0] > 0
