"""The same rays on the same ground, cast by other engines."""

from collections.abc import Callable

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.bench.terrain import heights, world
from outrider.core.frames import Array
from outrider.physics.mujoco_model import MujocoModel
from outrider.scene.surface import Floats32
from outrider.world.assembly import assemble
from outrider.world.tessellate import heightfield_mesh

Cast = Callable[[], Array]  # returns distances; no hit is infinity


def bullet(cells: int, origins: Floats32, directions: Floats32, reach: float) -> Cast | None:
    """Return a cast of all rays by PyBullet on one thread; None where it is not installed."""
    try:
        import pybullet
    except ImportError:
        return None
    client = pybullet.connect(pybullet.DIRECT)
    mesh = heightfield_mesh(heights(cells))
    ground = pybullet.createCollisionShape(
        pybullet.GEOM_MESH,
        vertices=mesh.vertices.tolist(),
        indices=mesh.faces.ravel().tolist(),
        flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH,
        physicsClientId=client,
    )
    pybullet.createMultiBody(0, ground, physicsClientId=client)
    start = origins.astype(np.float64)
    end = start + reach * directions

    def cast() -> Array:
        found = pybullet.rayTestBatch(start, end, numThreads=1, physicsClientId=client)
        return np.array([hit[2] * reach if hit[0] >= 0 else np.inf for hit in found])

    return cast


def mujoco_rays(cells: int, origin: Array, directions: Floats32, reach: float) -> Cast:
    """Return a cast of all rays, from one point, by MuJoCo into its own height field."""
    made = MujocoModel(assemble(world(cells)), 0.0025)
    model, data = made.model, mujoco.MjData(made.model)
    mujoco.mj_forward(model, data)
    n = len(directions)
    vectors = directions.astype(np.float64).ravel()
    shapes: NDArray[np.int32] = np.empty(n, np.int32)
    distance = np.empty(n)

    def cast() -> Array:
        mujoco.mj_multiRay(
            model, data, origin, vectors, None, True, -1, shapes, distance, None, n, reach
        )
        return np.where(shapes >= 0, distance, np.inf)

    return cast
