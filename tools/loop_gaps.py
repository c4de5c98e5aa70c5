"""How long services hold the loop: the longest gap of /clock while each is called.

    python -m tools.loop_gaps bombs
    python -m tools.loop_gaps services --scenario campus --engine bullet

A simulation runs at the speed of real time; a second process listens to /clock, a third (this one)
calls over rosbridge. The least of several rounds is told: other programs only make gaps longer.
"""

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from tools.gap_cases import BOMBS, SERVICES, Call
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as websocket

from outrider.bridges.local.client import connect

_PATIENCE_S = 180.0

_round = ["0"]  # in the names of files, which must be new


@dataclass(slots=True)
class Measured:
    """What one case took, the best of its rounds."""

    gap_ms: float
    answer_s: float
    memory_mb: float
    answer: str


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["bombs", "services"])
    parser.add_argument("--scenario", default="empty", help="what 'outrider run' opens")
    parser.add_argument("--engine", default="mujoco")
    parser.add_argument("--only", default="", help="only cases whose name begins so")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--heard", action="store_true", help="somebody listens to all topics")
    asked = parser.parse_args()
    cases = BOMBS if asked.what == "bombs" else SERVICES
    with (
        tempfile.TemporaryDirectory() as folder,
        simulation(asked.scenario, asked.engine, Path(folder), heard=asked.heard) as run,
    ):
        print(f"{'case':34} {'gap ms':>8} {'answer s':>9} {'memory MB':>10}  answer")
        for name, calls in cases.items():
            if name.startswith(asked.only):
                found = run.measured(calls, asked.rounds)
                print(
                    f"{name:34} {found.gap_ms:8.0f} {found.answer_s:9.2f}"
                    f" {found.memory_mb:10.0f}  {found.answer[:110]}",
                    flush=True,
                )


class Live:
    """A running simulation with someone who listens, and someone who calls."""

    def __init__(self, process: psutil.Process, port: int, *, heard: bool) -> None:
        self.process, self.port = process, port
        self.address = f"ws://127.0.0.1:{port}"
        spawn = multiprocessing.get_context("spawn")
        self.longest = spawn.Value("d", 0.0)
        self._listener = spawn.Process(
            target=_listen, args=(process.pid, self.longest), daemon=True
        )
        self._listener.start()
        self._audience = spawn.Process(target=_hear_all, args=(process.pid,), daemon=True)
        if heard:
            self._audience.start()

    def measured(self, calls: list[Call], rounds: int) -> Measured:
        """Call the last of some services several times, with what goes before it."""
        found = []
        for _ in range(rounds):
            _round[0] = str(int(_round[0]) + 1)
            found.append(self._once(calls))
        return Measured(
            min(one.gap_ms for one in found),
            min(one.answer_s for one in found),
            max(one.memory_mb for one in found),
            found[-1].answer,
        )

    def _once(self, calls: list[Call]) -> Measured:
        peak, end = [0.0], threading.Event()
        with websocket(self.address, max_size=None, open_timeout=30.0) as line:
            for call in calls[:-1]:
                self.call(line, call)
            time.sleep(0.5)
            watch = threading.Thread(target=self._watch_memory, args=(peak, end))
            watch.start()
            text = _request(calls[-1])
            self.longest.value = 0.0
            began = time.monotonic()
            line.send(text)
            answer = _answer(line)
            took = time.monotonic() - began
            time.sleep(0.3)
            end.set()
            watch.join()
            while self.call(line, ("undo", {})).startswith("{"):
                pass  # else the next case would meet what this one has left
        return Measured(self.longest.value * 1e3, took, peak[0] / 1e6, answer)

    def call(self, line: ClientConnection, call: Call) -> str:
        """Ask for a service and return its answer."""
        line.send(_request(call))
        return _answer(line)

    def _watch_memory(self, peak: list[float], end: threading.Event) -> None:
        while not end.wait(0.05):
            own = [self.process, *self.process.children(recursive=True)]
            found = 0
            for one in own:
                try:
                    found += one.memory_info().rss
                except psutil.Error:
                    continue
            peak[0] = max(peak[0], found)

    def close(self) -> None:
        """Listen no longer."""
        for one in (self._listener, self._audience):
            if one.is_alive():
                one.terminate()
                one.join()


def _request(call: Call) -> str:
    name, arguments = call
    file = arguments.get("file")
    if file is not None:
        arguments = {**arguments, "file": file.replace("{}", _round[0])}
    args = {"service": name, "arguments": json.dumps(arguments)}
    return json.dumps({"op": "call_service", "id": "1", "service": "/outrider/call", "args": args})


def _answer(line: ClientConnection) -> str:
    end = time.monotonic() + _PATIENCE_S
    while time.monotonic() < end:
        found: Any = json.loads(line.recv(_PATIENCE_S))
        if found.get("op") == "service_response":
            values = found["values"]
            return str(values if isinstance(values, str) else list(values.values())[-1])
    return "no answer"


def _listen(pid: int, longest: Any) -> None:
    """Keep the longest time between two messages of /clock."""
    with connect(pid) as client:
        last = time.monotonic()
        for _ in client.messages("/clock", kept="all", content=False):
            now = time.monotonic()
            longest.value = max(longest.value, now - last)
            last = now


def _hear_all(pid: int) -> None:
    """Listen to all topics, as a recorder does: every sensor measures."""
    with connect(pid) as client:
        names = [topic["name"] for topic in client.topics() if topic["direction"] == "out"]
    for name in names:
        threading.Thread(target=_hear, args=(pid, name), daemon=True).start()
    threading.Event().wait()


def _hear(pid: int, name: str) -> None:
    with connect(pid) as client:
        for _ in client.messages(name, content=False):
            pass


@contextmanager
def simulation(scenario: str, engine: str, folder: Path, *, heard: bool) -> Iterator[Live]:
    """Run a simulation until the end of the block."""
    port = _free_port()
    command = [sys.executable, "-m", "outrider", "run", scenario, "--speed", "1"]
    command += ["--duration", "86400", "--no-ui", "--files", str(folder)]
    command += ["--set", f"physics.engine={engine}"]
    command += ["--bridge", f"rosbridge:port={port}"]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=dict(os.environ))
    try:
        _wait_for(port, process, folder / "log")
        live = Live(psutil.Process(process.pid), port, heard=heard)
        time.sleep(15.0)  # kernels are loaded, the first scans are cast
        try:
            yield live
        finally:
            live.close()
    finally:
        process.terminate()
        process.wait(20.0)


def _wait_for(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + _PATIENCE_S
    while time.monotonic() < end and process.poll() is None:
        try:
            with websocket(f"ws://127.0.0.1:{port}", open_timeout=5.0):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the simulation did not start: " + log.read_text()[-500:])


def _free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


if __name__ == "__main__":
    main()
