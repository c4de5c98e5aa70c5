"""A running simulation with a ROS 2 bridge in this process."""

import threading
from collections.abc import Callable
from pathlib import Path

from waiting import until

from outrider.bridges.bridge import make_bridge
from outrider.bridges.policy import Policy
from outrider.scenarios.bridging import outside_of
from outrider.scenarios.load import loads
from outrider.scenarios.run import Run


def wait_for(question: Callable[[], object]) -> None:
    """Wait until something is so: the graph of ROS 2 learns of changes in its own time."""
    assert until(question), "it did not come about in time"


class Live:
    """A run in a thread, with the bridge."""

    def __init__(
        self,
        text: str,
        domain: int,
        options: str = "",
        speed: float = 1.0,
        files: Path | None = None,
    ) -> None:
        self.run = Run(loads(text), speed=speed)
        self.outside = outside_of(self.run.session, self.run.runner, Policy.of_folder(files))
        self.bridge = make_bridge(f"ros2:domain={domain}{options}", self.outside)
        self.bridge.start()
        self._thread = threading.Thread(target=self.run.go)
        self._thread.start()

    def call(self, service: str, **arguments: object) -> dict:
        return self.outside.services[service](arguments)

    @property
    def time_s(self) -> float:
        return self.run.simulation.time_s

    def goes_on(self) -> bool:
        before = self.time_s
        return until(lambda: self.time_s > before)

    def close(self) -> None:
        self.run.runner.stop()
        self._thread.join(timeout=60)
        self.bridge.close()
