"""From what was drawn to an image."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.core.frames import AnyArray
from outrider.render.develop import develop
from outrider.render.gl.camera import Pinhole
from outrider.render.gl.canvas import undistorted_pixels
from outrider.render.gl.ground import raise_ground
from outrider.render.gl.reader import Reader
from outrider.render.gl.targets import AtlasCell
from outrider.render.intrinsics import Intrinsics
from outrider.render.picture import Picture
from outrider.render.precipitation import with_precipitation
from outrider.render.shot import Shot
from outrider.scene.relief import Relief


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A shot, and where it was drawn."""

    shot: Shot
    colour: AtlasCell | None
    measured: AtlasCell | None
    pinhole: Pinhole
    relief: Relief


def measured_kinds(shot: Shot, relief: Relief) -> tuple[str, ...]:
    """Return which images a shot's measurement is drawn into."""
    labels = ("labels",) if "labels" in shot.wants else ()
    return ("depth", *labels, *(("ground",) if relief and "depth" in shot.wants else ()))


def copied(reader: Reader, drawn: Drawn) -> dict[str, AnyArray]:
    """Return what was drawn as it is."""
    out = {}
    if drawn.colour:
        kind = "bytes" if drawn.shot.film.lens_is_plain else "light"
        out["colour"] = reader.read(drawn.colour, 0, kind)
    if drawn.measured:
        for number, kind in enumerate(measured_kinds(drawn.shot, drawn.relief)):
            out[kind] = reader.read(drawn.measured, number, kind)
    return out


def picture_of(drawn: Drawn, copies: dict[str, AnyArray], names: Mapping[int, str]) -> Picture:
    """Return the picture of a shot."""
    shot, lens = drawn.shot, drawn.shot.intrinsics
    depth, labels = copies.get("depth"), copies.get("labels")
    if depth is not None:
        if "ground" in copies:
            raise_ground(shot, drawn.pinhole, drawn.relief, copies["ground"], depth)
        depth = _seen_by(lens, depth)
    image = _image(shot, copies["colour"], depth) if "colour" in copies else None
    if labels is not None:
        labels = _seen_by(lens, labels)
    if image is not None:
        image = with_precipitation(image, shot)
    return Picture(image, depth if "depth" in shot.wants else None, labels, names)


def _image(shot: Shot, colour: AnyArray, depth: AnyArray | None) -> NDArray[np.uint8]:
    """Return what the shader developed; what mixes neighbours is developed as by the reference."""
    if shot.film.lens_is_plain:
        return _without_opacity(colour)
    return develop(colour, depth, shot.film, shot.intrinsics, slice(0, shot.intrinsics.height))


def _without_opacity(pixels: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return red, green and blue (h, w, 3) of pixels whose bytes are red, green, blue, opacity."""
    h, w = pixels.shape
    out = np.empty(pixels.size * 3, np.uint8)
    whole = pixels.size // 4 * 4
    _pack(pixels.reshape(-1)[:whole], out[: 3 * whole].view(np.uint32))
    rest = pixels.reshape(-1)[whole:].view(np.uint8).reshape(-1, 4)
    out[3 * whole :] = rest[:, :3].reshape(-1)
    return out.reshape(h, w, 3)


@compiled_nogil
def _pack(pixels: NDArray[np.uint32], out: NDArray[np.uint32]) -> None:  # pragma: no cover
    """Put three bytes of every word one behind the other; words come in fours."""
    for i in range(len(pixels) // 4):
        a, b, c, d = pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2], pixels[4 * i + 3]
        out[3 * i] = (a & np.uint32(0xFFFFFF)) | (b << np.uint32(24))
        out[3 * i + 1] = ((b >> np.uint32(8)) & np.uint32(0xFFFF)) | (c << np.uint32(16))
        out[3 * i + 2] = ((c >> np.uint32(16)) & np.uint32(0xFF)) | (d << np.uint32(8))


def _seen_by(lens: Intrinsics, found: AnyArray) -> AnyArray:
    """Return depth or labels; behind a bent lens, of the nearest pixel of the straight image."""
    if not lens.distorted:
        return found
    at = undistorted_pixels(lens, max(found.shape))
    column, row = np.rint(at).astype(np.int64).transpose(2, 0, 1)
    nearest: AnyArray = found[row, column]
    return nearest if found.dtype.kind == "i" else _between(found, at, nearest)


def _between(depth: NDArray[np.float32], at: AnyArray, nearest: AnyArray) -> AnyArray:
    """Return depth between pixels: on a plane its inverse is linear; at edges the nearest stays."""
    column, row = np.floor(at).astype(np.int64).transpose(2, 0, 1)
    a, b = (at - np.floor(at)).transpose(2, 0, 1)
    with np.errstate(divide="ignore"):
        corners = [
            1 / depth[row + j, column + i].astype(np.float64) for j in (0, 1) for i in (0, 1)
        ]
    inverse = (1 - b) * ((1 - a) * corners[0] + a * corners[1]) + b * (
        (1 - a) * corners[2] + a * corners[3]
    )
    low, high = np.minimum.reduce(corners), np.maximum.reduce(corners)
    smooth = (low > 0) & (high < 1.05 * low)
    return np.where(smooth, 1 / np.where(smooth, inverse, 1.0), nearest).astype(np.float32)
