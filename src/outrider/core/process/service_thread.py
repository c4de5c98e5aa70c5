"""A thread that serves as long as its owner is open."""

from collections.abc import Callable
from threading import Thread


class ServiceThread(Thread):
    """A daemon thread; its owner says when it has to end, and then waits for it."""

    def __init__(self, run: Callable[[], None], name: str) -> None:
        super().__init__(target=run, name=name, daemon=True)

    def wait_for_end(self, timeout_s: float = 2.0) -> None:
        """Wait until it has ended; one that was never started has."""
        if self.is_alive():
            self.join(timeout_s)
