"""The cost of a bridge: a run with and without it, in CPU time of the whole process."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from outrider.bridges.bridge import make_bridge
from outrider.scenarios.bridging import outside_of
from outrider.scenarios.load import loads
from outrider.scenarios.run import Run

_JACKAL = "world: empty\nrobots: [{model: jackal, motion: {type: drive, speed: 0.3}}]"
_SETTLE_S = 1.5


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came of a run under load."""

    lost: int
    factor: float  # simulated seconds per second
    cpu: float  # share of a core


def jackal(speed: float, duration_s: float | None = None) -> Run:
    """Return a run of a Jackal on level ground."""
    return Run(replace(loads(_JACKAL), duration_s=duration_s), speed=speed)


def timed(run: Run, seconds: float) -> tuple[float, float]:
    """Let a run go for a while; return its real-time factor and its share of a core."""
    thread = threading.Thread(target=run.go)
    wall_s, cpu_s, sim_s = time.monotonic(), time.process_time(), run.simulation.time_s
    thread.start()
    time.sleep(seconds)
    run.runner.stop()
    thread.join()
    wall_s, cpu_s = time.monotonic() - wall_s, time.process_time() - cpu_s
    return (run.simulation.time_s - sim_s) / wall_s, cpu_s / wall_s


def paused_share(bridge: str) -> float:
    """Return how much of a core a paused simulation takes."""
    run = jackal(1.0)
    with _bridged(run, bridge):
        run.runner.paused = True
        thread = threading.Thread(target=run.go)
        thread.start()
        time.sleep(_SETTLE_S)
        wall_s, cpu_s = time.monotonic(), time.process_time()
        time.sleep(5.0)
        share = (time.process_time() - cpu_s) / (time.monotonic() - wall_s)
        run.runner.stop()
        thread.join()
    return share


def flat_out(bridge: str) -> float:
    """Return the CPU time of forty simulated seconds, flat out, with all topics but no listener."""
    run = jackal(0.0, 40.0)
    with _bridged(run, bridge):
        time.sleep(_SETTLE_S if bridge else 0.0)
        cpu_s = time.process_time()
        run.go()
        return time.process_time() - cpu_s


@contextmanager
def _bridged(run: Run, text: str) -> Iterator[None]:
    bridge = make_bridge(text, outside_of(run.session, run.runner)) if text else None
    if bridge is not None:
        bridge.start()
    try:
        yield
    finally:
        if bridge is not None:
            bridge.close()
