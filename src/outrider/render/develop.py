"""From the light on the sensor to an image, in the order given in ``film.py``."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.core.frames import Array
from outrider.render.film import Film
from outrider.render.hash_noise import GRAIN, normal, picture_key, pixel_key
from outrider.render.intrinsics import Intrinsics
from outrider.render.texture.downsampling import encoded
from outrider.scene.surface import Floats32

Bytes = NDArray[np.uint8]
MOST_BLUR = 16  # pixels of radius
_STEPS = 65535


def develop(
    light: Floats32, depth: Floats32 | None, film: Film, lens: Intrinsics, rows: slice
) -> Bytes:
    """Return rows of the 8-bit picture of linear light (h, w, 3); depth is needed for its field."""
    if film.aperture_m > 0 and depth is not None:
        light = blurred(light, depth, film.aperture_m * lens.fx, film.focus_m)
    if film.chromatic:
        light = fringed(light, film.chromatic, lens.cx, lens.cy)
    out = np.empty((rows.stop - rows.start, light.shape[1], 3), np.uint8)
    gains = film.exposure * np.array(film.balance)
    key = picture_key(film.frame & 0xFFFFFFFF, film.seed & 0xFFFFFFFF)
    _expose(
        light,
        rows.start,
        gains,
        vignetting=film.vignetting,
        cx=lens.cx,
        cy=lens.cy,
        noise=film.noise,
        grain=film.grain,
        grain_size=film.grain_size,
        key=key,
        table=_ENCODED,
        out=out,
    )
    return out


@compiled_nogil
def _encoding(steps: int) -> Floats32:  # pragma: no cover - compiled
    table = np.empty(steps + 1, np.float32)
    for i in range(steps + 1):
        table[i] = encoded(i / steps)
    return table


_ENCODED = _encoding(_STEPS)


@compiled_nogil
def _expose(
    light: Floats32,
    first_row: int,
    gains: Array,
    vignetting: float,
    cx: float,
    cy: float,
    noise: float,
    grain: float,
    grain_size: int,
    key: np.uint32,
    table: Floats32,
    out: Bytes,
) -> None:  # pragma: no cover - compiled
    """Darken the corners, expose, encode, add grain and noise, round."""
    h, w = light.shape[0], light.shape[1]
    corner = max(cx, w - 1 - cx) ** 2 + max(cy, h - 1 - cy) ** 2
    fall = vignetting / max(corner, 1.0)
    gain = gains.astype(np.float32)
    steps = np.float32(table.shape[0] - 1)
    zero, one, half, white = np.float32(0.0), np.float32(1.0), np.float32(0.5), np.float32(255.0)
    sigma, grains = np.float32(noise), np.float32(4.0 * grain)
    for j in range(out.shape[0]):
        y = j + first_row
        for x in range(w):
            kept = np.float32(1.0 - fall * ((x - cx) ** 2 + (y - cy) ** 2))
            pixel = pixel_key(key, x, y)
            speck = zero
            if grain > 0.0:
                cell = pixel_key(key, x // grain_size, y // grain_size)
                speck = grains * normal(cell, GRAIN)
            for c in range(3):
                value = light[y, x, c] * gain[c] * kept
                value = min(one, max(zero, value))
                value = table[int(value * steps + half)]
                value += speck * value * (one - value)
                if noise > 0.0:
                    value += sigma * normal(pixel, c)
                out[j, x, c] = np.uint8(min(one, max(zero, value)) * white + half)


@compiled_nogil
def fringed(
    light: Floats32, chromatic: float, cx: float, cy: float
) -> Floats32:  # pragma: no cover - compiled
    """Draw red larger and blue smaller about the lens's centre."""
    h, w = light.shape[0], light.shape[1]
    out = np.empty_like(light)
    out[:, :, 1] = light[:, :, 1]
    for c in (0, 2):
        scale = 1.0 / (1.0 + (chromatic if c == 0 else -chromatic))
        for y in range(h):
            sy = min(h - 1.0, max(0.0, cy + (y - cy) * scale))
            y0 = min(int(sy), h - 2) if h > 1 else 0
            y1, ay = min(y0 + 1, h - 1), sy - y0
            for x in range(w):
                sx = min(w - 1.0, max(0.0, cx + (x - cx) * scale))
                x0 = min(int(sx), w - 2) if w > 1 else 0
                x1, ax = min(x0 + 1, w - 1), sx - x0
                top = light[y0, x0, c] * (1.0 - ax) + light[y0, x1, c] * ax
                low = light[y1, x0, c] * (1.0 - ax) + light[y1, x1, c] * ax
                out[y, x, c] = top * (1.0 - ay) + low * ay
    return out


@compiled_nogil
def _confusion(depth: float, strength: float, focus: float) -> float:  # pragma: no cover - compiled
    """Return the radius of a point's blur in pixels; ``strength`` is aperture times focal px."""
    return min(float(MOST_BLUR), 0.5 * strength * abs(1.0 / focus - 1.0 / depth))


@compiled_nogil
def blurred(
    light: Floats32, depth: Floats32, strength: float, focus: float
) -> Floats32:  # pragma: no cover - compiled
    """Spread every point over its circle of confusion; what is sharp in front stays sharp."""
    h, w = depth.shape
    radius = np.empty((h, w), np.float32)
    for y in range(h):
        for x in range(w):
            radius[y, x] = _confusion(depth[y, x], strength, focus)
    widest = int(radius.max()) + 1
    out = np.empty_like(light)
    for y in range(h):
        for x in range(w):
            total = np.zeros(4)
            own = radius[y, x]
            for j in range(max(0, y - widest), min(h, y + widest + 1)):
                for i in range(max(0, x - widest), min(w, x + widest + 1)):
                    far = math.sqrt(float((j - y) ** 2 + (i - x) ** 2))
                    # what lies behind may not bleed over what is sharper in front of it
                    reach = radius[j, i] if depth[j, i] <= depth[y, x] else min(radius[j, i], own)
                    inside = min(1.0, max(0.0, reach + 0.5 - far))
                    if inside > 0.0:
                        weight = inside / (reach * reach + 0.25)
                        for c in range(3):
                            total[c] += weight * light[j, i, c]
                        total[3] += weight
            for c in range(3):
                out[y, x, c] = total[c] / total[3]
    return out
