"""The detail texture of each material: what its ground looks like within a few metres."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from outrider.core.cache import content_key
from outrider.core.frames import Array
from outrider.core.seeds import generator
from outrider.terrain.patterns import Random, blades, cracks, pits, rough, stones, streaks
from outrider.terrain.textures import Pixels, stored_picture

SIDE = 1024  # pixels
VERSION = 2
_LARGE = 7.0  # waves per picture
MEAN = 0.21404  # linear light of half grey: a detail of this mean changes nothing on the whole
_HUE: Array = np.array([0.35, 0.08, -0.4])  # what a positive hue does to red, green and blue

_POND: Array = np.array([0.24, 0.34, 0.37])  # what of the sky and the bottom is seen together

Drawn = tuple[Array, Array]  # light and hue, both about 0


@dataclass(frozen=True, slots=True)
class Detail:
    """How a picture is drawn, how many metres it covers, and how strong it is."""

    draw: Callable[[Random], Drawn]
    metres: float = 4.0
    contrast: float = 0.3
    hue: float = 0.15


def detail_of(material: str) -> tuple[str, float]:
    """Return the file of a material's detail picture, and how many metres it covers."""
    name = material if material in DETAILS else "soil"
    known = DETAILS[name]
    key = content_key("detail", VERSION, name, SIDE, known.contrast, known.hue)
    return stored_picture(key, lambda: _pixels(known, generator(VERSION, material))), known.metres


def has_detail(material: str) -> bool:
    """Return whether a material has a detail picture of its own."""
    return material in DETAILS


def plain_picture(colour: tuple[float, float, float]) -> str:
    """Return the file of a picture of one colour, for details to be laid over."""
    pixel: Pixels = np.rint(255.0 * np.clip(colour, 0.0, 1.0)).astype(np.uint8)
    return stored_picture(content_key("plain", VERSION, colour), lambda: np.tile(pixel, (2, 2, 1)))


