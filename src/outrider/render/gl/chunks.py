"""Triangles split into compact chunks, each with levels of detail."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from outrider.core.cache import cached, content_key
from outrider.core.frames import Array
from outrider.core.process.interpreter import giving_way
from outrider.render.gl.simplify import LADDER, simplified
from outrider.scene.surface import Floats32

_MOST, _LEAST, _SHARE = 12_288, 512, 48  # triangles of a chunk: a share of all, within limits
_BITS = 10  # per axis of the grid that chunks are cells of
_WORTH_KEEPING = 60_000  # triangles from which on versions are kept on disk
_VERSION = 3  # of what is kept
Indices = NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Chunks (n,) of one mesh; versions are runs of ``indices``, the first is the mesh itself."""

    indices: Indices
    low: Array  # (n, 3)
    high: Array
    first: NDArray[np.int64]  # (n, versions)
    count: NDArray[np.int64]
    error: Array  # (n, versions), m


def cut_up(positions: Floats32, faces: NDArray[np.integer]) -> Cut:
    """Cut a mesh up; borders between chunks stay as they are, so that no version leaves cracks."""
    triangles: Indices = np.ascontiguousarray(faces, np.uint32)
    if len(triangles) < _WORTH_KEEPING:
        return _cut(positions, triangles)
    key = content_key(_VERSION, _MOST, LADDER, positions, triangles)
    kept = cached("chunks", key, lambda: asdict(_cut(positions, triangles)))
    return Cut(**kept)


def _cut(positions: Floats32, faces: Indices) -> Cut:
    order, bounds = _cells(positions, faces)
    with ThreadPoolExecutor() as pool:  # the compiled part runs beside others
        pieces = [faces[order[i:j]] for i, j in pairwise(bounds)]
        chunks = list(pool.map(partial(_simplified, positions), pieces))
    count = np.array([[len(run) for run, _ in versions] for versions in chunks], np.int64)
    new = np.array([_first_uses([run for run, _ in versions]) for versions in chunks])
    ends = np.cumsum(np.where(new, count, 0)).reshape(count.shape)  # a run used again is kept once
    first = ends - count
    corners = [positions[versions[0][0]] for versions in chunks]
    return Cut(
        np.concatenate(
            [
                run
                for versions, own in zip(chunks, new, strict=True)
                for (run, _), kept in zip(versions, own, strict=True)
                if kept
            ]
        ),
        np.array([points.min(axis=0) for points in corners], np.float64),
        np.array([points.max(axis=0) for points in corners], np.float64),
        first,
        count,
        np.array([[error for _, error in versions] for versions in chunks], np.float64),
    )


def _simplified(positions: Floats32, piece: Indices) -> list[tuple[Indices, float]]:
    with giving_way():
        return simplified(positions, piece)


def _first_uses(runs: list[Indices]) -> list[bool]:
    """Return which runs are not the one before them again."""
    return [True, *(run is not before for before, run in pairwise(runs))]


def _cells(positions: Floats32, faces: Indices) -> tuple[NDArray[np.int64], list[int]]:
    """Return an order of the triangles, and where chunks begin in it, with the end."""
    codes = _codes(positions, faces)
    order = np.argsort(codes, kind="stable")
    bounds: list[int] = []
    most = min(_MOST, max(_LEAST, len(codes) // _SHARE))
    _split(codes[order], (0, len(codes)), _BITS, most, bounds)
    return order, [*bounds, len(codes)]


def _split(
    codes: NDArray[np.uint32], run: tuple[int, int], depth: int, most: int, bounds: list[int]
) -> None:
    """Divide a cell into eight until few enough triangles are in each."""
    start, end = run
    if end - start <= most or depth == 0:
        if end > start:
            bounds.append(start)
        return
    digits = (codes[start:end] >> np.uint32(3 * (depth - 1))) & np.uint32(7)
    edges = start + np.searchsorted(digits, np.arange(9))
    for low, high in pairwise(edges.tolist()):
        _split(codes, (low, high), depth - 1, most, bounds)


def _codes(positions: Floats32, faces: Indices) -> NDArray[np.uint32]:
    """Return the cell of each triangle's middle: bits of x, y and z by turns."""
    middle = positions[faces].mean(axis=1)
    low = middle.min(axis=0)
    side = max(float((middle.max(axis=0) - low).max()), 1e-9)
    cells = np.minimum((middle - low) / side * 2**_BITS, 2**_BITS - 1).astype(np.uint32)
    codes = np.zeros(len(faces), np.uint32)
    for bit in range(_BITS):
        for axis in range(3):
            digit = (cells[:, axis] >> np.uint32(bit)) & np.uint32(1)
            codes |= digit << np.uint32(3 * bit + axis)
    return codes
