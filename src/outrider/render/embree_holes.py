"""Holes in textures: Embree asks at every leaf that a ray meets whether there is something."""

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, cfunc, types
from numba.extending import intrinsic

from outrider.render.light import CUT
from outrider.render.tables import Tables
from outrider.scene.embree import Sieve

_ALL_ONES = -1  # what Embree writes for a ray that still counts
_FACES, _UV, _TEXELS, _WIDTH, _HEIGHT, _OPACITY = range(6)  # of a sieve's data
_U, _V, _PRIM = 3, 4, 5  # rows of RTCHitN


@intrinsic  # type: ignore[untyped-decorator]
def _pointer(context: Any, address: Any) -> Any:  # noqa: ARG001
    """Return a number as the pointer that it is."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), generate


@cfunc(types.void(types.CPointer(types.int64)), cache=True)  # type: ignore[untyped-decorator]
def _let_through(arguments: Any) -> None:  # pragma: no cover - compiled
    """Take back the hits (RTCFilterFunctionNArguments) at which the texture has a hole."""
    words = carray(arguments, 6, np.int64)  # valid, user data, context, rays, hits, how many
    n = words[5] & 0xFFFFFFFF
    valid = carray(_pointer(words[0]), n, np.int32)
    sieve = carray(_pointer(words[1]), 6, np.int64)
    numbers = carray(_pointer(words[4]), 8 * n, np.float32)
    whole = carray(_pointer(words[4]), 8 * n, np.int32)
    w, h = sieve[_WIDTH], sieve[_HEIGHT]
    texels = carray(_pointer(sieve[_TEXELS]), 4 * w * h, np.uint8)
    for i in range(n):
        if valid[i] != _ALL_ONES:
            continue
        face = carray(_pointer(sieve[_FACES] + 12 * whole[_PRIM * n + i]), 3, np.int32)
        u, v = numbers[_U * n + i], numbers[_V * n + i]
        a = carray(_pointer(sieve[_UV] + 8 * face[0]), 2, np.float32)
        b = carray(_pointer(sieve[_UV] + 8 * face[1]), 2, np.float32)
        c = carray(_pointer(sieve[_UV] + 8 * face[2]), 2, np.float32)
        pu = (np.float32(1.0) - u - v) * a[0] + u * b[0] + v * c[0]
        pv = (np.float32(1.0) - u - v) * a[1] + u * b[1] + v * c[1]
        x = (pu - math.floor(pu)) * w - 0.5
        y = (1.0 - (pv - math.floor(pv))) * h - 0.5
        x0, y0 = math.floor(x), math.floor(y)
        right, down = x - x0, y - y0
        x0, y0, x1, y1 = x0 % w, y0 % h, (x0 + 1) % w, (y0 + 1) % h
        top = (1.0 - right) * texels[4 * (y0 * w + x0) + 3] + right * texels[4 * (y0 * w + x1) + 3]
        low = (1.0 - right) * texels[4 * (y1 * w + x0) + 3] + right * texels[4 * (y1 * w + x1) + 3]
        if ((1.0 - down) * top + down * low) * sieve[_OPACITY] < CUT * 255.0 * 1e9:
            valid[i] = 0


def sieves_of(tables: Tables, group: int, shapes: int) -> dict[int, Sieve]:
    """Return what lets rays through the shapes of a group; the tables must stay where they are."""
    first = int(tables.first_shape[group])
    holed = [k for k in range(shapes) if tables.holes[first + k]]
    return {k: _sieve(tables, first + k) for k in holed}


def _sieve(t: Tables, shape: int) -> Sieve:
    opacity = int(float(t.colour[shape, 3]) * 1e9)
    texels, (height, width) = _OPAQUE, (1, 1)
    if t.texture[shape] >= 0:
        level = t.first_level[t.texture[shape]]
        texels, (height, width) = t.texels[t.level_start[level] :], t.level_size[level]
    faces = t.faces[t.first_face[shape] :]
    data = [faces.ctypes.data, t.uv.ctypes.data, texels.ctypes.data, width, height, opacity]
    return Sieve(_let_through.address, np.array(data, np.int64))


_OPAQUE = np.full((1, 4), 255, np.uint8)
