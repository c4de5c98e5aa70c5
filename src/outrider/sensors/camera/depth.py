"""Depth as a stereo camera measures it: limits, and noise that grows quadratically."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.render.hash_noise import normal, picture_key, pixel_key
from outrider.render.picture import Picture
from outrider.sensors.camera.parameters import DepthParameters

_CHANNEL = 4  # of the noise: not that of a colour
_NEAR, _FAR = np.float32(-np.inf), np.float32(np.inf)
Floats32 = NDArray[np.float32]


def measured_depth(
    picture: Picture, p: DepthParameters, fx: float, seed: int, frame: int
) -> Floats32:
    """Return depth (h, w) in m; -inf too near and inf too far, as REP 117 has it for ranges."""
    assert picture.depth is not None
    out = np.empty_like(picture.depth)
    gain = p.subpixel / (fx * p.baseline)
    key = picture_key(frame & 0xFFFFFFFF, seed & 0xFFFFFFFF)
    _measure(picture.depth, gain, p.depth_min, p.depth_max, key, out)
    return out


def millimetres(depth: Floats32) -> NDArray[np.uint16]:
    """Return depth in whole millimetres, 0 where there is none."""
    known = np.where(np.isfinite(depth) & (depth < 65.5355), depth, np.float32(0.0))
    return np.asarray(np.rint(known * 1000), np.uint16)


@compiled_nogil
def _measure(
    depth: Floats32, gain: float, low: float, high: float, key: np.uint32, out: Floats32
) -> None:  # pragma: no cover - compiled
    for y in range(depth.shape[0]):
        for x in range(depth.shape[1]):
            z = depth[y, x]
            if gain > 0.0 and np.isfinite(z):
                z += gain * z * z * normal(pixel_key(key, x, y), _CHANNEL)
            out[y, x] = _NEAR if z < low else (_FAR if z > high else z)
