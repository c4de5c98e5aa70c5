"""How light falls, in the one place that says so: both renderers follow this page.

All sums are of linear light, per channel; colours and textures in files are sRGB.

* **Surface.** Its colour is that of its texture where it has one, else its material's. Where
  a texture's opacity is below ``CUT`` there is a hole, in colour, depth, labels and shadows.
* **Transparency.** What has a material of an opacity below 1, or a texture most of which is half
  there, is laid over what is behind it by its opacity, the farthest first; each face of a closed
  shape takes ``1 - sqrt(1 - opacity)``, as it is looked through twice. It casts no shadow. Depth
  and labels show it from an opacity of ``CUT`` on.
* **Detail.** A material's detail picture multiplies its texture by ``detail / DETAIL_MEAN``. It is
  the mix of two copies of the picture, at ``p = uv * detail_repeat`` and turned and enlarged at
  ``DETAIL_TURN * p`` (as complex numbers), so that no two places look alike: the roots of their
  light, less the mean's, are added times ``DETAIL_MIX``, which keeps mean and contrast.
* **Relief.** In direct and sky light, the normal of what never moves leans by the slope of the
  relief below its mesh (``relief.py``): all of it where a pixel spans less than ``ALL_OF_IT`` of
  the relief's cells, none where it spans more than ``NOTHING_OF_IT``, so that nothing flickers.
* **Sides.** Surfaces have two sides: the normal is turned to the eye.
* **Direct light.** ``colour * intensity * max(0, n . l)`` of every light. Directional lights that
  cast shadows give nothing where something solid stands in the way (hard edges), or where the
  triangle itself faces away. Point and spot lights fall off with the square of the distance
  (``intensity`` is what arrives at 1 m, no nearer counted) and fade to nothing at their range by
  ``(1 - (d / range)^4)^2``; spots shine within 30 degrees of their direction, softly from 25 on;
  neither casts shadows.
* **Sky light.** ``ambient * (UNDER + (1 - UNDER) * (1 + n_z) / 2)``: all of it on what faces up, so
  that texture stays visible in shadows.
* **Exposure.** The sum is divided by what a white level surface in the open gets from directional
  lights and sky (its brightest channel), so that such a surface is just white: 255.
* **Haze.** Over a distance d (along the ray) a share ``exp(-3 d / visibility)`` of the surface's
  light arrives, the rest is the horizon's. No visibility given: none is lost.
* **Sky.** From the horizon's colour to the sky's by ``(1 - h)^4``, where h is the sine of the
  elevation; below the horizon its colour stays. The discs of directional lights are white. Sky and
  horizon are given as they are to look (sRGB).
* **Weather.** A world with a ``weather`` has the light of ``daylight.py``, which may add a glow
  around the sun to the sky and a film of water to the ground (``wet.py``).
* **Lamps.** Lights that a link carries move with it; spots among them cast shadows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, Pose
from outrider.world.assembly import WORLD, Frame
from outrider.world.materials import HALF
from outrider.world.model import Light, World

DETAIL_MEAN = 0.21404  # linear light of half grey: a detail picture of that changes nothing
# a turn of 43.7 degrees and 0.731 copies for one, found by search: for 34 copies around, no place
# is less than 0.038 copies from where both periods would meet (11 cm, of copies of 3 m). After an
# unlucky turn they meet within 4 cm after 24 m, and ORB takes such places for the same
DETAIL_TURN = (0.731 * math.cos(0.7627), 0.731 * math.sin(0.7627))
DETAIL_MIX = math.sqrt(0.5)
CUT = HALF  # opacity of a texel below which there is nothing
UNDER = 0.5  # share of the sky's light on what faces down
PALE = 0.6  # how far the horizon is from the sky's colour to white, if it has none of its own
DISC_COSINE = math.cos(math.radians(0.27))
SPOT_COSINES = (math.cos(math.radians(30.0)), math.cos(math.radians(25.0)))

LIGHT = np.dtype(
    [
        ("kind", np.int32),  # 0 directional, 1 point, 2 spot
        ("shadows", np.int32),
        ("position", np.float32, (3,)),
        ("towards", np.float32, (3,)),  # unit, from the surface to the light; spots: along it back
        ("colour", np.float32, (3,)),  # times intensity
        ("range", np.float32),
        ("disc", np.int32),  # whether it is seen in the sky
        ("body", np.int32),  # that carries it, or -1: its position and direction are the body's
    ]
)
_KINDS = {"directional": 0, "point": 1, "spot": 2}


@dataclass(frozen=True, slots=True, eq=False)
class Lighting:
    """A world's light, ready to be used: linear, and already divided by the exposure."""

    lights: NDArray[np.void]  # dtype LIGHT
    ambient: Array  # (3,)
    sky: Array  # (3,), linear, as seen
    horizon: Array
    haze: float  # per metre: share that arrives is exp(-haze d)
    glow: Array = field(default_factory=lambda: np.zeros(3))  # (3,), in the sky around the sun
    glow_towards: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    wet: float = 0.0  # how much water is on the ground, 0 to 1
    snow: float = 0.0  # and how much snow


