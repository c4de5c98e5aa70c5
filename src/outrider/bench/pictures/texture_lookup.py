"""The gain from SIMD in a texture look-up: the same bilinear tap, one channel at a time."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from outrider.bench.measurement import Measurement, median_time
from outrider.core.compiled import compiled_inline, compiled_nogil
from outrider.render.simd import WHITE, between, colour_of
from outrider.scene.surface import Floats32

_SIDE, _COUNT, _REPEATS = 1024, 300_000, 15
Texels = NDArray[np.uint16]


@compiled_inline
def _channel(
    texels: Texels, top: np.int64, right: float, down: float, channel: int
) -> np.float32:  # pragma: no cover - compiled
    low = top + _SIDE
    a, b = np.float32(texels[top, channel]), np.float32(texels[top + 1, channel])
    c, d = np.float32(texels[low, channel]), np.float32(texels[low + 1, channel])
    high, deep = a + right * (b - a), c + right * (d - c)
    return high + down * (deep - high)


@compiled_nogil
def _with_simd(texels: Texels, at: Floats32, out: Floats32) -> None:  # pragma: no cover - compiled
    for i in range(at.shape[0]):
        column, row = np.int64(at[i, 0]), np.int64(at[i, 1])
        right, down = at[i, 0] - np.float32(column), at[i, 1] - np.float32(row)
        top = row * _SIDE + column
        red, green, blue = colour_of(between(texels, top, top + _SIDE, right, down))
        out[i, 0], out[i, 1], out[i, 2] = red, green, blue


@compiled_nogil
def _by_channel(texels: Texels, at: Floats32, out: Floats32) -> None:  # pragma: no cover - compiled
    for i in range(at.shape[0]):
        column, row = np.int64(at[i, 0]), np.int64(at[i, 1])
        right, down = at[i, 0] - np.float32(column), at[i, 1] - np.float32(row)
        top = row * _SIDE + column
        for channel in range(3):
            out[i, channel] = _channel(texels, top, right, down, channel)


def texture_lookup() -> Measurement:
    """Return the time of a look-up, beside that of one without SIMD vectors."""
    random = np.random.default_rng(1)
    texels = random.integers(0, WHITE, (_SIDE * _SIDE, 4), np.uint16)
    rows = np.arange(_COUNT) // 640 * 1.7
    columns = np.arange(_COUNT) % 640 * 1.3
    at = np.column_stack([columns, rows]).astype(np.float32)
    out = np.empty((_COUNT, 3), np.float32)
    times = {}
    for name, run in (("with", _with_simd), ("without", _by_channel)):
        seconds, spread = median_time(partial(run, texels, at, out), _REPEATS)
        times[name] = seconds / _COUNT * 1e9, spread / _COUNT * 1e9
    value, spread = times["with"]
    peers = {"one channel at a time": times["without"][0]}
    return Measurement("bilinear texture look-up", value, "ns", "lower", spread, peers)
