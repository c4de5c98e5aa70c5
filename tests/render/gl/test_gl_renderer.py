"""The OpenGL renderer by itself: repeats, steadiness, far depth, and what it refuses."""

import subprocess
import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from gl_scenes import Set, camera, hills, make, static, why_no_gl

from outrider.core.errors import RenderError
from outrider.render.film import Film
from outrider.render.geometry import drawing_of
from outrider.render.gl.context import GlContext
from outrider.render.gl.renderer import GlRenderer
from outrider.render.gl.shadow import Shadow
from outrider.render.gl.vertex_buffers import vertex_buffers_of
from outrider.render.intrinsics import Intrinsics
from outrider.render.renderer import make_renderer
from outrider.render.shot import Shot
from outrider.world.model import Light
from outrider.world.shapes import Box, Plane

needs_gl = pytest.mark.skipif(bool(why_no_gl()), reason=why_no_gl() or "there is OpenGL")
LENS = Intrinsics.from_fov(480, 360, 66.0)
SHOT = Shot(camera(0, 0, 1.0, 8.0), LENS, film=Film(samples=1, noise=0.01))


def colours(renderer: GlRenderer, place: Set, shots: list[Shot]) -> list[np.ndarray]:
    """Return the colours of some pictures."""
    pictures = renderer.begin(shots, place.bodies).pictures()
    return [p.colour for p in pictures if p.colour is not None]


@needs_gl
def test_pictures_repeat_bit_for_bit_whatever_was_drawn_before(
    renderer: GlRenderer, place: Set
) -> None:
    first = colours(renderer, place, [SHOT])[0]
    for x in (2.0, 30.0, -4.0):
        colours(renderer, place, [replace(SHOT, T_world_optical=camera(x, 1, 1.2))])
    again = colours(renderer, place, [SHOT])[0]
    other = GlRenderer(place.scene)
    fresh = colours(other, place, [SHOT])[0]
    other.close()
    assert (first == again).all()
    assert (first == fresh).all()


@needs_gl
def test_the_shadow_of_a_body_goes_with_it(renderer: GlRenderer, place: Set) -> None:
    clean = replace(SHOT, film=Film(samples=1))
    before = colours(renderer, place, [clean])[0]
    moved = Set(place.scene, place.bodies.copy())
    moved.bodies["position"] += (0.0, 1.0, 0.0)
    beside = colours(renderer, moved, [clean])[0]
    back = colours(renderer, place, [clean])[0]
    assert (before != beside).any(axis=2).mean() > 0.01
    assert (before == back).all()


