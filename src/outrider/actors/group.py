"""The contract of a group: all actors of one entry, moved together."""

from typing import Protocol

from outrider.actors.figures.figure import Figure
from outrider.actors.spec import ActorSpec
from outrider.actors.surroundings import Circles, Surroundings
from outrider.core.frames import Array
from outrider.core.state import State


class ActorGroup(Protocol):
    """All actors of one entry; their numbers among all actors begin at ``first``."""

    figures: list[Figure]

    @property
    def spec(self) -> ActorSpec:
        """The entry that it was made from."""

    def restart(self) -> None:
        """Return to the start."""

    def circles(self) -> Circles:
        """Return where they are now, seen from above."""

    def advance(self, around: Surroundings, seconds: float) -> None:
        """Decide, and go on for some time."""

    def poses(self) -> tuple[Array, Array]:
        """Return positions (actors, parts, 3) and rotations (actors, parts, 4) of all parts."""

    def get_state(self) -> State:
        """Return what its next decisions depend on."""

    def set_state(self, state: State) -> None:
        """Go on from there."""
