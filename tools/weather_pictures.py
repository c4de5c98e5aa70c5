"""Draw the pictures of docs/weather.md: one place in several weathers.

``python tools/weather_pictures.py [NAME...]``: all, or only these.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image

from outrider.loader.library import load_world_spec
from outrider.render.film import Film
from outrider.scenarios.picture import snapshot
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.specs.world import CylinderSpec, ObjectSpec, PoseSpec
from outrider.weather.spec import WeatherSpec
from outrider.world.model import Light

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "images" / "weather"
SIZE = (1280, 800)
SHOWN = (640, 400)
HEADLIGHTS = tuple(
    Light(name, "spot", (0.24, y, 0.13), (1.0, y, -0.06), (1.0, 0.95, 0.85), 3.0, 40.0)
    for name, y in (("left", 0.12), ("right", -0.12))
)
LAMP_POSTS = tuple(
    Light(f"post_{n}", "point", (x, y, 3.1), colour=(1.0, 0.8, 0.5), intensity=0.8, range=40.0)
    for n, (x, y) in enumerate([(16.5, -25), (23.5, -40), (16.5, -55)])
)
WALK = PoseSpec(x=20.0, y=-25.0, yaw_deg=-90.0)  # on the axis of the campus, towards the fountain


@dataclass(frozen=True, slots=True)
class View:
    """A weather, and from where it is looked at."""

    weather: WeatherSpec
    eye: tuple[float, float, float] = (22.2, -21.2, 1.25)
    at: tuple[float, float, float] = (19.4, -29.0, 0.45)
    world: str = "campus"
    pose: PoseSpec = WALK
    lamps: tuple[Light, ...] = ()
    bollards: tuple[tuple[float, float], ...] = ()


VIEWS = {
    "dawn": View(
        WeatherSpec(hour=5.2),
        eye=(-24.0, -76.6, 0.8),
        at=(-15.0, -72.6, 0.95),
        pose=PoseSpec(x=-20.6, y=-74.9, yaw_deg=165.0),
    ),
    "fog": View(WeatherSpec(hour=8.0, visibility_m=45.0)),
    "rain": View(WeatherSpec(hour=14.0, rain_mm_h=12.0, wind_m_s=3.0, wind_from_deg=300.0)),
    "snow": View(
        WeatherSpec(
            hour=12.0, month=1, snow_mm_h=2.0, snow_cover=0.9, temperature_c=-3.0, wind_m_s=1.0
        )
    ),
    "dust": View(WeatherSpec(hour=16.0, dust_mg_m3=60.0, wind_m_s=8.0)),
    "night": View(
        WeatherSpec(hour=22.0, night_lux=1.2),
        lamps=HEADLIGHTS,
        bollards=((19.3, -28.0), (20.3, -28.6)),
    ),
}


def main(names: list[str]) -> None:
    """Draw what is asked for."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, view in VIEWS.items():
        if not names or name in names:
            draw(name, view)


def bollard(number: int, x: float, y: float) -> ObjectSpec:
    """Return a post that casts a shadow."""
    shape = CylinderSpec(radius=0.09, length=0.8)
    return ObjectSpec(f"bollard_{number}", shape, PoseSpec(x=x, y=y), colour=(0.45, 0.3, 0.2, 1.0))


def draw(name: str, view: View) -> None:
    """Draw one picture, at twice the size and then smaller: edges get smooth."""
    jackal = RobotEntry("jackal", pose=view.pose, lamps=view.lamps)
    world = load_world_spec(view.world)
    if view.lamps:
        world = replace(world, lights=(*world.lights, *LAMP_POSTS))
    bollards = tuple(bollard(n, *place) for n, place in enumerate(view.bollards))
    scenario = Scenario(
        name, world=world, robots=(jackal,), weather=view.weather, obstacles=bollards
    )
    film = Film(samples=4)
    taken = snapshot(scenario, eye=view.eye, at=view.at, size=SIZE, fov_deg=70, film=film)
    small = Image.fromarray(taken.colour).resize(SHOWN, Image.Resampling.LANCZOS)
    small.save(PICTURES / f"{name}.jpg", "JPEG", quality=84, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