@needs_gl
def test_nothing_flickers_while_driving() -> None:
    """Half a millimetre further, hardly a pixel may change, near or far, in sun or shadow."""
    things = [static(hills(200), (0, 0, 0), colour=(0.5, 0.6, 0.3, 1))]
    things += [static(Box((0.4, 0.4, 2)), (x, y, 1)) for x in (-8, 0, 9) for y in (-3, 2)]
    yard_ = make(things)
    renderer = GlRenderer(yard_.scene)
    steps = [-14 + 0.0005 * i + 0.75 * (i // 4) for i in range(16)]
    shots = [Shot(camera(x, 0, 1.2, 6.0), LENS, film=Film(samples=1)) for x in steps]
    images = [colours(renderer, yard_, [shot])[0].astype(int) for shot in shots]
    renderer.close()
    for i in range(len(steps) - 1):
        if i % 4 != 3:
            changed = np.abs(images[i + 1] - images[i]).max(axis=2) > 6
            assert changed.mean() < 0.004


@needs_gl
def test_depth_far_away_is_right_to_two_millimetres() -> None:
    walls = [static(Box((1, 200, 200)), (x, 0, 0)) for x in (50.5, 1000.5)]
    for wall, distance in zip(walls, (50.0, 1000.0), strict=True):
        scene = make([wall])
        renderer = GlRenderer(scene.scene)
        shot = Shot(camera(0, 0, 0), LENS, film=Film(samples=1), wants=frozenset(["depth"]))
        picture = renderer.begin([shot], scene.bodies).pictures()[0]
        renderer.close()
        assert picture.colour is None
        assert picture.depth is not None
        middle = picture.depth[165:195, 220:260]
        assert np.abs(middle - distance).max() < 2e-3


@needs_gl
def test_a_floor_to_the_horizon_is_as_deep_as_geometry_says() -> None:
    scene = make([static(Plane(2000.0), (0, 0, 0))])
    renderer = GlRenderer(scene.scene)
    shot = Shot(camera(0.3, 0.4, 1.0), LENS, film=Film(samples=1), wants=frozenset(["depth"]))
    depth = renderer.begin([shot], scene.bodies).pictures()[0].depth
    renderer.close()
    assert depth is not None
    rows = np.arange(190, 360)
    expected = LENS.fy / (rows - LENS.cy)
    assert np.abs(depth[rows] / expected[:, None] - 1).max() < 4e-5  # 2 mm at 50 m


@needs_gl
def test_black_and_white_are_black_and_white() -> None:
    scene = make(
        [
            static(Box((4, 4, 1)), (0, 2.001, -0.5), colour=(1, 1, 1, 1)),
            static(Box((4, 4, 1)), (0, -2.001, -0.5), colour=(0, 0, 0, 1)),
        ]
    )
    renderer = GlRenderer(scene.scene)
    shot = Shot(camera(0, 0, 1.5, 90.0), LENS, film=Film(samples=1))
    image = colours(renderer, scene, [shot])[0]
    renderer.close()
    assert (image[:, :200] == 255).all()
    assert (image[:, 280:] == 0).all()


@needs_gl
def test_versions_of_a_chunk_share_their_borders() -> None:
    scene = make([static(hills(200), (0, 0, 0))])
    buffers = vertex_buffers_of(drawing_of(scene.scene))
    chunks = buffers.chunks
    assert len(chunks.low) > 4
    assert chunks.count[:, -1].sum() < 0.25 * chunks.count[:, 0].sum()
    for row in range(len(chunks.low)):
        whole, coarse = (_border(buffers.indices, chunks, row, v) for v in (0, -1))
        assert whole == coarse


@needs_gl
def test_a_version_that_serves_for_several_errors_is_kept_once() -> None:
    buffers = vertex_buffers_of(drawing_of(make([static(hills(200), (0, 0, 0))]).scene))
    first, count = buffers.chunks.first.reshape(-1), buffers.chunks.count.reshape(-1)
    runs = set(zip(first.tolist(), count.tolist(), strict=True))
    assert len(runs) < len(first), "no version serves twice: nothing is shown"
    assert sum(n for _, n in runs) == len(buffers.indices)


@needs_gl
@pytest.mark.parametrize("fine", [0.0, 1e9], ids=["floats", "16 bits"])
def test_a_shadow_map_is_as_it_was_however_often_bodies_were_drawn_over_it(
    place: Set, monkeypatch: pytest.MonkeyPatch, fine: float
) -> None:
    monkeypatch.setattr("outrider.render.gl.shadow._FINE", fine)
    renderer = GlRenderer(place.scene)
    colours(renderer, place, [SHOT])
    before = _depths(renderer)
    for step in range(1, 30):
        moved = Set(place.scene, place.bodies.copy())
        moved.bodies["position"] += (0.01 * step, 0.0, 0.0)
        colours(renderer, moved, [SHOT])
    assert (_depths(renderer) != before).any()
    colours(renderer, place, [SHOT])
    after = _depths(renderer)
    renderer.close()
    assert (after == before).all()


def _depths(renderer: GlRenderer) -> np.ndarray:
    depths = renderer._painter._shadows[0]._map
    rect = 0, 0, *depths.size
    read = partial(depths.buffer.read, rect, components=1, attachment=-1, dtype="f4")
    return np.frombuffer(renderer._hand.submit(read).result(), np.float32)


@needs_gl
def test_a_shadow_map_of_16_bits_shows_what_one_of_floats_does(
    place: Set, monkeypatch: pytest.MonkeyPatch
) -> None:
    images = []
    for fine in (0.0, 1e9):
        monkeypatch.setattr("outrider.render.gl.shadow._FINE", fine)
        renderer = GlRenderer(place.scene)
        images += colours(renderer, place, [SHOT])
        renderer.close()
    assert (images[0] != images[1]).any(axis=2).mean() < 1e-3


def _border(indices: np.ndarray, chunks: object, row: int, version: int) -> set[tuple[int, int]]:
    first, count = chunks.first[row, version], chunks.count[row, version]  # type: ignore[attr-defined]
    faces = indices[first : first + count].reshape(-1, 3)
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    found, times = np.unique(edges, axis=0, return_counts=True)
    return {(int(a), int(b)) for a, b in found[times == 1]}


_LEFT_OPEN = """
import atexit
from outrider.bench.pictures.filming import FilmedDrive, empty_hills
film = FilmedDrive(empty_hills(20), "bumblebee2", {"renderer": "gl", "width": 64, "height": 48})
film.listen()
film.run(0.3)
atexit.register(film.close)
"""


@needs_gl
def test_nothing_is_said_when_the_interpreter_ends_before_the_renderer() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LEFT_OPEN], check=True, capture_output=True, text=True
    )
    assert done.stderr == ""


