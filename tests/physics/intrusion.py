"""How deep triangles of the ground reach into bodies: a measure that knows nothing of contacts.

Of all points of a triangle, the one counts that is deepest inside a collider: the farthest from
its surface.
"""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from outrider.core.frames import Array, Pose
from outrider.physics.colliders.distance import nearest
from outrider.physics.colliders.shapes import solid
from outrider.sim.simulation import Simulation
from outrider.world.model import Geometry
from outrider.world.shapes import Box, Capsule, Cylinder, Sphere
from outrider.world.tessellate import tessellate

_SIDES = 128  # of a cylinder, outside of which they lie by 0.06 mm at a radius of 20 cm
_POINTS = 201  # on the axis of a capsule, of which one is as good as next to any triangle
_LEAST = 1e-5  # m: less deep than that is nothing


def intrusions(simulation: Simulation, triangles: Array, roots: Sequence[int]) -> Array:
    """Return how deep the ground reaches into each model, given by its root body."""
    bodies = simulation.rig.assembly.bodies
    rows = {bodies[root].model: i for i, root in enumerate(roots)}
    found: Array = np.zeros(len(roots))
    for body, state in zip(bodies, simulation.state.bodies, strict=True):
        pieces = [piece for g in body.colliders for piece in solid(g)]
        if body.model in rows and pieces:
            pose = Pose(state["position"].copy(), state["rotation"].copy())
            deep = max(intrusion(piece, pose, triangles) for piece in pieces)
            found[rows[body.model]] = max(found[rows[body.model]], deep)
    return found


def intrusion(piece: Geometry, body: Pose, triangles: Array) -> float:
    """Return how deep triangles reach into one collider of a body."""
    shape = piece.shape
    inverse = (body @ piece.pose).inverse()
    corners = tessellate(shape).vertices
    reach = np.linalg.norm(corners, axis=1).max() + 1e-3
    centre = (body @ piece.pose).position
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    near = ((low < centre + reach) & (high > centre - reach)).all(axis=1)
    local = inverse.apply(triangles[near].reshape(-1, 3)).reshape(-1, 3, 3)
    if isinstance(shape, Sphere | Capsule):
        return _deepest_in_round(local, shape.radius, getattr(shape, "length", 0.0))
    return _deepest(local, _planes(shape))


def _deepest_in_round(triangles: Array, radius: float, length: float) -> float:
    """Return how deep triangles reach into a capsule or, if it has no length, a ball."""
    if not len(triangles):
        return 0.0
    axis = np.zeros((_POINTS if length else 1, 3))
    axis[:, 2] = np.linspace(-length / 2, length / 2, len(axis)) if length else 0.0
    return max(0.0, radius - float(nearest(axis, triangles).min()))


def _planes(shape: object) -> Array:
    """Return a convex shape's planes: normal and offset."""
    if isinstance(shape, Box):
        normals = np.concatenate([np.eye(3), -np.eye(3)])
        return np.column_stack([normals, np.tile(np.array(shape.size) / 2, 2)])
    if isinstance(shape, Cylinder):
        angle = np.arange(_SIDES) * (2 * np.pi / _SIDES)
        round_ = np.column_stack(
            [np.cos(angle), np.sin(angle), 0 * angle, 0 * angle + shape.radius]
        )
        half = shape.length / 2
        return np.concatenate([round_, [[0, 0, 1, half], [0, 0, -1, half]]])
    made = ConvexHull(tessellate(shape).vertices).equations  # type: ignore[arg-type]
    return np.column_stack([made[:, :3], -made[:, 3]])


def _deepest(triangles: Array, planes: Array) -> float:
    """Return how deep inside all planes the deepest point of any triangle is."""
    if not len(triangles):
        return 0.0
    inside = planes[:, 3] - triangles @ planes[:, :3].T  # triangle, corner, plane
    bounds = inside.max(axis=1).min(axis=1)  # no point of a triangle is deeper
    best = max(0.0, float(inside.min(axis=2).max()))
    for i in np.argsort(-bounds):
        if bounds[i] <= best + _LEAST:
            break
        best = max(best, _depth(inside[i]))
    return best


def _depth(inside: Array) -> float:
    """Return the same of one triangle, whose corners are so far inside of the planes.

    The point is a mean of the corners, which is to be as far inside of all planes as can be.
    """
    above = np.column_stack([-inside.T, np.ones(inside.shape[1])])
    solved = linprog(
        [0, 0, 0, -1],
        A_ub=above,
        b_ub=np.zeros(len(above)),
        A_eq=[[1, 1, 1, 0]],
        b_eq=[1],
        bounds=[(0, None)] * 3 + [(None, None)],
    )
    return float(solved.x[3])
