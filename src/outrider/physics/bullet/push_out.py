"""Bodies that were put inside others come out of them slowly.

Bullet takes back a share of the depth in every step: of 0.4 m that is 13 m/s. The share of a body
that is deep inside something when it is put there is made so small that it leaves with a bounded
speed, until it is out.
"""

import numpy as np

from outrider.core.frames import Array
from outrider.physics.bullet.model import BodyTree, BulletModel, contact_share, pybullet
from outrider.physics.push_out import DEEP, FASTEST
from outrider.world.assembly import Assembly

USUAL = 0.08  # of the depth in a step: Bullet's own


class PushOut:
    """The share of the depth that the contacts of each tree of bodies take back in a step."""

    def __init__(self, model: BulletModel, assembly: Assembly, dt: float, client: int) -> None:
        self._model, self._dt, self._client = model, dt, client
        self._tree_of = {row: i for i, tree in enumerate(model.trees) for row in tree.rows}
        self._models = np.array([assembly.bodies[tree.rows[0]].model for tree in model.trees], int)
        self.shares = np.full(len(model.trees), np.nan)  # NaN: never changed

    def may_become(self, shares: Array) -> bool:
        """Return whether nothing was changed that is not so among these, too."""
        return bool((np.isnan(self.shares) | (self.shares == shares)).all())

    @property
    def needed(self) -> bool:
        """Whether something is on its way out."""
        return bool((self.shares < USUAL).any())

    def limit(self, depths: dict[int, float], only: int | None = None, *, also: bool) -> None:
        """Set the shares by the depth that each body is inside something; ``also`` of new ones.

        With ``only`` a model's number the depths are those that it takes part in: others may be
        deeper inside something else, and keep their share if it is less.
        """
        deepest = np.zeros(len(self.shares))
        for body, depth in depths.items():
            tree = self._tree_of[body]
            deepest[tree] = max(deepest[tree], depth)
        shares = np.minimum(USUAL, FASTEST * self._dt / np.maximum(deepest, DEEP))
        shares[deepest < DEEP] = USUAL
        if only is not None:
            others = self._models != only
            shares[others] = np.fmin(shares[others], self.shares[others])
        chosen = self.shares < USUAL
        if also:
            chosen |= shares < USUAL
        for number in np.flatnonzero(chosen & (shares != self.shares)).tolist():
            self._set(number, float(shares[number]))

    def restore(self, shares: Array) -> None:
        """Set the shares of a world that is made anew."""
        for number in np.flatnonzero(~np.isnan(shares)).tolist():
            self._set(number, float(shares[number]))

    def _set(self, number: int, share: float) -> None:
        tree: BodyTree = self._model.trees[number]
        self.shares[number] = share
        for link in self._model.hard_links(tree.handle):
            figures = contact_share(share, self._dt)
            pybullet.changeDynamics(tree.handle, link, physicsClientId=self._client, **figures)
