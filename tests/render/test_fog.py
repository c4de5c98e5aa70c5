"""Fog takes contrast as Koschmieder's law says, in both renderers."""

import numpy as np
import pytest
from render_rig import renderer_or_skip

from outrider.core.frames import Pose
from outrider.render.film import Film
from outrider.render.intrinsics import Intrinsics
from outrider.render.light import linear_of
from outrider.render.renderer import RENDERERS
from outrider.render.shot import T_BODY_OPTICAL, Shot
from outrider.scene.scene import Scene
from outrider.weather.spec import WeatherSpec
from outrider.world.assembly import assemble
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box

BLACK = Material(name="black", colour=(0.0, 0.0, 0.0, 1.0))


def _board(distance: float) -> Model:
    """Return a black board as wide as the left half of the picture, at a distance."""
    size = (0.1, distance, distance)
    pose = Pose(np.array([distance + 0.05, distance / 2, 0.0]))
    return Model(
        "board", (Link("link", None, (Geometry(Box(size), pose, BLACK),)),), (), Pose(), "static"
    )


def _contrast(renderer: str, distance: float, weather: WeatherSpec) -> float:
    """Return the contrast of a black board to the horizon beside it."""
    scene = Scene(assemble(World("fog", (_board(distance),), weather=weather)))
    lens = Intrinsics.from_fov(64, 32, 20.0)
    drawer = renderer_or_skip(renderer, scene)
    try:
        shot = Shot(T_BODY_OPTICAL, lens, film=Film(samples=1))
        (picture,) = drawer.begin([shot], np.zeros(0)).pictures()
    finally:
        drawer.close()
    assert picture.colour is not None
    light = linear_of(picture.colour.astype(np.float64) / 255.0)
    board, horizon = light[16, 16].mean(), light[16, 48].mean()
    return float((horizon - board) / horizon)


@pytest.mark.parametrize("renderer", sorted(RENDERERS))
@pytest.mark.parametrize(
    ("weather", "per_m"),
    [
        (WeatherSpec(visibility_m=100.0), 3.0 / 100.0),
        (WeatherSpec(visibility_m=300.0, hour=10.0), 3.0 / 300.0),
        (WeatherSpec(dust_mg_m3=50.0), 50 * 0.6e-3),
    ],
)
def test_contrast_falls_with_distance_by_koschmieders_law(
    renderer: str, weather: WeatherSpec, per_m: float
) -> None:
    for distance in np.array([0.3, 1.0, 1.8]) / per_m:
        found = _contrast(renderer, float(distance), weather)
        assert found == pytest.approx(np.exp(-per_m * distance), rel=0.05)
