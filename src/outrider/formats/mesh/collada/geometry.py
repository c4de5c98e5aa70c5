"""The triangles of Collada's geometries, and the skins about them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.formats.mesh.collada.document import ColladaDocument
from outrider.formats.mesh.polygons import as_faces, clip_ears, triangulate
from outrider.formats.mesh.raw import Indices, RawGroup, RawMesh
from outrider.formats.xml_source import Element

_PRIMITIVES = ("triangles", "polylist", "polygons", "tristrips", "trifans")


class _Inputs(NamedTuple):
    """Where points and texture coordinates stand among the numbers of each corner."""

    width: int
    point: int
    uv: int | None
    uv_source: Element | None


class ColladaGeometryReader:
    """Reads each geometry of a document once."""

    def __init__(self, document: ColladaDocument) -> None:
        self.document = document
        self._done: dict[Element, RawMesh | None] = {}

    def geometry(self, element: Element) -> RawMesh | None:
        """Return a geometry in its own frame; its groups' materials are symbols to be bound.

        Splines have no mesh and give None.
        """
        if element not in self._done:
            mesh = element.find("mesh")
            self._done[element] = None if mesh is None else self._mesh(mesh)
            if mesh is None:
                self.document.note(element, "it is not a mesh and was left out")
        return self._done[element]

    def skin(self, controller: Element) -> tuple[Element, Array]:
        """Return the geometry below skins and morphs, and the matrix that binds its shape."""
        matrix = np.eye(4)
        for _ in range(8):
            body = next((e for e in controller if e.tag in ("skin", "morph")), None)
            if body is None:
                raise self.document.fail(controller, "it has neither <skin> nor <morph>")
            bind = body.find("bind_shape_matrix")
            if bind is not None:
                matrix = matrix @ self.document.vector(bind, 16).reshape(4, 4)
            found = self.document.find("geometry", body.get("source"))
            if found is not None:
                self.document.note(controller, "skins and morphs are read in their rest pose")
                return found, matrix
            controller = self.document.named("controller", body, "source")
        raise self.document.fail(controller, "controllers refer to each other in a cycle")

    def _mesh(self, mesh: Element) -> RawMesh:
        points = self._points(mesh)
        pieces: list[tuple[str, Indices, Indices | None, Element | None]] = []
        for primitive in mesh:
            if primitive.tag in _PRIMITIVES:
                inputs = self._inputs(primitive)
                corners = self._corners(primitive, inputs, points)
                uv = None if inputs.uv is None else corners[..., inputs.uv]
                symbol = primitive.get("material", "")
                pieces.append((symbol, corners[..., inputs.point], uv, inputs.uv_source))
        return self._joined(points, pieces)

    def _joined(
        self,
        points: Array,
        pieces: list[tuple[str, Indices, Indices | None, Element | None]],
    ) -> RawMesh:
        """Put the texture coordinates of all primitives in one list."""
        starts: dict[Element, int] = {}
        coordinates: list[Array] = []
        groups = []
        for symbol, faces, uv, source in pieces:
            uv_faces = None
            if uv is not None and source is not None:
                if source not in starts:
                    starts[source] = sum(map(len, coordinates))
                    coordinates.append(self._source(source, 2))
                own = len(coordinates[list(starts).index(source)])
                inside = (uv >= 0) & (uv < own)  # no place of another list by mistake
                uv_faces = as_faces(np.where(inside, uv + starts[source], -1))
            groups.append(RawGroup("", symbol, as_faces(faces), uv_faces))
        return RawMesh(points, tuple(groups), np.concatenate(coordinates) if coordinates else None)

    def _points(self, mesh: Element) -> Array:
        for entry in mesh.iterfind("vertices/input"):
            if entry.get("semantic") == "POSITION":
                return self._source(self.document.named("source", entry, "source"), 3)
        raise self.document.fail(mesh, "it has no <vertices> with an input POSITION")

    def _inputs(self, primitive: Element) -> _Inputs:
        document = self.document
        width, point, uv, source, lowest = 0, None, None, None, 0
        for entry in primitive.findall("input"):
            offset = document.whole(entry, "offset", 0)
            if offset > 64:
                raise document.fail(entry, f"offset {offset} is too large")
            width = max(width, offset + 1)
            semantic, number = entry.get("semantic"), document.whole(entry, "set", 0)
            if semantic == "VERTEX":
                point = offset
                shared = self._shared_uv(entry)
                if shared is not None and uv is None:
                    uv, source = offset, document.named("source", shared, "source")
                    lowest = 1 << 20  # coordinates of its own are preferred
            elif semantic == "TEXCOORD" and (uv is None or number < lowest):
                uv, source = offset, document.named("source", entry, "source")
                lowest = number
        if point is None:
            raise document.fail(primitive, "it has no input VERTEX")
        return _Inputs(width, point, uv, source)

    def _shared_uv(self, entry: Element) -> Element | None:
        """Return the input of texture coordinates that points carry themselves, if they do."""
        vertices = self.document.find("vertices", entry.get("source"))
        return None if vertices is None else vertices.find("input[@semantic='TEXCOORD']")

    def _source(self, source: Element, wanted: int) -> Array:
        """Return the rows (n, wanted) of a source, by its accessor's offset and stride."""
        document = self.document
        array = source.find("float_array")
        accessor = source.find("technique_common/accessor")
        if accessor is not None:
            other = document.find("float_array", accessor.get("source"))
            array = array if other is None else other
        if array is None:
            raise document.fail(source, "it has no <float_array>")
        values = document.floats(array)
        if accessor is None:
            return _rows(values, 0, wanted, len(values) // wanted, wanted)
        stride, offset = (
            document.whole(accessor, "stride", 1),
            document.whole(accessor, "offset", 0),
        )
        count = document.whole(accessor, "count", 0)
        if stride < wanted:
            raise document.fail(accessor, f"stride {stride} is less than {wanted} values")
        if count and offset + stride * (count - 1) + wanted > len(values):
            there = f"{count} rows of {stride}, but the list has {len(values)} numbers"
            raise document.fail(accessor, f"it declares {there}")
        return _rows(values, offset, stride, count, wanted)

    def _corners(self, primitive: Element, inputs: _Inputs, points: Array) -> Indices:
        """Return the corner numbers of triangles (m, 3, width)."""
        kind = str(primitive.tag)
        if kind == "polygons":
            return self._polygons(primitive, inputs, points)
        if kind in ("tristrips", "trifans"):
            strips = [self._numbers(p, inputs) for p in primitive.findall("p")]
            found = [numbers[_strip(len(numbers), fan=kind == "trifans")] for numbers in strips]
            return np.concatenate([*found, np.zeros((0, 3, inputs.width), np.int64)])
        body = primitive.find("p")
        numbers = np.zeros((0, inputs.width), np.int64)
        if body is not None:
            numbers = self._numbers(body, inputs)
        if kind == "triangles":
            if len(numbers) % 3:
                raise self.document.fail(primitive, f"{len(numbers)} corners do not form triangles")
            return numbers.reshape(-1, 3, inputs.width)
        return self._polylist(primitive, numbers, inputs, points)

    def _polylist(
        self, primitive: Element, numbers: Indices, inputs: _Inputs, points: Array
    ) -> Indices:
        listed = primitive.find("vcount")
        counts = np.zeros(0, np.int64) if listed is None else self.document.integers(listed)
        if (counts < 0).any() or counts.sum() != len(numbers):
            message = f"<vcount> declares {counts.sum()} corners, <p> has {len(numbers)}"
            raise self.document.fail(primitive, message)
        corners = numbers[np.repeat(counts >= 3, counts)]
        self._check(primitive, corners[:, inputs.point], points)
        return corners[triangulate(points, corners[:, inputs.point], counts[counts >= 3])]

    def _polygons(self, primitive: Element, inputs: _Inputs, points: Array) -> Indices:
        """Return polygons written one by one: ``<p>``, or ``<ph>`` with holes in it."""
        plain = [self._numbers(p, inputs) for p in primitive.findall("p")]
        plain = [numbers for numbers in plain if len(numbers) >= 3]
        found = [np.zeros((0, 3, inputs.width), np.int64)]
        if plain:
            corners = np.concatenate(plain)
            self._check(primitive, corners[:, inputs.point], points)
            counts = np.array([len(numbers) for numbers in plain])
            found.append(corners[triangulate(points, corners[:, inputs.point], counts)])
        for element in primitive.findall("ph"):
            loops = [self._numbers(e, inputs) for e in element if e.tag in ("p", "h")]
            loops = [loop for loop in loops if len(loop) >= 3]
            if loops:
                corners = np.concatenate(loops)
                self._check(element, corners[:, inputs.point], points)
                found.append(corners[clip_ears([points[loop[:, inputs.point]] for loop in loops])])
        return np.concatenate(found)

    def _numbers(self, element: Element, inputs: _Inputs) -> Indices:
        values = self.document.integers(element)
        if len(values) % inputs.width:
            message = f"{len(values)} numbers are not a multiple of {inputs.width}"
            raise self.document.fail(element, message)
        return values.reshape(-1, inputs.width)

    def _check(self, element: Element, numbers: Indices, points: Array) -> None:
        if numbers.size and (numbers.min() < 0 or numbers.max() >= len(points)):
            raise self.document.fail(element, f"it names points beyond the {len(points)} there are")
        if not np.isfinite(points).all():
            raise FormatError(f"{self.document.name}: some vertices are not finite")


def _rows(values: Array, offset: int, stride: int, count: int, wanted: int) -> Array:
    if count == 0:
        return np.zeros((0, wanted))
    coordinates = offset + stride * np.arange(count)[:, None] + np.arange(wanted)
    rows: Array = values[coordinates]
    return rows


def _strip(count: int, *, fan: bool) -> Indices:
    """Return the corners (m, 3) of a strip or fan of triangles."""
    k = np.arange(max(0, count - 2))
    odd = k % 2  # every second triangle of a strip turns the other way
    if fan:
        return np.stack([np.zeros_like(k), k + 1, k + 2], axis=1)
    return np.stack([k, k + 1 + odd, k + 2 - odd], axis=1)
