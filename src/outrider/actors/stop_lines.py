"""Stop lines: signs at which cars stand for a moment, and traffic lights."""

import numpy as np

from outrider.actors.lane import TrafficLane
from outrider.actors.spec import StopSpec
from outrider.core.frames import Array

_STANDS = 0.15  # m/s
_AT_LINE = 3.0  # m before it
_HARD = 4.0  # m/s^2: who cannot stop at a light with this goes on
_PAST = 2.0  # m behind the line: the next round it counts again


def is_red(stop: StopSpec, now_s: float) -> bool:
    """Return whether a light is red; it begins with green."""
    if stop.red_s == 0.0:
        return False
    period = stop.green_s + stop.red_s
    return (now_s + stop.offset_s) % period >= stop.green_s


class StopLines:
    """The lines of one lane, and how long each car has stood at each."""

    def __init__(self, stops: tuple[StopSpec, ...], lane: TrafficLane, cars: int) -> None:
        self._stops = [(stop, lane.nearest(stop.x, stop.y)) for stop in stops]
        self._lane = lane
        self.stood_s = np.zeros((len(stops), cars))

    def gaps(self, fronts: Array, speeds: Array, now_s: float) -> Array:
        """Return how far each car may go (inf: any way); ``fronts`` are marks."""
        free = np.full(len(fronts), np.inf)
        for (stop, mark), stood_s in zip(self._stops, self.stood_s, strict=True):
            gap = self._lane.ahead(fronts, mark)
            if stop.red_s > 0.0:
                binds = (gap > 0.0) & (speeds**2 < 2 * _HARD * np.maximum(gap, 0.0) + 0.5)
                binds &= is_red(stop, now_s)
            else:
                binds = (gap > -0.5) & (stood_s < stop.wait_s)
            free[binds] = np.minimum(free[binds], np.maximum(gap[binds], 0.0))
        return free

    def note(self, fronts: Array, speeds: Array, seconds: float) -> None:
        """Note who stands where."""
        for (_, mark), stood_s in zip(self._stops, self.stood_s, strict=True):
            gap = self._lane.ahead(fronts, mark)
            stood_s[(speeds < _STANDS) & (gap > -0.5) & (gap < _AT_LINE)] += seconds
            stood_s[(gap < -_PAST) | (gap > 4 * _AT_LINE)] = 0.0
