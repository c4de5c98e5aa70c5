"""Weather in pictures: both renderers show the same, lamps cast shadows, rain repeats."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from render_rig import renderer_or_skip

from outrider.core.frames import Pose
from outrider.render.film import Film
from outrider.render.intrinsics import Intrinsics
from outrider.render.renderer import RENDERERS
from outrider.render.shot import T_BODY_OPTICAL, Shot
from outrider.render.weather_light import weather_light
from outrider.scene.scene import Scene
from outrider.weather.spec import WeatherChange, WeatherSpec
from outrider.weather.weather import Weather
from outrider.world.assembly import assemble
from outrider.world.materials import Material
from outrider.world.model import Geometry, Light, Link, Model, World
from outrider.world.shapes import Box
from outrider.world.state import WorldState

GREY = Material(name="grey", colour=(0.6, 0.6, 0.6, 1.0))
LAMP = Light("lamp", "spot", (0.2, 0.0, 0.0), (1.0, 0.0, 0.0), intensity=1.0, range=30.0)


def _block(name: str, size: tuple[float, float, float], *at: float, moves: bool = False) -> Model:
    link = Link("link", None, (Geometry(Box(size), Pose(), GREY),))
    return Model(name, (link,), (), Pose(np.array(at)), "scripted" if moves else "static")


def _scene(weather: WeatherSpec | None, *lights: Light) -> Scene:
    """Return ground, a wall at 8 m, a post at 4 m, and a carrier at the origin that may move."""
    models = (
        _block("ground", (60.0, 60.0, 1.0), 0, 0, -1.5),
        _block("wall", (0.2, 8.0, 6.0), 8.0, 0, 0),
        _block("post", (0.2, 0.4, 6.0), 4.0, 0, 0),
        _block("carrier", (0.1, 0.1, 0.1), 0, 0, 0, moves=True),
    )
    world = World("weather", models, weather=weather)
    return Scene(assemble(replace(world, lights=(*world.lights, *lights))))


def _take(
    scene: Scene, renderer: str, time_s: float = 0.0, carrier_y: float = 0.0
) -> NDArray[np.uint8]:
    """Return a picture of the wall from one side of the carrier."""
    return _film(scene, renderer, (time_s,), carrier_y)[0]


def _film(
    scene: Scene, renderer: str, times_s: tuple[float, ...], carrier_y: float = 0.0
) -> list[NDArray[np.uint8]]:
    """Return pictures of one renderer at some times."""
    weather = Weather(scene.assembly.world.weather)
    state = WorldState.zeros(len(scene.assembly.bodies), 0)
    state.bodies["position"][:, 1] = carrier_y
    eye = Pose(np.array([-0.5, -0.8, 0.3])) @ T_BODY_OPTICAL
    lens = Intrinsics.from_fov(96, 64, 80.0)
    drawer = renderer_or_skip(renderer, scene)
    try:
        around = [weather_light(scene, weather, round(t * 1e9)) for t in times_s]
        shots = [Shot(eye, lens, film=Film(samples=1), weather_light=one) for one in around]
        taken = [drawer.begin([shot], state.bodies).pictures()[0] for shot in shots]
    finally:
        drawer.close()
    return [np.asarray(picture.colour) for picture in taken]


@pytest.mark.parametrize(
    "weather",
    [
        WeatherSpec(hour=5.2),
        WeatherSpec(hour=9.0, clouds=0.6),
        WeatherSpec(hour=12.0, visibility_m=15.0),
        WeatherSpec(hour=15.0, rain_mm_h=20.0),
        WeatherSpec(wetness=1.0),
        WeatherSpec(wetness=0.5, snow_cover=0.7),
        WeatherSpec(hour=0.0, night_lux=5.0),
    ],
)
def test_both_renderers_show_the_same_weather(weather: WeatherSpec) -> None:
    lamp = replace(LAMP, link="carrier/link")
    first, second = (_take(_scene(weather, lamp), name).astype(int) for name in ("gl", "embree"))
    off = np.abs(first - second).max(axis=2)
    assert np.median(off) <= 1
    assert (off > 12).mean() < 0.06  # edges of things, and of shadows


@pytest.mark.parametrize("renderer", sorted(RENDERERS))
def test_a_carried_lamp_lights_the_night_and_casts_a_shadow_that_moves_with_it(
    renderer: str,
) -> None:
    """The post's shadow on the wall is where the lamp's rays are stopped."""
    scene = _scene(WeatherSpec(hour=0.0), replace(LAMP, link="carrier/link"))
    middle, aside = _take(scene, renderer), _take(scene, renderer, carrier_y=1.0)
    dark = _take(_scene(WeatherSpec(hour=0.0)), renderer)
    assert dark.max() < 10  # it is night
    # 8 m before the eye at (-0.5, -0.8): the shadow of the post is at y = 0, later at y = -1
    shadow, later = (_column(8.4, y) for y in (0.0, -1.0))
    assert middle[20, shadow].max() < 10
    assert middle[20, later].min() > 60
    assert aside[20, later].max() < 10


def _column(ahead: float, left: float) -> int:
    lens = Intrinsics.from_fov(96, 64, 80.0)
    return round(lens.cx - lens.fx * (left + 0.8) / ahead)


@pytest.mark.parametrize("renderer", sorted(RENDERERS))
def test_light_changes_while_a_renderer_lives(renderer: str) -> None:
    """Noon, then midnight by a change, then noon again by another: as a new renderer shows it."""
    changes = (WeatherChange(at_s=1.0, hour=0.0), WeatherChange(at_s=2.0, hour=12.0))
    scene = _scene(WeatherSpec(hour=12.0, changes=changes))
    noon, night, again = (p.astype(int) for p in _film(scene, renderer, (0.0, 1.5, 2.5)))
    assert noon.mean() > 60
    assert night.max() < 10
    assert np.abs(noon - again).mean() < 1.0


@pytest.mark.parametrize("renderer", sorted(RENDERERS))
def test_rain_and_snow_are_seen_and_repeat(renderer: str) -> None:
    for wet in (WeatherSpec(rain_mm_h=20.0), WeatherSpec(snow_mm_h=3.0)):
        scene = _scene(wet)
        first, same, next_ = (_take(scene, renderer, t) for t in (1.0, 1.0, 1.05))
        assert (first == same).all()
        moved = np.abs(first.astype(int) - next_).max(axis=2) > 2
        assert 0.01 < moved.mean() < 0.9


def test_wet_ground_is_darker_and_mirrors_the_sky_at_low_angles() -> None:
    dry, wet = (_take(_scene(WeatherSpec(wetness=w)), "embree") for w in (0.0, 1.0))
    assert wet[62].mean() < 0.85 * dry[62].mean()
