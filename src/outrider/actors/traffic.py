"""Junctions: where lanes cross, whoever comes first goes first."""

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from outrider.actors.lane import TrafficLane
from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Array

_TOGETHER = 14.0  # m between crossings that belong to one junction
_MARGIN = 4.5  # m before and after a crossing that must be free
_NOTICE = 8.0  # m before a junction, beside the way to brake, at which a car counts as come
_BRAKING = 2.0  # m/s^2
_PAIRS = 200_000  # of legs that are looked at at once
NEVER = np.inf


@dataclass(slots=True, eq=False)
class Junction:
    """Crossings close to each other; on each lane it lies between two marks."""

    centre: Array
    spans: dict[int, tuple[float, float]] = field(default_factory=dict)  # by the lane's number

    def include(self, lane: int, mark: float) -> None:
        """Let it reach over a crossing on a lane."""
        low, high = self.spans.get(lane, (mark, mark))
        self.spans[lane] = min(low, mark), max(high, mark)


class Traffic(DeclaredState):
    """All lanes of a world, their junctions, and when each car came to each."""

    state_fields = ("_came_s",)

    def __init__(self, lanes: list[TrafficLane], counts: list[int]) -> None:
        self.lanes = lanes
        self.junctions = _junctions(lanes)
        self._lane_of = np.repeat(np.arange(len(lanes)), counts)
        self._first = np.concatenate([[0], np.cumsum(counts)])[:-1].astype(int)
        self.restart()

    def restart(self) -> None:
        """Return to the start: nobody has come anywhere."""
        self._came_s = np.full((len(self.junctions), len(self._lane_of)), NEVER)

    def gaps(self, lane: int, fronts: Array) -> Array:
        """Return how far each car of a lane may go before it must give way (inf: any way)."""
        free = np.full(len(fronts), np.inf)
        for row, junction in zip(self._came_s, self.junctions, strict=True):
            if lane in junction.spans:
                low, _ = junction.spans[lane]
                gap = self.lanes[lane].ahead(fronts, low - _MARGIN)
                waits = self._waits(lane, row) & (gap > -0.5)
                free[waits] = np.minimum(free[waits], np.maximum(gap[waits], 0.0))
        return free

    def note(
        self, lane: int, fronts: Array, length: float, speeds: Array, held: Array, now_s: float
    ) -> None:
        """Note which cars of a lane have come to a junction, and which have left it.

        ``fronts`` are marks, ``held`` the distance to the next line at which each must stop.
        """
        first = self._first[lane]
        for row, junction in zip(self._came_s, self.junctions, strict=True):
            if lane not in junction.spans:
                continue
            low, high = junction.spans[lane]
            gap = self.lanes[lane].ahead(fronts, low - _MARGIN)
            inside = gap > low - high - 2 * _MARGIN - length
            near = inside & (gap < speeds**2 / (2 * _BRAKING) + _NOTICE) & (held > gap)
            own = row[first : first + len(fronts)]
            own[~near] = NEVER
            own[near & (own == NEVER)] = now_s

    def _waits(self, lane: int, came_s: Array) -> NDArray[np.bool_]:
        """Return which cars of a lane came later than one of another lane, or with a lower one."""
        theirs = np.flatnonzero((self._lane_of != lane) & (came_s < NEVER))
        own = np.flatnonzero(self._lane_of == lane)
        if not len(theirs):
            return np.zeros(len(own), bool)
        first = theirs[np.lexsort((theirs, came_s[theirs]))[0]]
        later = (came_s[own] > came_s[first]) | ((came_s[own] == came_s[first]) & (own > first))
        return np.asarray(later & (came_s[own] < NEVER))


def _junctions(lanes: list[TrafficLane]) -> list[Junction]:
    found: list[Junction] = []
    for (i, one), (j, other) in combinations(enumerate(lanes), 2):
        for point, mark, other_mark in _crossings(one, other):
            near = [f for f in found if np.hypot(*(f.centre - point)) < _TOGETHER]
            junction = near[0] if near else Junction(point)
            if not near:
                found.append(junction)
            junction.include(i, mark)
            junction.include(j, other_mark)
    return found


def _crossings(one: TrafficLane, other: TrafficLane) -> list[tuple[Array, float, float]]:
    """Return where two lines cross: the point, and its mark on each."""
    found = []
    rows = max(1, _PAIRS // len(other.line))
    for first in range(0, len(one.line) - 1, rows):
        for row, j, s, t in _met(one.line[first : first + rows + 1], other.line):
            i = first + row
            point = one.line[i] + s * (one.line[i + 1] - one.line[i])
            marks = [
                float(lane.marks[k] + share * (lane.marks[k + 1] - lane.marks[k]))
                for lane, k, share in ((one, i, s), (other, j, t))
            ]
            found.append((point, marks[0], marks[1]))
    return found


def _met(one: Array, other: Array) -> list[tuple[int, int, float, float]]:
    """Return which legs of two lines cross, and at which share of each."""
    a, b = one[:-1, None], other[None, :-1]
    along, across = np.diff(one, axis=0)[:, None], np.diff(other, axis=0)[None]
    turn = _cross(along, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        s, t = _cross(b - a, across) / turn, _cross(b - a, along) / turn
    hits = (np.abs(turn) > 1e-9) & (s >= 0) & (s < 1) & (t >= 0) & (t < 1)
    return [(i, j, float(s[i, j]), float(t[i, j])) for i, j in np.argwhere(hits).tolist()]


def _cross(a: Array, b: Array) -> Array:
    product: Array = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product
