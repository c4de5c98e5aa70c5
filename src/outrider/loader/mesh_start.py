"""Where a robot starts on a mesh that is run as the ground: many have their origin beside them."""

import logging
import math

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.loader.ground import ground_shape, heights_at
from outrider.specs.world import MeshGround, PoseSpec
from outrider.world.shapes import Mesh

_LOG = logging.getLogger("outrider")
_LEVEL = 0.9  # cosine: 26 degrees


def mesh_start(ground: MeshGround) -> PoseSpec:
    """Return the origin, or the middle of a mesh that is elsewhere."""
    found = ground_shape(ground)
    assert found is not None
    mesh, pose = found
    assert isinstance(mesh, Mesh)
    if not math.isnan(heights_at(mesh, pose, np.zeros((1, 2)))[0]):
        return PoseSpec()
    x, y = _level_place(mesh, ground.file)
    _LOG.warning("%s is not below x = 0, y = 0: the start is x = %.6g, y = %.6g", ground.file, x, y)
    return PoseSpec(x, y)


def _level_place(mesh: Mesh, file: str) -> tuple[float, float]:
    """Return the centre of the level triangle that is nearest to the middle."""
    triangles: Array = mesh.vertices[mesh.faces]
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    level = np.abs(normal[:, 2]) > _LEVEL * np.linalg.norm(normal, axis=1)
    if not level.any():
        raise ConfigError(
            f"{file}: no surface of it is level enough to stand on; as a thing, it is an entry "
            "in the 'objects' of a world's file"
        )
    centres = triangles[level].mean(axis=1)[:, :2]
    flat = mesh.vertices[:, :2]
    middle = (flat.min(axis=0) + flat.max(axis=0)) / 2
    x, y = centres[np.hypot(*(centres - middle).T).argmin()].tolist()
    return x, y
