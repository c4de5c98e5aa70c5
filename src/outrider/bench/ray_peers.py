"""The same rays on the same ground, cast by other engines."""

from collections.abc import Callable

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.bench.terrain import SIDE, heights, world
from outrider.core.frames import Array
from outrider.physics.mujoco.model import MujocoModel
from outrider.scene.surface import Floats32
from outrider.world.assembly import assemble
from outrider.world.tessellate import heightfield_mesh

Cast = Callable[[], object]


def bullet_mesh(cells: int, origins: Floats32, directions: Floats32, reach: float) -> Cast | None:
    """Return a cast by PyBullet into triangles, on one thread; None if it is not installed."""
    mesh = heightfield_mesh(heights(cells))
    return _bullet(
        "GEOM_MESH",
        0.0,
        origins,
        origins + reach * directions,
        vertices=mesh.vertices.tolist(),
        indices=mesh.faces.ravel().tolist(),
        flags=1,  # GEOM_FORCE_CONCAVE_TRIMESH
    )


def bullet_field(cells: int, origins: Floats32, directions: Floats32, reach: float) -> Cast | None:
    """Return a cast by PyBullet into its height field, on one thread; None if not installed."""
    field = heights(cells).heights
    middle = float(field.min() + field.max()) / 2  # Bullet puts that at the shape's origin
    return _bullet(
        "GEOM_HEIGHTFIELD",
        middle,
        origins,
        origins + reach * directions,
        meshScale=[SIDE / cells, SIDE / cells, 1.0],
        heightfieldData=field.T.ravel().tolist(),
        numHeightfieldRows=cells + 1,
        numHeightfieldColumns=cells + 1,
    )


def _bullet(
    kind: str, height: float, start: Floats32, end: Floats32, **shape: object
) -> Cast | None:
    try:
        import pybullet
    except ImportError:
        return None
    client = pybullet.connect(pybullet.DIRECT)
    made = pybullet.createCollisionShape(getattr(pybullet, kind), physicsClientId=client, **shape)
    pybullet.createMultiBody(0, made, basePosition=[0, 0, height], physicsClientId=client)
    first, last = start.astype(np.float64), end.astype(np.float64)
    return lambda: pybullet.rayTestBatch(first, last, numThreads=1, physicsClientId=client)


def mujoco_field(cells: int, origin: Array, directions: Floats32, reach: float) -> Cast:
    """Return a cast by MuJoCo into its height field, of all rays from one point."""
    model = MujocoModel(assemble(world(cells)), 0.0025).model
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    n = len(directions)
    vectors = directions.astype(np.float64).ravel()
    shapes: NDArray[np.int32] = np.empty(n, np.int32)
    distance = np.empty(n)
    return lambda: mujoco.mj_multiRay(
        model,
        data,
        pnt=origin,
        vec=vectors,
        geomgroup=None,
        flg_static=True,
        bodyexclude=-1,
        geomid=shapes,
        dist=distance,
        normal=None,
        nray=n,
        cutoff=reach,
    )
