"""The relief of the ground below its mesh (scene/roughness.py), as its shading shows it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from outrider.render.geometry import Drawing, DrawPiece
from outrider.scene.relief import Relief
from outrider.scene.roughness import CELLS, SIDE, amplitude, tile
from outrider.scene.surface import Floats32

Bytes = NDArray[np.uint8]
LEVEL = 128  # the byte of a slope of 0
# cells of the relief that a pixel spans: up to here all of it shows, from there on nothing
ALL_OF_IT, NOTHING_OF_IT = 0.8, 1.6


class SlopeTile(NamedTuple):
    """Slopes along x and y at the middle of every cell of a relief of unit height."""

    slopes: Bytes  # (CELLS, CELLS, 2), rows along y
    per_byte: float  # a slope is (byte - LEVEL) times this


@lru_cache(maxsize=4)
def slope_tile(exponent: float, seed: int) -> SlopeTile:
    """Return the slopes of the tile that tyres and beams find."""
    heights = tile(exponent, seed).T.astype(np.float64)  # rows along y
    along, up = (np.roll(heights, -1, axis) - heights for axis in (1, 0))
    slopes = np.stack([along + np.roll(along, -1, 0), up + np.roll(up, -1, 1)], axis=2)
    slopes *= CELLS / SIDE / 2  # the mean of both sides of a cell
    per_byte = float(np.abs(slopes).max()) / (255 - LEVEL)
    return SlopeTile(np.rint(slopes / per_byte + LEVEL).astype(np.uint8), per_byte)


def relief_height(piece: DrawPiece, seed: int | None) -> float:
    """Return what a tile's heights are multiplied with on something that never moves."""
    return 0.0 if seed is None else amplitude(piece.material.roughness)


class ReliefTables(NamedTuple):
    """The relief of all shapes of a drawing, for compiled code."""

    steepness: Floats32  # per shape: slope of a byte; 0 for none
    tile: NDArray[np.int32]  # per shape
    slopes: Bytes  # (tiles, CELLS, CELLS, 2)


class GroundRows(NamedTuple):
    """The relief of a drawing for depth images: a row for each kind."""

    relief: Relief
    row: Floats32  # per shape, 1 and a row of the relief; 0 for none


def ground_rows(drawing: Drawing) -> GroundRows:
    """Return the relief of a drawing's shapes, in the order of its tables."""
    pieces = drawing.static.pieces if drawing.static else ()
    kinds = [(relief_height(p, drawing.relief_seed), p.material.roughness.slope) for p in pieces]
    used = sorted({kind for kind in kinds if kind[0]})
    movers = sum(len(group.pieces) for group in drawing.movers)
    rows = [1 + used.index(kind) if kind[0] else 0 for kind in kinds] + [0] * movers
    return GroundRows(Relief.of_rows(used, drawing.relief_seed), np.array(rows, np.float32))


def relief_tables(drawing: Drawing) -> ReliefTables | None:
    """Return the relief of a drawing's shapes, in the order of its tables; None if all are even."""
    pieces = drawing.static.pieces if drawing.static else ()
    seed = drawing.relief_seed
    heights = [relief_height(piece, seed) for piece in pieces]
    if seed is None or not any(heights):
        return None
    exponents = [piece.material.roughness.slope for piece in pieces]
    used = sorted({e for e, height in zip(exponents, heights, strict=True) if height})
    tiles = [slope_tile(exponent, seed) for exponent in used]
    which = [used.index(e) if height else 0 for e, height in zip(exponents, heights, strict=True)]
    steepness = [height * tiles[n].per_byte for height, n in zip(heights, which, strict=True)]
    movers = sum(len(group.pieces) for group in drawing.movers)
    return ReliefTables(
        np.array(steepness + [0.0] * movers, np.float32),
        np.array(which + [0] * movers, np.int32),
        np.stack([each.slopes for each in tiles]),
    )
