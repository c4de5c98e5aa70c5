"""What a client that repeats a change as fast as it can leaves of a run's speed.

    python -m tools.repeated_changes
    python -m tools.repeated_changes --scenario rough --engine bullet --only move

A simulation runs at the speed of real time, and a client calls over rosbridge for some seconds:
the share of real time that the run keeps meanwhile, calls a second, and the longest gap of /clock.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from tools.gap_cases import Call
from tools.loop_gaps import Live, simulation
from websockets.sync.client import connect as websocket

from outrider.bridges.local.client import Client, connect

_PARTS = {"shape": {"type": "box", "size": [0.3, 0.3, 0.3]}, "mass": 3.0}


def _box(n: int) -> Call:
    pose = {"x": 6.0, "y": 3.0 * (n % 5), "z": 19.0 + n}
    return "add_object", {"name": f"box_{n}", "pose": pose, **_PARTS}


def _move(n: int) -> Call:
    return "move", {"name": "jackal", "x": 0.5 * (n % 2)}


CASES: dict[str, Callable[[int], Call] | None] = {
    "no calls": None,
    "move": _move,
    "refused set_state": lambda n: (
        "set_state",
        {"name": "jackal", "position": [0, 0, -1 - n % 2]},
    ),
    "add_object": _box,  # the last: what it adds stays
}


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenario", default="empty", help="what 'outrider run' opens")
    parser.add_argument("--engine", default="mujoco")
    parser.add_argument("--only", default="", help="only cases whose name begins so")
    parser.add_argument("--seconds", type=float, default=20.0, help="that the client calls")
    parser.add_argument("--heard", action="store_true", help="somebody listens to all topics")
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        simulation(asked.scenario, asked.engine, Path(folder), heard=asked.heard) as live,
        connect(live.process.pid) as own,
    ):
        print(f"{'repeated':22} {'of real time':>12} {'calls/s':>8} {'longest gap ms':>15}")
        for name, case in CASES.items():
            if name.startswith(asked.only):
                share, rate, gap_ms = _measured(live, own, case, asked.seconds)
                print(f"{name:22} {share:12.3f} {rate:8.1f} {gap_ms:15.0f}", flush=True)


def _measured(
    live: Live, own: Client, case: Callable[[int], Call] | None, seconds: float
) -> tuple[float, float, float]:
    """Return the share of real time, calls a second and the longest gap in ms."""
    live.longest.value, calls = 0.0, 0
    began, simulated = time.monotonic(), _time(own)
    if case is None:
        time.sleep(seconds)
    else:
        with websocket(live.address, max_size=None, open_timeout=30.0) as line:
            for calls in count(1):
                live.call(line, case(calls - 1))
                if time.monotonic() - began > seconds:
                    break
    took, simulated = time.monotonic() - began, _time(own) - simulated
    gap_ms = live.longest.value * 1e3
    time.sleep(2.0)
    return simulated / took, calls / took, gap_ms


def _time(own: Client) -> float:
    return float(own.call("status")["time_s"])


if __name__ == "__main__":
    main()
