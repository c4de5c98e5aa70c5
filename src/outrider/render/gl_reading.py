"""From what was drawn to a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.render.develop import develop
from outrider.render.gl_canvas import straight_places
from outrider.render.gl_reader import Reader
from outrider.render.gl_targets import Part
from outrider.render.intrinsics import Intrinsics
from outrider.render.picture import Picture
from outrider.render.shot import Shot

MEASURED = ("depth", "labels")  # the images of one target


def read_picture(
    reader: Reader, shot: Shot, colour: Part | None, measured: Part | None,
    names: Mapping[int, str],
) -> Picture:  # fmt: skip
    """Copy what was drawn."""
    lens = shot.intrinsics
    depth = None if measured is None else _measured(reader, lens, measured, "depth")
    image = None if colour is None else _image(reader, shot, colour, depth)
    labels = None
    if measured is not None and "labels" in shot.wants:
        labels = _measured(reader, lens, measured, "labels")
    return Picture(image, depth if "depth" in shot.wants else None, labels, names)


def _image(
    reader: Reader, shot: Shot, colour: Part, depth: NDArray[Any] | None
) -> NDArray[np.uint8]:
    """Read what the shader developed; what mixes neighbours is developed as by the reference."""
    if shot.film.lens_is_plain:
        return reader.read(colour, 0, "bytes")
    light = reader.read(colour, 0, "light")
    return develop(light, depth, shot.film, shot.intrinsics, slice(0, shot.intrinsics.height))


def _measured(reader: Reader, lens: Intrinsics, part: Part, kind: str) -> NDArray[Any]:
    """Read depth or labels; behind a bent lens, of the nearest pixel of the straight image."""
    found = reader.read(part, MEASURED.index(kind), kind)
    if not lens.distorted:
        return found
    at = straight_places(lens, max(part.target.size))
    column, row = np.rint(at).astype(np.int64).transpose(2, 0, 1)
    nearest: NDArray[Any] = found[row, column]
    return nearest if kind == "labels" else _between(found, at, nearest)


def _between(depth: NDArray[np.float32], at: NDArray[Any], nearest: NDArray[Any]) -> NDArray[Any]:
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
