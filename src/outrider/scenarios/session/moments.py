"""The moments that undo and redo return to, bounded in number and memory."""

from collections.abc import Iterable
from dataclasses import dataclass

from outrider.scenarios.session.saved_state import SavedState

MOST_UNDOS = 50
_MOST_BYTES = 1 << 29  # of one direction: pictures that were on their way are among them


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A state, and the build of the simulation it belongs to."""

    saved: SavedState
    build: int


def settle(moment: Moment, *directions: list[Moment]) -> None:
    """Work out the rest of a moment, which holds on to scenes; forget the oldest if need be."""
    moment.saved.state.finish()
    for moments in directions:
        while len(moments) > 1 and _nbytes(moments) > _MOST_BYTES:
            del moments[0]


def _nbytes(moments: Iterable[Moment]) -> int:
    return sum(moment.saved.state.nbytes for moment in moments)
