"""All actors of a world: made from their entries, moved together."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from outrider.actors.cars import Cars
from outrider.actors.group import ActorGroup
from outrider.actors.herd import Herd
from outrider.actors.lane import TrafficLane
from outrider.actors.people import People
from outrider.actors.spec import ActorSpec, CarSpec, HerdSpec, PersonSpec, actor_names
from outrider.actors.start_positions import StartPositions
from outrider.actors.surroundings import Circles, Surroundings
from outrider.actors.traffic import Traffic
from outrider.core.frames import Array, Pose
from outrider.core.rotations import inverse, product, rotation_vectors
from outrider.world.model import Model


class ActorGroups:
    """The groups of all entries, in their order."""

    def __init__(self, actors: tuple[ActorSpec, ...], seed: int, site: StartPositions) -> None:
        roads = [spec for spec in actors if isinstance(spec, CarSpec)]
        self.traffic = Traffic(
            [TrafficLane(spec) for spec in roads], [spec.count for spec in roads]
        )
        self.groups: list[ActorGroup] = []
        first = 0
        for spec in actors:
            self.groups.append(self._group(spec, seed, first, site))
            first += spec.count

    def _group(self, spec: ActorSpec, seed: int, first: int, site: StartPositions) -> ActorGroup:
        match spec:
            case PersonSpec():
                return People(spec, seed, first, site)
            case HerdSpec():
                return Herd(spec, seed, first, site)
            case CarSpec():
                number = sum(isinstance(group.spec, CarSpec) for group in self.groups)
                return Cars(spec, seed, first, site, self.traffic, number)

    def models(self) -> list[Model]:
        """Return the models of all, where they start."""
        found = []
        for group in self.groups:
            positions, rotations = group.poses()
            rows = zip(group.figures, actor_names(group.spec), positions, rotations, strict=True)
            found += [f.model(name, Pose(p[0], q[0])) for f, name, p, q in rows]
        return found

    def restart(self) -> None:
        """Return to the start."""
        self.traffic.restart()
        for group in self.groups:
            group.restart()

    def advance(self, around: Surroundings, seconds: float) -> tuple[Array, Array]:
        """Let all go on for some time; return positions (n, 3) and rotations (n, 4) of all parts.

        ``around`` has the circles of robots; all actors see each other as they are now.
        """
        circles = Circles.joined([around.circles, *(group.circles() for group in self.groups)])
        around = replace(around, circles=circles)
        for group in self.groups:
            group.advance(around, seconds)
        poses = [group.poses() for group in self.groups]
        return (
            np.concatenate([positions.reshape(-1, 3) for positions, _ in poses]),
            np.concatenate([rotations.reshape(-1, 4) for _, rotations in poses]),
        )


def twists(
    positions: Array, rotations: Array, to_positions: Array, to_rotations: Array, seconds: float
) -> NDArray[np.float64]:
    """Return the velocities (n, 6) that bring bodies from one place to another in some time."""
    spin = rotation_vectors(product(to_rotations, inverse(rotations)))
    both: Array = np.concatenate([to_positions - positions, spin], axis=1) / seconds
    return both
