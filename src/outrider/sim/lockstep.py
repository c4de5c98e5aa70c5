"""Exact co-simulation: at set times the simulation waits for a client's command."""

import threading


class Lockstep:
    """Waits at every ``period_ns`` of simulated time until a command has arrived."""

    def __init__(self, period_ns: int, timeout_s: float = 10.0) -> None:
        self.period_ns = period_ns
        self.timeout_s = timeout_s
        self.missed = 0  # times a client did not answer

    def wait(self, now_ns: int, wake: threading.Event) -> None:
        """Hold the loop at a boundary; after a timeout it continues and counts a miss."""
        if now_ns % self.period_ns == 0 and not wake.wait(self.timeout_s):
            self.missed += 1
