"""Simulated time: integer nanoseconds, and schedules that never drift."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING

from outrider.core.errors import ConfigError

if TYPE_CHECKING:
    from outrider.core.state import State

NS_PER_S = 1_000_000_000
_FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)  # when simulated time begins, for devices with dates


def to_ns(seconds: float) -> int:
    """Return whole nanoseconds nearest to ``seconds``."""
    try:
        return round(seconds * NS_PER_S)
    except (OverflowError, ValueError):
        raise ConfigError(f"a time of {seconds:g} s is too long") from None


def to_s(nanoseconds: int) -> float:
    """Return seconds as a float, for people and plots."""
    return nanoseconds / NS_PER_S


def date_of(nanoseconds: int) -> datetime:
    """Return the date and time (UTC) that every device of a run shows at a simulated time."""
    return _FIRST_DAY + timedelta(microseconds=nanoseconds // 1000)


@dataclass(slots=True)
class Schedule:
    """Due times at an exact rate: the k-th is phase + k/rate, rounded once: no error adds up."""

    rate_hz: float
    phase_ns: int = 0
    _period: tuple[int, int] = field(init=False)  # nanoseconds, as a fraction
    _count: int = field(init=False, default=0)
    next_ns: int = field(init=False)

    def __post_init__(self) -> None:
        if not 1e-6 <= self.rate_hz < 1e9:
            raise ConfigError(f"a rate must lie between 1e-6 and 1e9 Hz, not {self.rate_hz}")
        period = NS_PER_S / Fraction(self.rate_hz).limit_denominator(1_000_000)
        self._period = (period.numerator, period.denominator)
        self.next_ns = self.phase_ns

    def get_state(self) -> "State":
        """Return how many due times there were."""
        from outrider.core.state import State  # with numpy, which short commands do without

        return State(count=self._count)

    def set_state(self, state: "State") -> None:
        """Go on with the due times that follow."""
        self._move_to(state.integer("count"))

    def due(self, now_ns: int) -> bool:
        """Return whether a due time has come; if so, move on to the first one after now."""
        if now_ns < self.next_ns:
            return False
        over, under = self._period
        self._move_to(-((now_ns - self.phase_ns + 1) * under // -over))
        return True

    def follow(self, other: "Schedule") -> None:
        """Have the next due time of a schedule with the same rate, phase and past."""
        self._count, self.next_ns = other._count, other.next_ns

    def _move_to(self, count: int) -> None:
        over, under = self._period
        self._count = count
        self.next_ns = self.phase_ns + count * over // under
