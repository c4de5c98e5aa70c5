"""Rate reduction of a topic, on a grid of simulated time."""


class Thinning:
    """Passes one message per period, which need not be a multiple of the step."""

    def __init__(self, most_hz: float) -> None:
        """``most_hz`` of 0 lets everything through."""
        self._every_ns = round(1e9 / most_hz) if most_hz else 0
        self._slot: int | None = None  # the period of the last message

    def due(self, time_ns: int) -> bool:
        """Return whether the message of this time passes; time may jump in either direction."""
        if not self._every_ns:
            return True
        before, self._slot = self._slot, time_ns // self._every_ns
        return self._slot != before if before is not None else time_ns % self._every_ns == 0