@needs_gl
def test_a_closed_renderer_says_so(place: Set) -> None:
    renderer = GlRenderer(place.scene)
    renderer.close()
    with pytest.raises(RenderError, match="the renderer is closed"):
        renderer.begin([SHOT], place.bodies)


@needs_gl
def test_two_eyes_on_either_side_of_a_border_share_their_shadow_maps(
    place: Set, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    draw = Shadow._draw_still
    monkeypatch.setattr(Shadow, "_draw_still", lambda s, k, *a: (drawn.append(k), draw(s, k, *a)))
    renderer = GlRenderer(place.scene)
    pairs = [
        [replace(SHOT, T_world_optical=camera(x + eye, 0, 1.0, 8.0)) for eye in (0.0, 0.12)]
        for x in np.arange(0.0, 3.0, 0.05)
    ]
    for pair in pairs:
        drawn.clear()
        for _ in range(2):
            renderer.begin(pair, place.bodies).pictures()
        assert len(drawn) == len(set(drawn)), "a square went to and fro"
    renderer.close()


@needs_gl
def test_too_many_lights_are_refused_and_drawn_by_the_other(capsys: pytest.CaptureFixture) -> None:
    lights = tuple(Light(f"l{i}", direction=(0.1 * i, 0.1, -1.0)) for i in range(9))
    scene = make([static(Plane(), (0, 0, 0))], lights=lights)
    with pytest.raises(RenderError, match="draws 8 lights, 4 of them with shadows"):
        GlRenderer(scene.scene)
    other = make_renderer(scene.scene)
    other.close()
    assert other.name == "embree"
    assert "images are rendered by 'embree', because gl: " in capsys.readouterr().err


@needs_gl
def test_an_image_too_large_for_the_driver_is_refused(
    renderer: GlRenderer, place: Set, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GlContext, "most_side", 300)
    with pytest.raises(RenderError, match=r"480 x 360 pixels is too large.*up to 300 a side"):
        renderer.begin([replace(SHOT, intrinsics=LENS)], place.bodies).pictures()


def test_without_the_package_it_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "moderngl", None)
    with pytest.raises(RenderError, match="needs the Python package 'moderngl'"):
        GlContext()


def test_without_a_driver_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import glcontext

    def broken(*_: object, **__: object) -> object:
        raise Exception("libEGL.so not loaded")

    monkeypatch.setattr(glcontext, "get_backend_by_name", lambda _: broken)
    with pytest.raises(RenderError, match=r"libEGL.so not loaded.*install a graphics driver"):
        GlContext()
