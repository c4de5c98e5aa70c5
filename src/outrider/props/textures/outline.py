"""The outline of a cutout, so that a card of this shape has little empty area."""

from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image

from outrider.core.cache import cached, content_key
from outrider.core.frames import Array

CORNERS = 6
_VERSION = 1  # of what is kept
_WAYS = 24  # that the sides of an outline may face
_INSIDE = 10.0  # what a corner outside of the picture is worth, in areas of it per side
_ANGLES = np.arange(_WAYS) * (2 * np.pi / _WAYS)
_AWAY: Array = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)


@lru_cache(maxsize=64)
def outline(path: str) -> Array:
    """Return corners (6, 2) around the solid part of a picture, as texture coordinates."""
    key = content_key(_VERSION, Path(path).read_bytes())
    kept = cached("outlines", key, lambda: {"corners": _found(path)})
    return np.asarray(kept["corners"], np.float64)


def _found(path: str) -> Array:
    """Leave out sides, always the one that costs least, until few are left."""
    reach = _reach(path)
    ways = list(range(_WAYS))
    while len(ways) > CORNERS:
        fewer = [ways[:i] + ways[i + 1 :] for i in range(len(ways))]
        ways = min(fewer, key=lambda some: _cost(some, reach))
    return _corners(ways, reach)


def _reach(path: str) -> Array:
    """Return how far the solid part goes each way."""
    with Image.open(path) as image:
        solid = np.asarray(image.getchannel("A")) > 0
    row, column = np.nonzero(solid)
    height, width = solid.shape
    places = np.stack([(column + 0.5) / width, 1 - (row + 0.5) / height], axis=1)
    beside = np.abs(_AWAY) @ [1.5 / width, 1.5 / height]  # what is between pixels is smooth
    reach: Array = (places @ _AWAY.T).max(axis=0) + beside
    return reach


def _corners(ways: list[int], reach: Array) -> Array:
    """Return where neighbouring sides meet."""
    after = ways[1:] + ways[:1]
    sides = np.stack([_AWAY[ways], _AWAY[after]], axis=1)
    far = np.stack([reach[ways], reach[after]], axis=1)
    return np.asarray(np.linalg.solve(sides, far[..., None])[..., 0], np.float64)


def _cost(ways: list[int], reach: Array) -> float:
    """Return what sides enclose; outside of the picture is another copy of it."""
    if (np.diff([*ways, ways[0] + _WAYS]) >= _WAYS // 2).any():
        return np.inf
    corners = _corners(ways, reach)
    x, y = corners.T
    area = float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
    return area + _INSIDE * float(np.maximum(np.abs(corners - 0.5) - 0.5, 0.0).sum())
