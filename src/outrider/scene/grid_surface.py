"""A surface with a ground too large for memory: rays traverse its cells, Embree has the rest."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import SceneError
from outrider.core.structure import Data
from outrider.scene.embree import HitFilter
from outrider.scene.grid_kernels import cast_grid
from outrider.scene.surface import Floats32, Piece, Surface
from outrider.world.level_of_detail import level_of_detail_mesh
from outrider.world.model import Geometry
from outrider.world.shapes import MappedField
from outrider.world.tessellate import bounds


class GridSurface(Surface):
    """As a surface, of one mapped field and any other shapes; the field stands unturned."""

    def __init__(self, geometry: list[Geometry]) -> None:
        self.geometry = tuple(geometry)
        fields = [k for k, g in enumerate(geometry) if isinstance(g.shape, MappedField)]
        if len(fields) != 1:
            raise SceneError("a world can have one endless terrain")
        self.number = fields[0]
        field = geometry[self.number].shape
        assert isinstance(field, MappedField)
        self.field = field
        others = [k for k in range(len(geometry)) if k != self.number]
        self._others = Surface([geometry[k] for k in others]) if others else None
        self._numbers = np.array([*others, -1], np.int32)  # the last for "nothing"
        self._grid = self._make_grid(geometry[self.number])
        low, high = bounds(field)
        if self._others is not None:
            low, high = np.minimum(low, self._others.low), np.maximum(high, self._others.high)
        self.low, self.high = low, high
        self.triangles = field.triangles + (self._others.triangles if self._others else 0)
        self.tolerance = self._others.tolerance if self._others else 0.0

    def _make_grid(self, ground: Geometry) -> tuple[Any, ...]:
        field = self.field
        offset = ground.pose.position
        if np.abs(ground.pose.rpy).max() > 1e-9 or abs(offset[2]) > 1e-9:
            raise SceneError("endless terrain cannot be rotated or lifted")
        (rows, columns), (x, y) = field.heights.shape, field.size
        starts = np.cumsum([0, *(level.size for level in field.tops)])[:-1].astype(np.int64)
        widths = np.array([level.shape[1] for level in field.tops], np.int64)
        tops = np.concatenate([np.asarray(level).ravel() for level in field.tops])
        low_x, low_y = float(offset[0]) - x / 2, float(offset[1]) - y / 2
        cells = x / (rows - 1), y / (columns - 1)
        return np.asarray(field.heights), tops, starts, widths, *cells, low_x, low_y

    def drawn(self, x: float, y: float) -> list[Geometry]:
        """Return all shapes, the ground as triangles that are finest around a place."""
        shown = list(self.geometry)
        mesh = level_of_detail_mesh(self.field, x, y)
        shown[self.number] = replace(shown[self.number], shape=mesh)
        return shown

    def pieces(self) -> Iterator[Piece]:
        """Return the shapes beside the ground."""
        for number, geometry, vertices, faces in self._others.pieces() if self._others else ():
            yield int(self._numbers[number]), geometry, vertices, faces

    def with_hit_filters(self, hit_filters: Mapping[int, HitFilter]) -> Self:
        """Return the same surface, some of whose shapes let rays through."""
        assert self._others is not None
        own = {number: k for k, number in enumerate(self._numbers.tolist())}
        made = copy(self)
        made._others = self._others.with_hit_filters(
            {own[k]: hit_filter for k, hit_filter in hit_filters.items()}
        )
        made.filtered = frozenset(hit_filters)
        return made

    def cast_raw(
        self, origins: Floats32, directions: Floats32, far: Floats32, alike: bool = False
    ) -> Data:
        """Cast rays into everything: first into what Embree has, then over the ground."""
        if self._others is not None:
            found = self._others.cast_raw(origins, directions, far, alike)
            found["geomID"] = self._numbers[found["geomID"]]
        else:
            shapes = np.full(len(far), -1, np.int32)
            found = {"tfar": far, "geomID": shapes, "Ng": np.zeros((len(far), 3), np.float32)}
        heights, tops, starts, widths, cell_x, cell_y, low_x, low_y = self._grid
        cast_grid(
            heights,
            tops,
            starts=starts,
            widths=widths,
            cell_x=cell_x,
            cell_y=cell_y,
            low_x=low_x,
            low_y=low_y,
            origins=origins,
            directions=directions,
            number=self.number,
            far=found["tfar"],
            shapes=found["geomID"],
            normals=found["Ng"],
        )
        return found

    def packets(self, runs: Sequence[NDArray[np.int32]]) -> None:
        """Return nothing: the ground is not all in one tracer."""
        del runs

    def blocked(self, origins: Floats32, directions: Floats32, far: Floats32) -> NDArray[np.bool_]:
        """Return for each ray whether anything lies on its way."""
        hit: NDArray[np.bool_] = self.cast_raw(origins, directions, far.copy())["geomID"] >= 0
        return hit


def surface_of(geometry: list[Geometry]) -> Surface:
    """Return the surface of some shapes."""
    mapped = any(isinstance(g.shape, MappedField) for g in geometry)
    return GridSurface(geometry) if mapped else Surface(geometry)
