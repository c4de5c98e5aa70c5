"""What is inside what in any state: asked of Bullet shape by shape, wherever its bodies are.

Shapes are given to it with poses: no body is moved for it, nothing that it remembers changes.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.physics.bullet.model import BulletModel, Collider, pybullet
from outrider.physics.engine import Overlap
from outrider.world.state import Records

_SLACK = 1e-3  # m: Bullet's boxes are in single precision
_WHOLE = -1  # Bullet's number of the only link of what stands still


class Overlapping:
    """Finds pairs by boxes around them, and asks Bullet how deep they are in one another."""

    def __init__(self, model: BulletModel, client: int) -> None:
        self._model, self._client = model, client
        self._colliders = model.colliders
        self._trees = np.array([one.tree for one in self._colliders], np.intp)
        self._bodies = np.array([one.body for one in self._colliders], np.intp)
        self._centres = _rows([(one.low + one.high) / 2 for one in self._colliders], 3)
        halves = _rows([(one.high - one.low) / 2 for one in self._colliders], 3)
        turns = _rows(
            [matrix_from_quaternion(one.pose.rotation).ravel() for one in self._colliders], 9
        ).reshape(-1, 3, 3)
        offsets = _rows([one.pose.position for one in self._colliders], 3)
        self._centres = offsets + np.einsum("nij,nj->ni", turns, self._centres)  # in the body
        self._axes = turns * halves[:, None, :]  # half edges, as columns
        self._still = model.still
        self._walls = _rows([np.ravel(self._box(handle)) for handle in self._still], 6)

    def found(self, bodies: Records, trees: Iterable[int], least: float) -> Iterator[Overlap]:
        """Yield what is deeper inside what than this of which one is part of some trees."""
        boxes, chosen = self._boxes(bodies), sorted(trees)
        for tree in chosen:
            own = np.flatnonzero(self._trees == tree)
            # those of two chosen trees are told once
            others = np.flatnonzero(
                ~np.isin(self._trees, [other for other in chosen if other <= tree])
            )
            yield from self._of_tree(own, others, boxes, bodies, least)

    def _of_tree(
        self,
        own: NDArray[np.intp],
        others: NDArray[np.intp],
        boxes: Array,
        bodies: Records,
        least: float,
    ) -> Iterator[Overlap]:
        if not len(own):
            return
        whole = np.concatenate([boxes[own, :3].min(axis=0), boxes[own, 3:].max(axis=0)])
        walls = np.flatnonzero(_meet(self._walls, whole))
        others = others[_meet(boxes[others], whole)]
        for number in own.tolist():
            mine = self._colliders[number]
            place = self._place(mine, bodies, "A")
            for row in walls[_meet(self._walls[walls], boxes[number])].tolist():
                handle = self._still[row]
                owner = self._model.owners[handle, _WHOLE]
                for depth in self._depths(least, mine, place, bodyB=handle):
                    yield Overlap(owner.body, mine.body, depth, owner.name, mine.owner.name)
            for other in others[_meet(boxes[others], boxes[number])].tolist():
                theirs = self._colliders[other]
                there = self._place(theirs, bodies, "B") | {"bodyB": -1}
                for depth in self._depths(
                    least, mine, place, collisionShapeB=theirs.shape, **there
                ):
                    names = mine.owner.name, theirs.owner.name
                    yield Overlap(mine.body, theirs.body, depth, *names)

    def _depths(
        self, least: float, mine: Collider, place: dict[str, object], **other: object
    ) -> Iterator[float]:
        points = pybullet.getClosestPoints(
            bodyA=-1,
            distance=0.0,
            collisionShapeA=mine.shape,
            physicsClientId=self._client,
            **place,
            **other,
        )
        return (-point[8] for point in points if -point[8] > least)

    def _place(self, collider: Collider, bodies: Records, side: str) -> dict[str, object]:
        """Return where a shape is, as Bullet calls it on a side of a pair."""
        row = bodies[collider.body]
        pose = Pose(row["position"].copy(), row["rotation"].copy()) @ collider.pose
        return {
            f"collisionShapePosition{side}": pose.position.tolist(),
            f"collisionShapeOrientation{side}": pose.rotation.tolist(),
        }

    def _boxes(self, bodies: Records) -> Array:
        """Return the lowest and the highest corners (n, 6) of boxes around all that moves."""
        turns = _matrices(bodies["rotation"])[self._bodies]
        middles = bodies["position"][self._bodies]
        middles = middles + np.einsum("nij,nj->ni", turns, self._centres)
        reach = np.abs(turns @ self._axes).sum(axis=2) + _SLACK
        found: Array = np.concatenate([middles - reach, middles + reach], axis=1)
        return found

    def _box(self, handle: int) -> Array:
        box = np.array(pybullet.getAABB(handle, _WHOLE, physicsClientId=self._client))
        wider: Array = box + np.array([[-_SLACK], [_SLACK]])
        return wider


def _meet(boxes: Array, box: Array) -> NDArray[np.bool_]:
    """Return which boxes overlap another one."""
    near: NDArray[np.bool_] = (boxes[:, :3] <= box[3:]) & (boxes[:, 3:] >= box[:3])
    return np.logical_and.reduce(near, axis=1)  # type: ignore[no-any-return]


def _rows(values: list[Array], width: int) -> Array:
    return np.reshape(values, (-1, width)).astype(np.float64)


def _matrices(rotations: Array) -> Array:
    """Return the rotation matrices (n, 3, 3) of quaternions."""
    x, y, z, w = np.moveaxis(rotations, -1, 0)
    return np.moveaxis(
        np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        ),
        -1,
        0,
    )
