"""The stack as a separate process that talks to the robot through bridges."""

import threading
import time

from outrider.autonomy.live import Live
from outrider.autonomy.pipeline import Pipeline
from outrider.bus.bus import Bus
from outrider.messages.plain_values import stamp_ns
from outrider.messages.types import Message

_PAUSE_S = 0.005


class StackNode:
    """A pipeline on its own bus. Its time is that of the newest message, simulated or real."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.bus = Bus()
        self.now_ns = 0
        self._stopped = threading.Event()
        for name, kind in pipeline.inputs.items():
            self.bus.declare(name, kind, kept="all", direction="in")
            self.bus.tap(name, self._note)
        self._live = Live(pipeline, self.bus)

    def run(self) -> None:
        """Process messages until stopped."""
        while not self._stopped.is_set():
            self.step()
            time.sleep(_PAUSE_S)
        self._live.close()

    def step(self) -> None:
        """Process the messages that have arrived."""
        if self.now_ns:
            self._live.step(self.now_ns)

    def stop(self) -> None:
        """Stop running."""
        self._stopped.set()

    def _note(self, _time_ns: int, message: Message) -> None:
        if hasattr(message, "header"):  # messages of ROS have one, or have no time
            self.now_ns = max(self.now_ns, stamp_ns(message))