def _linear(encoded: Array) -> Array:
    low = encoded <= 0.04045
    linear: Array = np.where(low, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    return linear


def _encoded(linear: Array) -> Pixels:
    linear = np.clip(linear, 0.0, 1.0)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    pixels: Pixels = np.rint(255.0 * encoded).astype(np.uint8)
    return pixels


def water_picture() -> str:
    """Return the file of a sheet of water from above: ripples under the sky."""
    return stored_picture(content_key("water", VERSION, SIDE), _water)


def _water() -> Pixels:
    random = generator(VERSION, "water")
    waves = _without_large(streaks(random, SIDE, 1.1, 3.0) + 0.7 * rough(random, SIDE, 1.2))
    light = np.exp(0.16 * np.clip(waves / waves.std(), -3, 3))[..., None]
    pixels: Pixels = np.rint(255 * np.clip(light * _POND, 0, 1)).astype(np.uint8)
    return pixels


def _pixels(detail: Detail, random: Random) -> Pixels:
    """Return a picture whose mean light is ``MEAN`` in each channel."""
    light, hue = (_without_large(drawn) for drawn in detail.draw(random))
    light = light / max(float(light.std()), 1e-9)
    tint = detail.hue * np.clip(hue, -2.5, 2.5)[..., None] * _HUE
    linear = np.exp(detail.contrast * np.clip(light, -4, 4))[..., None] * (1.0 + tint)
    for _ in range(4):  # clipping changes the mean
        linear = np.clip(linear * (MEAN / linear.mean(axis=(0, 1))), 0.0, 1.0)
    return _encoded(linear)


def _without_large(drawn: Array) -> Array:
    """Take out what is as large as the picture: it would show that the picture repeats."""
    waves = np.fft.rfft2(drawn)
    across = np.hypot(np.fft.fftfreq(SIDE)[:, None] * SIDE, np.fft.rfftfreq(SIDE)[None, :] * SIDE)
    kept: Array = np.fft.irfft2(waves * (1.0 - np.exp(-((across / _LARGE) ** 2))), drawn.shape)
    return kept


def _grass(random: Random) -> Drawn:
    light, hue = blades(random, SIDE, 26_000, (14, 46))
    clumps = rough(random, SIDE, 1.3)
    return light + 0.55 * clumps + 0.4 * rough(random, SIDE, 0.6), hue + rough(random, SIDE, 1.4)


def _gravel(random: Random) -> Drawn:
    fine, tone = stones(random, SIDE, 150)
    coarse, tones = stones(random, SIDE, 46, 0.35)
    light = np.where(tones != 0, 1.6 * coarse + 0.6 * tones, fine + 0.5 * tone)
    return light + 0.3 * rough(random, SIDE, 1.2), 0.6 * tone + tones


def _sand(random: Random) -> Drawn:
    ripples = np.sin(6.0 * streaks(random, SIDE, 1.6, 5.0) + 3.0 * rough(random, SIDE, 1.8))
    grains = rough(random, SIDE, 0.1)
    shells, tone = stones(random, SIDE, 64, 0.06)
    return 0.5 * ripples + 0.8 * grains + rough(random, SIDE, 1.1) + 1.5 * shells, tone


def _rock(random: Random) -> Drawn:
    facets, tone = stones(random, SIDE, 12)
    split = cracks(random, SIDE, 9, 0.16) + cracks(random, SIDE, 23, 0.1)
    light = 0.5 * facets + 0.4 * tone + rough(random, SIDE, 0.9) + 0.4 * rough(random, SIDE, 0.2)
    return light - 2.2 * split, rough(random, SIDE, 1.3)


def _soil(random: Random) -> Drawn:
    clods, tone = stones(random, SIDE, 70, 0.5)
    pebbles, tones = stones(random, SIDE, 34, 0.12)
    light = 0.7 * clods + 0.4 * tone + 1.2 * pebbles + 0.8 * tones
    return light + rough(random, SIDE, 1.0) + 0.4 * rough(random, SIDE, 0.1), tone + tones


def _regolith(random: Random) -> Drawn:
    pebbles, tone = stones(random, SIDE, 60, 0.14)
    small, tones = stones(random, SIDE, 170, 0.2)
    holes = pits(random, SIDE, 900, (3.0, 70.0))
    light = 1.1 * holes + 1.6 * pebbles + 0.4 * tone + 0.8 * small + 0.2 * tones
    return light + 0.8 * rough(random, SIDE, 1.1) + 0.35 * rough(random, SIDE, 0.1), tone


def _ice(random: Random) -> Drawn:
    split = cracks(random, SIDE, 5, 0.05) + 0.6 * cracks(random, SIDE, 14, 0.04)
    return 0.8 * rough(random, SIDE, 1.4) + 2.5 * split, -rough(random, SIDE, 1.5)


def _snow(random: Random) -> Drawn:
    return rough(random, SIDE, 1.2) + 0.5 * rough(random, SIDE, 0.3), rough(random, SIDE, 1.5)


def _concrete(random: Random) -> Drawn:
    specks, tone = stones(random, SIDE, 200, 0.3)
    chips, tones = stones(random, SIDE, 150, 0.1)
    stains, split = rough(random, SIDE, 1.5), cracks(random, SIDE, 3, 0.02)
    worn = pits(random, SIDE, 500, (3.0, 9.0))
    light = 0.8 * stains + 0.4 * rough(random, SIDE, 0.4) + 0.7 * specks + 0.8 * tone
    return light + chips + 1.1 * tones + worn - 2.0 * split, stains


def _asphalt(random: Random) -> Drawn:
    grains, tone = stones(random, SIDE, 220)
    patches = rough(random, SIDE, 1.4)
    return 0.7 * grains + 0.7 * tone + 0.6 * patches - 2.0 * cracks(random, SIDE, 4, 0.03), tone


DETAILS = {
    "grass": Detail(_grass, 3.0, 0.42, 0.22),
    "gravel": Detail(_gravel, 3.0, 0.42, 0.12),
    "sand": Detail(_sand, 4.0, 0.22, 0.06),
    "rock": Detail(_rock, 6.0, 0.34, 0.1),
    "soil": Detail(_soil, 4.0, 0.32, 0.12),
    "sandy-loam": Detail(_soil, 4.0, 0.28, 0.12),
    "regolith": Detail(_regolith, 5.0, 0.4, 0.0),
    "ice": Detail(_ice, 5.0, 0.2, 0.08),
    "snow": Detail(_snow, 5.0, 0.08, 0.02),
    "concrete": Detail(_concrete, 4.0, 0.23, 0.04),
    "asphalt": Detail(_asphalt, 3.0, 0.25, 0.03),
}