def lighting_of(world: World, frames: Mapping[str, Frame] | None = None) -> Lighting:
    """Return the light of a world; ``frames`` are the links that may carry lamps."""
    rows = light_rows(world.lights, frames or {})
    ambient = np.array(world.ambient, np.float64)
    white = _white_in_the_open(rows, ambient)
    rows["colour"] /= white
    sky = linear_of(np.array(world.sky, np.float64))
    pale = sky + PALE * (1.0 - sky) * (sky.max() > 0)  # a black sky stays black
    horizon = pale if world.horizon is None else linear_of(np.array(world.horizon, np.float64))
    haze = 3.0 / world.visibility if world.visibility > 0 else 0.0
    return Lighting(rows, ambient / white, sky, horizon, haze)


def light_rows(lights: tuple[Light, ...], frames: Mapping[str, Frame]) -> NDArray[np.void]:
    """Return lights as rows; lamps on links that are not there are left out."""
    there = [light for light in lights if not light.link or light.link in frames]
    rows = np.zeros(len(there), LIGHT)
    for row, light in zip(rows, there, strict=True):
        _fill(row, light)
        if light.link:
            _carry(row, frames[light.link])
    return rows


def _carry(row: np.void, frame: Frame) -> None:
    """Give a light to a body."""
    mount = frame.T_body_link
    turn = Pose(rotation=mount.rotation)
    row["body"], row["position"] = frame.body, mount.apply(np.array(row["position"], np.float64))
    row["towards"] = turn.apply(np.array(row["towards"], np.float64))


def linear_of(encoded: Array) -> Array:
    """Return linear light of sRGB values 0..1."""
    e = np.asarray(encoded, np.float64)
    out: Array = np.where(e <= 0.04045, e / 12.92, ((e + 0.055) / 1.055) ** 2.4)
    return out


def _fill(row: np.void, light: Light) -> None:
    along = np.array(light.direction, np.float64)
    length = float(np.linalg.norm(along))
    row["kind"], row["shadows"] = _KINDS[light.kind], light.cast_shadows
    row["position"], row["range"] = light.position, max(light.range, 1e-3)
    row["towards"] = -along / length if length > 0 else (0.0, 0.0, 1.0)
    row["colour"] = np.array(light.colour) * light.intensity
    row["disc"], row["body"] = light.kind == "directional", WORLD


def _white_in_the_open(rows: NDArray[np.void], ambient: Array) -> float:
    """Return what falls on level ground: the brightest channel."""
    distant = rows[rows["kind"] == 0]
    level = np.maximum(distant["towards"][:, 2], 0.0)
    total = ambient + (distant["colour"] * level[:, None]).sum(axis=0)
    brightest = float(np.max(total))
    return brightest if brightest > 1e-9 else 1.0
