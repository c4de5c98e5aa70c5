"""Wavefront OBJ: millions of lines read as whole blocks of bytes, not line by line."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.formats.mesh.polygons import as_faces, triangulate
from outrider.formats.mesh.raw import Indices, RawAsset, RawGroup, RawMesh
from outrider.formats.number_lists import floats, integers

_BLOCK = 8 << 20  # working memory is some ten times of it
_COMMENT = re.compile(rb"#[^\n]*")
_INDENT = re.compile(rb"(?m)^ +")
_BLANK, _NEWLINE, _SLASH = 32, 10, 47
_BLANKS = bytes(k if k > 32 or k == _NEWLINE else 32 for k in range(256))
_GROUP_WORDS = (b"usemtl", b"o", b"g")
_LEAST_CORNERS = 3


class _Change(NamedTuple):
    """From this face on, faces belong to another object or material."""

    face: int
    word: bytes
    name: str


class _Corners(NamedTuple):
    """Corners of faces in a row: point and texture numbers from 1 (0: none), and counts."""

    points: NDArray[np.integer]
    uv: NDArray[np.integer]
    counts: Indices


def read_wavefront(path: Path, data: bytes) -> RawAsset:
    """Return an OBJ file's triangles in groups of one object and material."""
    file = _ObjFile(path)
    for block in _blocks(data):
        file.add(block)
    return file.asset()


def _blocks(data: bytes) -> Iterator[bytes]:
    """Yield the file in pieces of whole lines, without comments, continuations and indents."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"\\\n" in data:
        data = data.replace(b"\\\n", b" ")
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + _BLOCK) + 1 or len(data)
        block = data[start:end].translate(_BLANKS)  # tabs and other controls: only blanks remain
        start = end
        if b"#" in block:
            block = _COMMENT.sub(b"", block)
        if block[:1] == b" " or b"\n " in block:
            block = _INDENT.sub(b"", block)
        yield block if block.endswith(b"\n") else block + b"\n"


class _ObjFile:
    """Collects the blocks of one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.points: list[Array] = []
        self.uv: list[Array] = []
        self.corners: list[_Corners] = []
        self.changes: list[_Change] = []
        self.libraries: list[str] = []
        self.seen = np.zeros(3, np.int64)  # points, texture coordinates and faces so far

    def add(self, block: bytes) -> None:
        """Read one block of whole lines."""
        text = np.frombuffer(bytearray(block), np.uint8)
        ends = np.flatnonzero(text == _NEWLINE)
        starts = np.concatenate([[0], ends[:-1] + 1])
        first, second = text[starts], text[np.minimum(starts + 1, len(text) - 1)]
        blank = second == _BLANK
        is_point = (first == ord("v")) & blank
        is_uv = (first == ord("v")) & (second == ord("t"))
        is_face = (first == ord("f")) & blank
        other = ~(is_point | is_uv | is_face)
        text[starts[is_point | is_face]] = _BLANK
        text[starts[is_uv]] = text[starts[is_uv] + 1] = _BLANK
        lengths = ends + 1 - starts
        counts = _tokens_per_line(_lines(text, lengths, is_face))
        is_face[is_face] = counts >= _LEAST_CORNERS  # what has fewer has no area
        self._words(block, starts, ends, other, is_face)
        points, uv = _lines(text, lengths, is_point), _lines(text, lengths, is_uv)
        self.points.append(self._rows(points, 3, "a vertex is not three numbers"))
        self.uv.append(self._rows(uv, 2, "a texture coordinate is not two numbers"))
        faces = _lines(text, lengths, is_face)
        corners = self._faces(faces, counts[counts >= _LEAST_CORNERS])
        self.corners.append(self._absolute(corners, is_point, is_uv, is_face))
        self.seen += [is_point.sum(), is_uv.sum(), is_face.sum()]

    def _words(
        self,
        block: bytes,
        starts: Indices,
        ends: Indices,
        other: NDArray[np.bool_],
        is_face: NDArray[np.bool_],
    ) -> None:
        """Take names of objects, materials and libraries out of the few other lines."""
        before = np.cumsum(is_face)
        for k in np.flatnonzero(other & (ends > starts)).tolist():
            word, _, rest = block[starts[k] : ends[k]].partition(b" ")
            name = rest.strip().decode(errors="replace")
            if word == b"mtllib":
                self.libraries.append(name)
            elif word in _GROUP_WORDS:
                self.changes.append(_Change(int(self.seen[2] + before[k]), word, name))

    def _rows(self, text: NDArray[np.uint8], width: int, what: str) -> Array:
        """Return (n, width) of lines of numbers; more values (weights, colours) are left out."""
        counts = _tokens_per_line(text)
        try:
            values = floats(text.tobytes())
        except ValueError:
            values = np.zeros(0)
        if (counts.size and counts.min() < width) or counts.sum() != len(values):
            raise FormatError(f"{self.path}: {what}")
        first = np.cumsum(counts) - counts
        rows: Array = values[first[:, None] + np.arange(width)]
        return rows

    def _faces(self, text: NDArray[np.uint8], counts: Indices) -> _Corners:
        try:
            return _uniform_corners(text, counts) or _mixed_corners(text, counts)
        except (ValueError, OverflowError):
            message = f"{self.path}: a face has a corner that is not a whole number"
            raise FormatError(message) from None

    def _absolute(
        self,
        corners: _Corners,
        is_point: NDArray[np.bool_],
        is_uv: NDArray[np.bool_],
        is_face: NDArray[np.bool_],
    ) -> _Corners:
        """Turn negative numbers, which count back from the latest line, into plain ones."""
        numbers = []
        for k, (values, is_line) in enumerate(((corners.points, is_point), (corners.uv, is_uv))):
            plain = values
            if values.size and values.min() < 0:
                seen = self.seen[k] + np.cumsum(is_line)[is_face]
                latest = np.repeat(seen, corners.counts)
                back = np.maximum(values + latest + 1, 0)  # before the first: none
                plain = np.where(values < 0, back, values)
            numbers.append(as_faces(plain))
        return _Corners(numbers[0], numbers[1], corners.counts)

    def asset(self) -> RawAsset:
        """Return what was collected, polygons cut into triangles."""
        points, uv = _joined(self.points, 3), _joined(self.uv, 2)
        corners = self._all_corners()
        numbers = corners.points
        if numbers.size and (numbers.min() < 1 or numbers.max() > len(points)):
            raise FormatError(f"{self.path}: a face names a vertex outside 1..{len(points)}")
        triangles = triangulate(points, numbers - 1, corners.counts)
        groups = tuple(
            _group(name, material, triangles[own], corners)
            for name, material, own in self._groups(triangles, corners.counts)
        )
        mesh = RawMesh(points, groups, uv if len(uv) else None)
        return RawAsset((mesh,), libraries=tuple(dict.fromkeys(self.libraries)))

    def _all_corners(self) -> _Corners:
        blocks, self.corners = self.corners, []  # given up at once: millions of corners
        none = np.zeros(0, np.int32)
        return _Corners(
            np.concatenate([none, *(block.points for block in blocks)]),
            np.concatenate([none, *(block.uv for block in blocks)]),
            np.concatenate([none, *(block.counts for block in blocks)]).astype(np.int64),
        )

    def _groups(
        self, triangles: Indices, counts: Indices
    ) -> Iterator[tuple[str, str, Indices | slice]]:
        """Yield the object, the material and the triangles of each group."""
        names, of_face = self._named_faces(len(counts))
        if of_face.size and (of_face == of_face[0]).all():
            yield *names[of_face[0]], slice(None)
            return
        of_triangle = np.repeat(of_face, counts)[triangles[:, 0]]
        order = np.argsort(of_triangle, kind="stable")
        bounds = np.searchsorted(of_triangle[order], np.arange(len(names) + 1))
        for (name, material), (start, end) in zip(names, pairwise(bounds.tolist()), strict=True):
            yield name, material, order[start:end]

    def _named_faces(self, count: int) -> tuple[list[tuple[str, str]], Indices]:
        """Return the pairs of object and material, and the number of its pair for each face."""
        state = {b"usemtl": "", b"o": ""}
        numbers: dict[tuple[str, str], int] = {("", ""): 0}
        of_face = np.zeros(count, np.int64)
        following = [*(change.face for change in self.changes[1:]), count]
        for change, end in zip(self.changes, following, strict=False):
            state[b"usemtl" if change.word == b"usemtl" else b"o"] = change.name
            if end > change.face:
                key = (state[b"o"], state[b"usemtl"])
                of_face[change.face : end] = numbers.setdefault(key, len(numbers))
        return list(numbers), of_face


