"""What actors know of the world around them when they decide where to go."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array

ROBOT = -1  # the owner of circles that robots have
Ground = Callable[[Array, Array], Array]  # x, y (n, 2) and tops (n,) -> heights, NaN for none
# origins, unit directions (n, 3) and reaches (n,) -> distances (inf: nothing stands there), normals
Feelers = Callable[[Array, Array, Array], tuple[Array, Array]]


@dataclass(frozen=True, slots=True, eq=False)
class Circles:
    """Actors and robots seen from above: every one is a few circles."""

    centres: Array  # (n, 2)
    velocities: Array  # (n, 2)
    radii: Array  # (n,)
    owners: NDArray[np.int64]  # numbers of actors, or ROBOT

    @classmethod
    def of(
        cls, centres: Array, velocities: Array, radius: float, owners: NDArray[np.int64]
    ) -> "Circles":
        """Return the circles (n, k, 2) of n actors with velocities (n, 2)."""
        count = centres.shape[1]
        return cls(
            centres.reshape(-1, 2),
            np.repeat(velocities, count, axis=0),
            np.full(centres.shape[0] * count, radius),
            np.repeat(owners, count),
        )

    @classmethod
    def joined(cls, parts: "list[Circles]") -> "Circles":
        """Return the circles of all."""
        if not parts:
            return NO_CIRCLES
        return cls(
            np.concatenate([part.centres for part in parts]),
            np.concatenate([part.velocities for part in parts]),
            np.concatenate([part.radii for part in parts]),
            np.concatenate([part.owners for part in parts]),
        )

    def without_robots(self) -> "Circles":
        """Return those of actors alone."""
        return self.kept(self.owners != ROBOT)

    def kept(self, which: NDArray[np.bool_]) -> "Circles":
        """Return some of them."""
        return Circles(
            self.centres[which], self.velocities[which], self.radii[which], self.owners[which]
        )


NO_CIRCLES = Circles(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0), np.zeros(0, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The moment at which actors decide."""

    time_s: float
    circles: Circles
    ground: Ground
    feelers: Feelers
