"""How simulated time follows the wall clock. Nothing else in the loop sleeps."""

import time
from dataclasses import dataclass
from typing import Literal

Mode = Literal["catch-up", "constant"]
_SHORTEST_SLEEP_S = 2e-4  # below this, waiting is left to the next step
_LONGEST_SLEEP_S = 0.1  # at once: who waits may have something else to do


@dataclass(slots=True)
class Pacer:
    """Waits so that time runs at ``speed`` (0: flat out).

    In catch-up mode a late simulation runs faster until it is on time again; lag
    beyond ``max_lag_s`` is dropped and counted. In constant mode it never catches up: every
    step takes at least its share of wall time.
    """

    speed: float = 1.0
    mode: Mode = "catch-up"
    max_lag_s: float = 0.1
    dropped_s: float = 0.0
    lag_s: float = 0.0
    _wall_s: float = 0.0  # wall time that belongs to ...
    _sim_ns: int = 0  # ... this simulated time

    def start(self, sim_ns: int) -> None:
        """Start, or continue after a pause: simulated time and wall time coincide now."""
        self._wall_s, self._sim_ns = time.perf_counter(), sim_ns
        self.lag_s = 0.0

    def wait(self, sim_ns: int) -> bool:
        """Sleep until the wall clock has come to this simulated time, or for a short while.

        Return whether it has come to it.
        """
        if self.speed <= 0:
            return True
        due_s = self._wall_s + (sim_ns - self._sim_ns) * 1e-9 / self.speed
        ahead_s = due_s - time.perf_counter()
        self.lag_s = max(0.0, -ahead_s)
        if ahead_s > _SHORTEST_SLEEP_S:
            time.sleep(min(ahead_s, _LONGEST_SLEEP_S))
        elif self.mode == "constant" and ahead_s < 0:
            self._wall_s -= ahead_s
        elif -ahead_s > self.max_lag_s:
            late_s = -ahead_s - self.max_lag_s
            self._wall_s += late_s
            self.dropped_s += late_s
        return ahead_s <= _LONGEST_SLEEP_S
