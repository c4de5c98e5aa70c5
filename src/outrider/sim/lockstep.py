"""Exact co-simulation: at set times the simulation waits for a client's command."""

import threading


class Lockstep:
    """Waits at every ``period_ns`` of simulated time until a command has arrived."""

    def __init__(self, period_ns: int, timeout_s: float = 10.0) -> None:
        self.period_ns = period_ns
        self.timeout_s = timeout_s
        self.missed = 0  # times a client did not answer
        self._given_up_ns = -1

    def wait(self, now_ns: int, wake: threading.Event) -> None:
        """Hold the loop at a boundary; after a timeout it continues and counts a miss."""
        if not self.arrived(now_ns, wake, self.timeout_s):
            self.give_up(now_ns)

    def arrived(self, now_ns: int, wake: threading.Event, patience_s: float) -> bool:
        """Return whether a step may begin now, after waiting no longer than ``patience_s``."""
        free = now_ns % self.period_ns != 0 or now_ns == self._given_up_ns
        return free or wake.wait(patience_s)

    def give_up(self, now_ns: int) -> None:
        """Count a command that did not arrive, and wait for it no longer."""
        self.missed += 1
        self._given_up_ns = now_ns
