"""Triangles that rays can be cast into: one tracer in one frame."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import SceneError
from outrider.core.frames import Array
from outrider.core.structure import Data
from outrider.scene.embree import Floats32, HitFilter, padded_rows
from outrider.scene.packets import Packets
from outrider.scene.tracer import Tracer, tracer_of
from outrider.scene.triangles import tolerance_for, triangles
from outrider.world.model import Geometry

__all__ = ["Floats32", "Hits", "Surface"]
Piece: TypeAlias = tuple[int, Geometry, Floats32, NDArray[np.int32]]


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Where rays ended: distance (n,), shape (n,) as a number or -1, normal (n, 3) not unit."""

    distance: Floats32
    shape: NDArray[np.int32]
    normal: Floats32


class Surface:
    """Shapes in a common frame, numbered in the order given."""

    filtered: frozenset[int] = frozenset()  # shapes that let rays through

    def __init__(self, geometry: list[Geometry]) -> None:
        self.geometry = tuple(geometry)
        self.tolerance = tolerance_for([g.shape for g in geometry])  # of round shapes, in m
        self.meshes = [self._mesh(g) for g in geometry]
        corners = np.concatenate([vertices for vertices, _ in self.meshes])
        self.low: Array = corners.min(axis=0).astype(np.float64)
        self.high: Array = corners.max(axis=0).astype(np.float64)
        self.triangles = sum(len(faces) for _, faces in self.meshes)

    @cached_property
    def tracer(self) -> Tracer:
        """What casts the rays."""
        return tracer_of(self.meshes)

    def pieces(self) -> Iterator[Piece]:
        """Return the shapes whose triangles are known, by number: geometry, vertices, faces."""
        for number, (geometry, mesh) in enumerate(zip(self.geometry, self.meshes, strict=True)):
            yield number, geometry, *mesh

    def only(self, numbers: Sequence[int]) -> Self:
        """Return a surface of some of the shapes, numbered in the order given."""
        made = copy(self)
        made.__dict__.pop("tracer", None)
        made.geometry = tuple(self.geometry[k] for k in numbers)
        made.meshes = [self.meshes[k] for k in numbers]
        made.triangles = sum(len(faces) for _, faces in made.meshes)
        made.filtered = frozenset()
        return made

    def with_hit_filters(self, hit_filters: Mapping[int, HitFilter]) -> Self:
        """Return the same surface, some of whose shapes let rays through."""
        made = copy(self)
        made.tracer = tracer_of(self.meshes, hit_filters)
        made.filtered = frozenset(hit_filters)
        return made

    def _mesh(self, geometry: Geometry) -> tuple[Floats32, NDArray[np.int32]]:
        mesh = triangles(geometry.shape, self.tolerance)
        if not len(mesh.faces):
            raise SceneError(f"shape '{geometry.name}' has no triangles")
        vertices = padded_rows(len(mesh.vertices))
        vertices[:] = geometry.pose.apply(mesh.vertices)
        return vertices, mesh.faces

    def cast(self, origins: Floats32, directions: Floats32, far: Floats32) -> Hits:
        """Cast rays of unit direction; ``far`` (n,) is overwritten with the distances."""
        found = self.cast_raw(origins, directions, far)
        return Hits(found["tfar"], found["geomID"], found["Ng"])

    def cast_raw(
        self, origins: Floats32, directions: Floats32, far: Floats32, alike: bool = False
    ) -> Data:
        """Cast rays without wrapping the answer; those ``alike`` are each nearly like the next."""
        return self.tracer.nearest(origins, directions, far, alike)

    def packets(self, runs: Sequence[NDArray[np.int32]]) -> Packets | None:
        """Return how compiled code casts rays that always come in the same order, if it can.

        The rays of each run, by number, are each nearly like the next.
        """
        return self.tracer.packets(runs)

    def blocked(self, origins: Floats32, directions: Floats32, far: Floats32) -> NDArray[np.bool_]:
        """Return for each ray whether anything lies on its way."""
        return self.tracer.blocked(origins, directions, far)
