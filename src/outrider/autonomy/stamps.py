"""Message time stamps, and what to do when time jumps."""

from outrider.core.clock import NS_PER_S


class StampOrder:
    """Detects time stamps that are out of order."""

    def __init__(self, longest_gap_s: float) -> None:
        self._gap_ns = round(longest_gap_s * NS_PER_S)
        self._last_ns: int | None = None

    def jump(self, now_ns: int) -> bool:
        """Add a message's time; return whether it jumped back, or too far ahead."""
        last, self._last_ns = self._last_ns, now_ns
        return last is not None and not 0 <= now_ns - last <= self._gap_ns

    def forget(self) -> None:
        """Treat the next message as the first."""
        self._last_ns = None