def _group(name: str, material: str, triangles: Indices, corners: _Corners) -> RawGroup:
    """Return triangles, given by places among the corners, as numbers of points."""
    faces, uv_faces = corners.points[triangles] - 1, corners.uv[triangles] - 1
    has_uv = bool((uv_faces >= 0).all())
    return RawGroup(name, material, as_faces(faces), as_faces(uv_faces) if has_uv else None)


def _lines(
    text: NDArray[np.uint8], lengths: Indices, wanted: NDArray[np.bool_]
) -> NDArray[np.uint8]:
    return text[np.repeat(wanted, lengths)]


def _token_starts(text: NDArray[np.uint8]) -> Indices:
    solid = text > _BLANK
    solid[1:] &= text[:-1] <= _BLANK
    return np.flatnonzero(solid)


def _tokens_per_line(text: NDArray[np.uint8]) -> Indices:
    ends = np.flatnonzero(text == _NEWLINE)
    return np.diff(np.searchsorted(_token_starts(text), ends), prepend=0)


def _uniform_corners(text: NDArray[np.uint8], counts: Indices) -> _Corners | None:
    """Read faces whose corners are all written in one way, v, v/vt, v//vn or v/vt/vn."""
    slashes = np.flatnonzero(text == _SLASH)
    total = int(counts.sum())
    if not slashes.size:
        points = integers(text.tobytes())
        return _Corners(points, np.zeros_like(points), counts) if len(points) == total else None
    owner = np.searchsorted(_token_starts(text), slashes, side="right") - 1
    per_corner = np.bincount(owner, minlength=total)
    empty = int((text[np.minimum(slashes + 1, len(text) - 1)] == _SLASH).sum())
    width = int(per_corner[0]) + 1 - bool(empty)
    if (per_corner != per_corner[0]).any() or per_corner[0] > 2 or empty not in (0, total):
        return None
    text = text.copy()
    text[slashes] = _BLANK
    values = integers(text.tobytes())
    if len(values) != total * width:
        return None
    table = values.reshape(total, width)
    uv = np.zeros(total, np.int64) if empty else table[:, 1]
    return _Corners(table[:, 0], uv, counts)


def _mixed_corners(text: NDArray[np.uint8], counts: Indices) -> _Corners:
    """Read faces corner by corner."""
    fields = [corner.split(b"/") for corner in text.tobytes().split()]
    points = [int(field[0]) for field in fields]
    uv = [int(field[1]) if len(field) > 1 and field[1] else 0 for field in fields]
    return _Corners(np.array(points, np.int64), np.array(uv, np.int64), counts)


def _joined(blocks: list[Array], width: int) -> Array:
    return np.concatenate(blocks) if blocks else np.zeros((0, width))
