"""Which of Bullet's bodies may be inside one another: those whose boxes overlap."""

from collections.abc import Container, Iterable, Iterator

import numpy as np

from outrider.core.frames import Array
from outrider.physics.bullet.model import BulletModel, pybullet

_SLACK = 1e-3  # m: Bullet's boxes are in single precision


class NearPairs:
    """Finds pairs by boxes around them; those of what never moves are asked for once."""

    def __init__(self, model: BulletModel, client: int) -> None:
        self._client = client
        moving = {tree.handle for tree in model.trees}
        links: dict[int, list[int]] = {}
        for handle, link in model.owners:
            links.setdefault(handle, []).append(link)
        self._moving = {handle: found for handle, found in links.items() if handle in moving}
        self._fixed = {
            handle: self._box(handle, found)
            for handle, found in links.items()
            if handle not in moving
        }

    def of(self, chosen: Container[int]) -> Iterator[tuple[int, int]]:
        """Yield pairs of near bodies of which one moves and is among the chosen, in order."""
        boxes = {handle: self._box(handle, links) for handle, links in self._moving.items()}
        every = {**self._fixed, **boxes}
        handles, edges = sorted(every), np.array([every[handle] for handle in sorted(every)])
        for first in sorted(boxes):
            if first not in chosen:
                continue
            apart = (edges[:, 0] > boxes[first][1]) | (edges[:, 1] < boxes[first][0])
            for row in np.flatnonzero(~apart.any(axis=1)).tolist():
                second = handles[row]
                if second != first and not (
                    second in boxes and second in chosen and second < first
                ):
                    yield min(first, second), max(first, second)

    def _box(self, handle: int, links: Iterable[int]) -> Array:
        """Return the lowest and the highest corner of a box around some links."""
        found = np.array(
            [pybullet.getAABB(handle, link, physicsClientId=self._client) for link in links]
        )
        return np.array([found[:, 0].min(axis=0) - _SLACK, found[:, 1].max(axis=0) + _SLACK])
