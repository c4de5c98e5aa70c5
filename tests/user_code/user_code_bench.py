"""A simulation that user code can find, and files of user code."""

import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

from waiting import until

from outrider.bridges.local.server import LocalServer
from outrider.core.structure import from_data
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import Scenario

EXAMPLES = Path(__file__).parents[2] / "examples" / "user_code"
SEAR = EXAMPLES.parent / "sear"
ROOM = {
    "world": "roomba-room",
    "robots": [
        {
            "model": "create",
            "sensors": [
                {"name": "ping", "model": "ping", "link": "base_link", "pose": {"z": 0.08}},
                {"name": "imu", "model": "ideal-imu", "link": "base_link"},
            ],
        }
    ],
}


@contextmanager
def simulated(scenario=ROOM, bridges=()):
    """Run a scenario in real time with its local port open."""
    whole = {"name": "user code", "duration_s": 600, **scenario}
    run = Run(from_data(Scenario, whole, "test"), speed=1.0, bridges=bridges)
    server = LocalServer(
        run.simulation.bus,
        run.runner.services(),
        scenario="user code",
        now_ns=lambda: run.simulation.time_ns,
    )
    thread = threading.Thread(target=run.go)
    thread.start()
    try:
        yield run
    finally:
        run.runner.stop()
        thread.join(timeout=30)
        server.close()


class Child:
    """User code in a process of its own; what it says is kept."""

    def __init__(self, kind, file, *arguments):
        import os

        command = [sys.executable, "-u", "-m", "outrider.user_code", kind, str(file)]
        self._process = subprocess.Popen(
            [*command, str(os.getpid()), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = ""
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self._process.stdout:
            self.said += line

    def says(self, text):
        assert until(lambda: text in self.said), f"waited for {text!r} in {self.said!r}"

    def ends(self):
        return self._process.wait(30)

    def close(self):
        self._process.kill()
        self._process.wait(30)


@contextmanager
def child(kind, file, *arguments):
    made = Child(kind, file, *arguments)
    try:
        yield made
    finally:
        made.close()
