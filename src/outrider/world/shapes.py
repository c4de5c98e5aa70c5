"""Solid shapes: primitives, meshes and height fields, all about their own origin."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import WorldError
from outrider.core.frames import Array

Faces: TypeAlias = NDArray[np.int32]


MAX_EXTENT = 1e6  # m


def _check_extent(what: str, *extents: float) -> None:
    """Refuse a shape that no world can hold: squares of its size would not be numbers."""
    if not all(abs(extent) <= MAX_EXTENT for extent in extents):
        shown = " x ".join(f"{extent:g}" for extent in extents)
        raise WorldError(f"a {what} of {shown} m is larger than {MAX_EXTENT / 1000:g} km")


@dataclass(frozen=True, slots=True)
class Plane:
    """The half-space below z = 0; drawn and felt as a square of ``size`` metres."""

    size: float = 2000.0


@dataclass(frozen=True, slots=True)
class Box:
    """A box with full edge lengths, centred."""

    size: tuple[float, float, float]

    def __post_init__(self) -> None:
        _check_extent("box", *self.size)


@dataclass(frozen=True, slots=True)
class Sphere:
    """A ball."""

    radius: float

    def __post_init__(self) -> None:
        _check_extent("sphere", self.radius)


@dataclass(frozen=True, slots=True)
class Cylinder:
    """An upright cylinder along z, centred."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        _check_extent("cylinder", self.radius, self.length)


@dataclass(frozen=True, slots=True)
class Capsule:
    """A cylinder of ``length`` along z with round ends, centred."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        _check_extent("capsule", self.radius, self.length)


@dataclass(frozen=True, slots=True)
class Cone:
    """A cone along z, its base at -length/2, its tip at +length/2."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        _check_extent("cone", self.radius, self.length)


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles: ``vertices`` (n, 3) in metres, ``faces`` (m, 3), texture ``uv`` (n, 2)."""

    vertices: Array
    faces: Faces
    source: str = ""
    uv: Array | None = None

    def __post_init__(self) -> None:
        vertices = np.ascontiguousarray(self.vertices, np.float64)
        faces = np.ascontiguousarray(self.faces, np.int32)
        name = f"mesh {self.source}".strip()
        if vertices.ndim != 2 or vertices.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3:
            raise WorldError(f"{name}: expected vertices (n, 3) and triangles (m, 3)")
        if not np.isfinite(vertices).all():
            raise WorldError(f"{name}: some vertices are not finite")
        if faces.size and (faces.min() < 0 or faces.max() >= len(vertices)):
            raise WorldError(f"{name}: a triangle names a vertex that does not exist")
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "faces", faces)


@dataclass(frozen=True, slots=True, eq=False)
class HeightField:
    """Heights on a regular grid, centred: ``heights[i, j]`` at i cells along x, j along y."""

    heights: Array
    size: tuple[float, float]

    def __post_init__(self) -> None:
        heights = np.ascontiguousarray(self.heights, np.float64)
        if heights.ndim != 2 or min(heights.shape) < 2:
            raise WorldError("a height field needs at least 2 x 2 heights")
        if not np.isfinite(heights).all():
            raise WorldError("a height field has heights that are not finite")
        object.__setattr__(self, "heights", heights)


@dataclass(frozen=True, slots=True, eq=False)
class MappedField:
    """Heights too many for memory: a height field that stays on disk, in single precision.

    ``tops`` are the highest points of blocks of 8 x 8 cells, of 16 x 16, and so on to one block.
    """

    heights: NDArray[np.float32]
    size: tuple[float, float]
    low: float
    tops: tuple[NDArray[np.float32], ...]

    @property
    def high(self) -> float:
        """The highest point."""
        return float(self.tops[-1].max())

    @property
    def triangles(self) -> int:
        """How many triangles the whole surface has."""
        rows, columns = self.heights.shape
        return 2 * (int(rows) - 1) * (int(columns) - 1)


Shape: TypeAlias = (
    Plane | Box | Sphere | Cylinder | Capsule | Cone | Mesh | HeightField | MappedField
)
