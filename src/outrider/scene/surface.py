"""Triangles that rays can be cast into: one Embree scene in one frame."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene
from numpy.typing import NDArray

from outrider.core.errors import SceneError
from outrider.core.frames import Array
from outrider.world.model import Geometry
from outrider.world.shapes import Mesh, Plane
from outrider.world.tessellate import tessellate

Floats32: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Where rays ended: distance (n,), shape (n,) as a number or -1, normal (n, 3) not unit."""

    distance: Floats32
    shape: NDArray[np.int32]
    normal: Floats32


class Surface:
    """Shapes in a common frame, numbered in the order given."""

    def __init__(self, geometry: list[Geometry]) -> None:
        self._scene = EmbreeScene()
        self._meshes = [self._add(g) for g in geometry]  # Embree reads them for as long as it lives
        corners = np.concatenate([vertices for vertices, _ in self._meshes])
        self.low: Array = corners.min(axis=0).astype(np.float64)
        self.high: Array = corners.max(axis=0).astype(np.float64)
        self.triangles = sum(len(faces) for _, faces in self._meshes)

    def _add(self, geometry: Geometry) -> tuple[Floats32, NDArray[np.int32]]:
        mesh = _graded_plane(geometry.shape) if isinstance(geometry.shape, Plane) else tessellate(geometry.shape)  # fmt: skip  # noqa: E501
        if not len(mesh.faces):
            raise SceneError(f"shape '{geometry.name}' has no triangles")
        vertices = geometry.pose.apply(mesh.vertices).astype(np.float32)
        TriangleMesh(self._scene, vertices, mesh.faces)
        return vertices, mesh.faces

    def cast(self, origins: Floats32, directions: Floats32, far: Floats32) -> Hits:
        """Cast rays of unit direction; ``far`` (n,) is overwritten with the distances."""
        found = self._scene.run(origins, directions, dists=far, output=1)
        return Hits(found["tfar"], found["geomID"], found["Ng"])

    def cast_raw(self, origins: Floats32, directions: Floats32, far: Floats32) -> dict[str, Any]:
        """Cast rays without wrapping the answer: for the step's hot path."""
        found: dict[str, Any] = self._scene.run(origins, directions, dists=far, output=1)
        return found


def _graded_plane(plane: Plane) -> Mesh:
    """Cut a plane into cells of 10 m near its centre, growing outward: large triangles lose digits."""
    half = plane.size / 2
    near = np.arange(0.0, min(half, 100.0), 10.0)
    outer = np.geomspace(100.0, half, 8) if half > 100.0 else np.array([half])
    line = np.concatenate([near, outer])
    line = np.concatenate([-line[:0:-1], line])
    n = len(line)
    x, y = np.meshgrid(line, line, indexing="ij")
    vertices = np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3)
    i = np.arange(n * n).reshape(n, n)
    a, b, c, d = i[:-1, :-1].ravel(), i[1:, :-1].ravel(), i[:-1, 1:].ravel(), i[1:, 1:].ravel()
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([b, d, c], 1)])
    return Mesh(vertices, faces.astype(np.int32))
