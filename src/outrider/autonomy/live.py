"""The stack on a live bus: reads what has arrived and publishes at fixed simulated times."""

from collections.abc import Callable

from outrider.autonomy.pipeline import Pipeline, StampedOutput
from outrider.autonomy.topics import SAID
from outrider.bus.bus import Bus
from outrider.core.clock import to_ns


class Live:
    """Connects a pipeline to a bus; the owner of the loop calls ``step``."""

    def __init__(self, pipeline: Pipeline, bus: Bus, tick_hz: float = 20.0) -> None:
        self.pipeline = pipeline
        self.listeners: list[Callable[[StampedOutput, int], None]] = []  # told of all that is said
        self._bus = bus
        self._period_ns = to_ns(1.0 / tick_hz)
        self._next_ns = 0
        for name, kind in pipeline.outputs.items():
            bus.declare(name, kind)
        said = {  # by parts of the stack, or by whoever takes their place
            placed.topics[port]: kind
            for placed in pipeline.placed
            for port, kind in placed.component.inputs.items()
            if port in SAID
        }
        for name, kind in said.items():
            bus.declare(name, kind, direction="in")
        self._others = said.keys() & pipeline.inputs.keys()
        self._boxes = [(name, bus.subscribe(name, kept="all")) for name in pipeline.inputs]

    def step(self, now_ns: int) -> None:
        """Process all new messages in order of arrival, and tick if it is time."""
        came = []
        for order, (name, box) in enumerate(self._boxes):
            while (item := box.poll()) is not None:
                came.append((item[0], order, name, item[1]))
        for time_ns, _, name, message in sorted(came, key=lambda item: item[:2]):
            if name in self._others:
                self._tell(StampedOutput(name, message), time_ns)
            self._speak(self.pipeline.feed(name, message, time_ns), now_ns)
        if now_ns >= self._next_ns:
            self._next_ns = now_ns - now_ns % self._period_ns + self._period_ns
            self._speak(self.pipeline.tick(now_ns), now_ns)

    def restart(self) -> None:
        """Discard pending messages and start again at time zero."""
        self._next_ns = 0
        for _, box in self._boxes:
            while box.poll() is not None:
                pass

    def close(self) -> None:
        """Unsubscribe."""
        for _, box in self._boxes:
            box.close()

    def _speak(self, said: list[StampedOutput], now_ns: int) -> None:
        for item in said:
            self._bus.publish(item.topic, item.message, now_ns)
            self._tell(item, now_ns)

    def _tell(self, item: StampedOutput, now_ns: int) -> None:
        for tell in self.listeners:
            tell(item, now_ns)
