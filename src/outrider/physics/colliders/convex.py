"""Convex hulls, and concave solids decomposed into convex parts by CoACD."""

from __future__ import annotations

import mujoco
import numpy as np

from outrider.core.frames import Array
from outrider.core.process.mujoco_warnings import log_mujoco_warnings
from outrider.core.structure import Data
from outrider.physics.colliders.mesh import Piece
from outrider.world.shapes import Mesh

FINE = 400  # triangles: up to here a solid is cut as it is
COARSE = 50_000  # up to here it is first rebuilt from small cubes; beyond, it is not cut
MOST_PARTS = 32
_FLAT = 1e-4  # of the length: thinner things have no hull
_TETRAHEDRON = np.array([0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2], np.int32)  # any: the hull is new
# figures that cut in seconds, not minutes; concavity is a share of the size
_CUTTING = {
    "max_convex_hull": MOST_PARTS,
    "mcts_iterations": 10,
    "mcts_nodes": 5,
    "mcts_max_depth": 1,
    "resolution": 500,
    "seed": 0,
}


def convex_parts(piece: Piece) -> list[Mesh] | None:
    """Return convex meshes that fill a solid; None if it is too large or CoACD is not there."""
    if len(piece.faces) > COARSE:
        return None
    try:
        import coacd
    except ImportError:
        return None
    coacd.set_log_level("error")
    rebuilt = len(piece.faces) > FINE
    extra: Data = (
        {"preprocess_mode": "on", "preprocess_resolution": 20, "threshold": 0.1}
        if rebuilt
        else {"threshold": 0.05}
    )
    # about a metre in size: CoACD's own tolerances are lengths
    centre, size = piece.vertices.mean(axis=0), piece.size
    unit = coacd.Mesh((piece.vertices - centre) / size, piece.faces)
    found = coacd.run_coacd(unit, **_CUTTING, **extra)
    parts = [hull(np.asarray(corners) * size + centre) for corners, _ in found]
    return [part for part in parts if part is not None] or None


def thickness(points: Array) -> float:
    """Return how thick a cloud of points is where it is thinnest, as a share of its length."""
    spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return float(spread[-1] / max(spread[0], 1e-300)) if len(points) > 3 else 0.0


def hull(points: Array) -> Mesh | None:
    """Return the convex hull of points, made by MuJoCo as it would collide; None if it is flat."""
    centre = points.mean(axis=0)
    if thickness(points) < _FLAT:
        return None
    log_mujoco_warnings()
    spec = mujoco.MjSpec()
    spec.add_mesh(
        name="hull",
        uservert=(points - centre).ravel(),
        userface=_TETRAHEDRON,
        inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX,
    )
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="hull")
    try:
        model = spec.compile()
    except ValueError:
        return None
    graph = model.mesh_graph
    corners, faces = int(graph[0]), int(graph[1])
    outer = 2 + 3 * corners + 3 * faces  # after the corners' addresses, numbers and edges
    triangles = graph[outer : outer + 3 * faces].reshape(-1, 3)
    turn = np.empty(9)
    mujoco.mju_quat2Mat(turn, model.mesh_quat[0])
    vertices = model.mesh_vert @ turn.reshape(3, 3).T + model.mesh_pos[0] + centre
    used, numbers = np.unique(triangles, return_inverse=True)
    return Mesh(vertices[used], numbers.reshape(-1, 3).astype(np.int32))
