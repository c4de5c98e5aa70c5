"""The recent states of all bodies: for sensors that measure over an interval."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import PhysicsError
from outrider.core.frames import AnyArray, Array
from outrider.core.state import Given, State
from outrider.scene.past_poses import PastPoses, poses_at
from outrider.world.state import BODY, WorldState

Records = AnyArray
Run: TypeAlias = tuple[int, int, int]  # the first of our columns and of another's, and how many
_WIDTH = BODY.itemsize // 8  # numbers of a body


class History:
    """A ring of the last states, one per step; poses in between are interpolated."""

    def __init__(self, state: WorldState, step_ns: int, span_ns: int) -> None:
        """Keep at least ``span_ns`` of the past."""
        self._state = state
        self.step_ns = step_ns
        self._size = 0
        self.changes = 0  # how often the past was replaced by another one
        self.extend(span_ns)

    def extend(self, span_ns: int) -> None:
        """Keep at least this much history from now on; earlier history is discarded."""
        self._size = max(self._size, span_ns // self.step_ns + 3)
        self._times = np.zeros(self._size, np.int64)
        self._now = self._state.bodies.view(np.float64)
        self._write_to(np.zeros((self._size, len(self._state.bodies)), BODY))
        self.forget()

    def _write_to(self, ring: Records) -> None:
        self._bodies = ring
        # records copy field by field; the same bytes as plain numbers copy at once
        self._numbers = ring.view(np.float64)
        self._given = False

    @property
    def steps(self) -> int:
        """How many steps it holds when it is full."""
        return self._size - 1

    def forget(self) -> None:
        """Forget the past: everything has always been as it is now."""
        self._change()
        self._newest = 0
        self._count = 1
        self._numbers[:] = self._now
        self._times[:] = self._state.time_ns

    def get_state(self) -> State:
        """Return the ring: a row per step, a column per body.

        It is large, and mostly asked for when all ends here: it is copied when it is written next.
        """
        self._given = True
        ring = Given(self._bodies)
        return State(bodies=ring, times=self._times, newest=self._newest, count=self._count)

    def _change(self) -> None:
        """Prepare for another past."""
        self.changes += 1
        self._own()

    def _own(self) -> None:
        """Leave the ring to who was given it, if anybody was, before it is written."""
        if self._given:
            self._write_to(self._bodies.copy())

    def set_state(self, state: State) -> None:
        """Remember another past of the same bodies and length."""
        self._change()
        self._bodies[:] = state.array("bodies", self._bodies)
        self._times[:] = state.array("times", self._times)
        self._newest = state.integer("newest") % self._size
        self._count = max(1, min(self._size, state.integer("count")))

    def record(self) -> None:
        """Note the state after a step."""
        self._own()
        self._newest = (self._newest + 1) % self._size
        self._count = min(self._count + 1, self._size)
        self._numbers[self._newest] = self._now
        self._times[self._newest] = self._state.time_ns

    def take_over(self, other: "History", runs: Sequence[Run]) -> None:
        """Remember the past of some runs of bodies; the others' stays as it is.

        A past of another length is not taken over.
        """
        if other._size != self._size:
            self.forget()
            return
        self._change()
        for own, theirs, count in runs:
            to, from_, width = own * _WIDTH, theirs * _WIDTH, count * _WIDTH
            self._numbers[:, to : to + width] = other._numbers[:, from_ : from_ + width]
        self._times[:] = other._times
        self._newest, self._count = other._newest, other._count

    @property
    def past(self) -> PastPoses:
        """The states as compiled code and the scene read them."""
        first = (self._newest - self._count + 1) % self._size
        return PastPoses(self._bodies, self._times, first, self._count)

    @property
    def ring(self) -> Records:
        """All rows (rows, bodies), in no order: see ``row_at``."""
        return self._bodies

    def row_at(self, time_ns: int) -> tuple[int, int]:
        """Return the row of a step of the recent past, and how many are known before it.

        Rows are counted on over both ends of the ring.
        """
        ago = round((int(self._times[self._newest]) - time_ns) / self.step_ns)
        return self._newest - ago, self._count - 1 - ago

    def poses(self, body: int, times_ns: NDArray[np.int64]) -> tuple[Array, Array]:
        """Return positions (n, 3) and rotations (n, 4) of a body at times of the recent past.

        Times before the oldest or after the newest state are taken as those; between two steps a
        body moves and turns evenly.
        """
        position, rotation = np.empty((len(times_ns), 3)), np.empty((len(times_ns), 4))
        poses_at(self.past.arrays, body, times_ns, position, rotation)
        return position, rotation

    def bodies_at(self, times_ns: NDArray[np.int64]) -> Records:
        """Return where all bodies were at times of the recent past: rows (times, bodies) of BODY.

        They are as ``poses`` has them; speeds are left out.
        """
        found = np.zeros((len(times_ns), self._bodies.shape[1]), BODY)
        for body in range(found.shape[1]):
            found["position"][:, body], found["rotation"][:, body] = self.poses(body, times_ns)
        return found

    def last(self, body: int, steps: int) -> Records:
        """Return a body's last states (steps + 1 rows of BODY at most), oldest first."""
        if steps >= self._size:
            raise PhysicsError(f"the history holds {self._size - 1} steps, not {steps}")
        count = min(steps + 1, self._count)
        rows = np.arange(self._newest - count + 1, self._newest + 1) % self._size
        states: Records = self._bodies[rows, body]
        return states


def runs_of(own: NDArray[np.intp], theirs: NDArray[np.intp]) -> list[Run]:
    """Return bodies that are side by side in two histories: their columns are copied at once."""
    apart = np.flatnonzero((np.diff(own) != 1) | (np.diff(theirs) != 1)) + 1
    pairs = zip(np.split(own, apart), np.split(theirs, apart), strict=True)
    return [(int(mine[0]), int(old[0]), len(mine)) for mine, old in pairs if len(mine)]
