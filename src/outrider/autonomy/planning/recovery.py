"""Recovery of a stuck robot: clear the map, back up, turn around; then give up."""

import math
from dataclasses import dataclass

from outrider.autonomy.planning.spec import RecoverySpec


@dataclass(frozen=True, slots=True)
class Attempt:
    """One recovery: a command for some time, optionally with a cleared local map."""

    name: str
    command: tuple[float, float]
    duration_s: float
    clears: bool = False


class Recovery:
    """Steps through the attempts in order."""

    def __init__(self, spec: RecoverySpec) -> None:
        self._spec = spec
        self._tried = 0

    def reset(self) -> None:
        """Start again with the first attempt."""
        self._tried = 0

    def next(self) -> Attempt | None:
        """Return the next attempt; None after the last."""
        spec = self._spec
        attempts = (
            Attempt("clear", (0.0, 0.0), 0.5, clears=True),
            Attempt("back up", (-spec.back_speed, 0.0), spec.back_m / spec.back_speed),
            Attempt("look around", (0.0, spec.turn_rate), 2 * math.pi / spec.turn_rate),
        )
        if self._tried >= spec.rounds * len(attempts):
            return None
        self._tried += 1
        return attempts[(self._tried - 1) % len(attempts)]

    def back_off(self, way_m: float) -> Attempt | None:
        """Return a longer path back, away from something unseen; None after the last attempt."""
        spec = self._spec
        if self._tried >= 3 * spec.rounds:
            return None
        self._tried += 1
        return Attempt("back off", (-spec.back_speed, 0.0), way_m / spec.back_speed)
