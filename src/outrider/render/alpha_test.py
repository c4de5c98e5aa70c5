"""Alpha cutouts: for every hit on a leaf it is asked whether the texture is opaque there."""

from functools import cache, lru_cache

import numpy as np
from numba import carray, cfunc, types

from outrider.core.address import pointer
from outrider.core.compiled import compiled_nogil
from outrider.core.errors import FormatError
from outrider.core.untyped import Llvm
from outrider.formats.textures import WITH_OPACITY, texture_info
from outrider.render.light import CUT
from outrider.render.texture.mipmaps import Bytes, texture_of
from outrider.render.texture.planes import bordered
from outrider.scene.embree import HitFilter
from outrider.scene.surface import Floats32
from outrider.world.materials import Material
from outrider.world.shapes import Faces

_ALL_ONES = -1  # what Embree writes for a ray that still counts
_PLACES, _PLANE, _WIDTH, _HEIGHT, _EDGE, _DATA = range(6)  # of a filter's data
_U, _V, _PRIM, _HIT_ROWS = 3, 4, 5, 8  # rows of RTCHitN
_PLACE = 6  # numbers of a face: its corners in the texture


@compiled_nogil
def _opacity(address: int, w: int, h: int, x: Llvm, y: Llvm) -> Llvm:  # pragma: no cover - compiled
    """Return the opacity (0..255) at texture coordinates from the top, in a plane with a border."""
    x, y = x * np.float32(w) + np.float32(0.5), y * np.float32(h) + np.float32(0.5)
    column, row = min(int(x), w), min(int(y), h)
    right, down = x - np.float32(column), y - np.float32(row)
    start = address + row * (w + 2) + column
    top, low = carray(pointer(start), 2, np.uint8), carray(pointer(start + w + 2), 2, np.uint8)
    a, b = np.float32(top[0]), np.float32(top[1])
    c, d = np.float32(low[0]), np.float32(low[1])
    high, deep = a + right * (b - a), c + right * (d - c)
    return high + down * (deep - high)


def _let_through(arguments: Llvm) -> None:  # pragma: no cover - compiled
    """Take back the hits (RTCFilterFunctionNArguments) at which the texture has a hole."""
    words = carray(arguments, 6, np.int64)  # valid, user data, context, rays, hits, how many
    n = words[5] & 0xFFFFFFFF
    valid = carray(pointer(words[0]), n, np.int32)
    hit_filter = carray(pointer(words[1]), _DATA, np.int64)
    edge = np.float32(carray(pointer(words[1]), _DATA, np.float64)[_EDGE])
    hits = carray(pointer(words[4]), _HIT_ROWS * n, np.float32)
    prims = carray(pointer(words[4]), _HIT_ROWS * n, np.int32)
    for i in range(n):
        if valid[i] != _ALL_ONES:
            continue
        face = prims[_PRIM * n + i]
        p = carray(pointer(hit_filter[_PLACES] + 4 * _PLACE * face), _PLACE, np.float32)
        u, v = hits[_U * n + i], hits[_V * n + i]
        w = np.float32(1.0) - u - v
        x, y = w * p[0] + u * p[2] + v * p[4], w * p[1] + u * p[3] + v * p[5]
        x, y = x - np.floor(x), y - np.floor(y)
        if _opacity(hit_filter[_PLANE], hit_filter[_WIDTH], hit_filter[_HEIGHT], x, y) < edge:
            valid[i] = 0


@cache
def _filter() -> Llvm:
    """Return it as Embree calls it; it is loaded only where there are holes."""
    return cfunc(types.void(types.CPointer(types.int64)), cache=True)(_let_through)


def has_holes(material: Material) -> bool:
    """Return whether rays pass some of a surface, where its texture is not there."""
    return bool(material.texture) and _cut_out(material.texture)


def opacity_of(material: Material) -> float:
    """Return how opaque a surface is: its colour, times its texture if one sees through that."""
    return material.colour[3] * (_veil(material.texture) if material.texture else 1.0)


@lru_cache(maxsize=256)
def _veil(path: str) -> float:
    """Return the mean opacity of a texture most of which one sees through; 1 of any other."""
    return texture_of(path).opacity if _has_opacity(path) and texture_of(path).translucent else 1.0


@lru_cache(maxsize=256)
def _cut_out(path: str) -> bool:
    return _has_opacity(path) and texture_of(path).cut_out


def _has_opacity(path: str) -> bool:
    """Return whether a texture may have holes or be a veil; most, by their kind, may not."""
    try:
        return texture_info(path).mode in WITH_OPACITY
    except FormatError:
        return False


def hit_filter_of(material: Material, uv: Floats32 | None, faces: Faces) -> HitFilter:
    """Return what lets rays through a mesh; ``uv`` are its texture coordinates, v upward."""
    plane = _plane(material.texture if uv is not None else "")
    places = _texture_places(uv, faces)
    data = np.zeros(_DATA, np.int64)
    data[: _HEIGHT + 1] = places.ctypes.data, plane.ctypes.data, plane.shape[1] - 2, len(plane) - 2
    data.view(np.float64)[_EDGE] = CUT * 255.0 / max(material.colour[3], 1e-9)
    return HitFilter(_filter().address, data, (places, plane))


@lru_cache(maxsize=256)
def _plane(path: str) -> Bytes:
    """Return the opacity of a texture, with a border."""
    return bordered(texture_of(path).levels[0][..., 3] if path else _OPAQUE)


def _texture_places(uv: Floats32 | None, faces: Faces) -> Floats32:
    """Return where the corners of faces lie in the texture, from its top."""
    if uv is None:
        return np.zeros((len(faces), _PLACE), np.float32)
    places = uv[faces].reshape(-1, _PLACE)
    places[:, 1::2] = 1.0 - places[:, 1::2]
    return np.ascontiguousarray(places, np.float32)


_OPAQUE = np.full((1, 1), 255, np.uint8)
