"""Drops and flakes near the camera, drawn over a finished picture: the same in every renderer.

They fill a box around the eye that repeats, and fall through it with the wind, so that the same
moment shows the same drops to every camera. Their number per cubic metre follows J. S. Marshall and
W. McK. Palmer (1948) for rain, drops above 1 mm, and K. L. S. Gunn and Marshall (1958) for snow,
flakes that melt to more than 0.5 mm; those farther away are in the extinction of the air.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.core.frames import Array, matrix_from_quaternion
from outrider.core.seeds import generator
from outrider.scene.surface import Floats32

if TYPE_CHECKING:
    from outrider.render.shot import Shot

Bytes = NDArray[np.uint8]
_BOX_M = 5.0
_MOST = 60_000
_SHUTTER_S = 0.01


@dataclass(frozen=True, slots=True)
class Falling:
    """One kind of what falls."""

    per_m3: float
    speed: float  # m/s
    size_m: float
    opacity: float  # where it covers a pixel
    sway: float  # m


def rain_drops(rate_mm_h: float) -> Falling:
    """Return the drops of a rain."""
    slope = 4.1 * rate_mm_h**-0.21
    return Falling(8000.0 / slope * math.exp(-slope), 6.5, 0.0022, 0.35, 0.0)


def snow_flakes(rate_mm_h: float) -> Falling:
    """Return the flakes of a snowfall."""
    slope = 2.55 * rate_mm_h**-0.48
    count = 3800.0 * rate_mm_h**-0.87 / slope * math.exp(-0.5 * slope)
    return Falling(count, 1.1, 0.004, 0.85, 0.05)


def with_precipitation(colour: Bytes | None, shot: Shot) -> Bytes | None:
    """Return a picture with what falls; it is drawn into the picture itself."""
    now = shot.weather_light
    if colour is None or now is None:
        return colour
    kinds = [rain_drops(now.rain_mm_h)] if now.rain_mm_h > 0 else []
    kinds += [snow_flakes(now.snow_mm_h)] if now.snow_mm_h > 0 else []
    if not kinds:
        return colour
    colour = np.ascontiguousarray(colour)
    for kind in kinds:
        _draw_kind(kind, shot, now.wind, now.time_s, now.brightness, colour)
    return colour


def _draw_kind(
    kind: Falling, shot: Shot, wind: Array, time_s: float, brightness: float, colour: Bytes
) -> None:
    lens, eye = shot.intrinsics, shot.T_world_optical
    velocity = wind + np.array([0.0, 0.0, -kind.speed])
    count = min(_MOST, round(kind.per_m3 * _BOX_M**3))
    light = min(1.0, 1.15 * brightness)
    _draw(
        _places(count),
        (velocity * time_s - eye.position) % _BOX_M,
        velocity * _SHUTTER_S,
        matrix_from_quaternion(eye.rotation),
        np.array([lens.fx, lens.fy, lens.cx, lens.cy]),
        size=kind.size_m,
        opacity=kind.opacity,
        sway=kind.sway,
        time_s=time_s,
        white=255.0 * light ** (1 / 2.2),
        out=colour,
    )


@lru_cache(maxsize=8)
def _places(count: int) -> Floats32:
    return generator(1, "fall").random((count, 3), np.float32) * np.float32(_BOX_M)


@compiled_nogil
def _draw(
    places: Floats32,
    moved: Array,
    streak: Array,
    rotation: Array,
    lens: Array,
    size: float,
    opacity: float,
    sway: float,
    time_s: float,
    white: float,
    out: Bytes,
) -> None:  # pragma: no cover - compiled
    """Draw every particle as a short line from where it was when the shutter opened."""
    h, w = out.shape[0], out.shape[1]
    a, b, at = np.empty(3), np.empty(3), np.empty(3)
    for i in range(places.shape[0]):
        phase = 6.2832 * (places[i, 0] + places[i, 1])
        for k in range(3):
            at[k] = (places[i, k] + moved[k]) % _BOX_M - _BOX_M / 2
        at[0] += sway * math.sin(phase + 3.0 * time_s)
        at[1] += sway * math.cos(phase + 2.3 * time_s)
        for k in range(3):
            a[k] = rotation[0, k] * at[0] + rotation[1, k] * at[1] + rotation[2, k] * at[2]
            b[k] = a[k]
            for m in range(3):
                b[k] -= rotation[m, k] * streak[m]
        if a[2] < 0.25 or b[2] < 0.25:
            continue
        x0, y0 = lens[0] * a[0] / a[2] + lens[2], lens[1] * a[1] / a[2] + lens[3]
        x1, y1 = lens[0] * b[0] / b[2] + lens[2], lens[1] * b[1] / b[2] + lens[3]
        if max(x0, x1) < -8 or min(x0, x1) > w + 8 or max(y0, y1) < -8 or min(y0, y1) > h + 8:
            continue
        wide = lens[0] * size / a[2]
        fade = min(1.0, (a[2] - 0.25) / 0.5)
        steps = int(min(400.0, max(abs(x1 - x0), abs(y1 - y0)) / max(1.0, wide))) + 1
        # a line is fainter than a point: its light is spread along it
        share = opacity * fade * (1.0 if steps == 1 else 0.6)
        for s in range(steps):
            u = (s + 0.5) / steps
            _dot(x0 + u * (x1 - x0), y0 + u * (y1 - y0), 0.5 * wide, share, white, out)


@compiled_nogil
def _dot(
    x: float, y: float, radius: float, share: float, white: float, out: Bytes
) -> None:  # pragma: no cover - compiled
    """Lay a soft disc over the picture; one smaller than a pixel is as much fainter."""
    h, w = out.shape[0], out.shape[1]
    small = min(1.0, 2.0 * radius)
    reach = max(radius, 0.5) + 0.5
    for j in range(max(0, math.ceil(y - reach)), min(h, math.floor(y + reach) + 1)):
        for i in range(max(0, math.ceil(x - reach)), min(w, math.floor(x + reach) + 1)):
            far = math.sqrt((i - x) ** 2 + (j - y) ** 2)
            inside = min(1.0, max(0.0, reach - far)) * share * small
            for c in range(3):
                old = float(out[j, i, c])
                out[j, i, c] = np.uint8(old + inside * (white - old) + 0.5)
