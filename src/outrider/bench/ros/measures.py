"""The measurements of either ROS bridge: latency, full load, idle bridge, step."""

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Protocol, TypeAlias

from outrider.bench.measurement import Measurement, middle
from outrider.bench.ros.cost import Loaded, flat_out, jackal, paused_share, timed
from outrider.bench.ros.load import CLOUD, IMAGE, Feeder, bare, cloud, wait
from outrider.bridges.bridge import Bridge, Outside, make_bridge
from outrider.bus.bus import Bus
from outrider.scenarios.bridging import outside_of

COUNT, PERIOD_S = 60, 0.05  # the clouds whose way is timed
LISTEN_S = COUNT * PERIOD_S + 1.0
_LOAD_S = 60.0

Process: TypeAlias = "subprocess.Popen[str]"


class Ros(Protocol):
    """One of the two: its bridge, and nodes of its own in other processes."""

    name: str
    peer: str  # what its own programs are written with
    idle_bridge: str
    fed_bridge: str
    settle_s: float  # until both ends have found each other
    linger_s: float  # how long a listener outlasts the load

    def listen(self, bridge: Bridge, seconds: float, *topics: str) -> Process:
        """Start a node that listens to ``topic=type`` for so long after the first message."""

    def peer_ages(self) -> list[float]:
        """Return how old clouds are in a callback, that a node of the peer's published."""


def latency(ros: Ros) -> Measurement:
    """Send a cloud of 14,400 points from the bus to a callback in another process."""
    ours, spread = middle(_ages_from_bus(ros))
    peer, _ = middle(ros.peer_ages())
    return Measurement(
        f"{ros.name}: VLP-16 cloud of 14,400 points, publish to callback",
        ours * 1e3,
        "ms",
        "lower",
        spread * 1e3,
        {f"{ros.peer} to {ros.peer}": peer * 1e3},
        limit=5.0,
    )


def load(ros: Ros) -> Iterator[Measurement]:
    """Send clouds and stereo pictures for a minute, against the clock."""
    alone, loaded = _loaded(ros, 0.0), _loaded(ros, _LOAD_S)
    yield Measurement(
        f"{ros.name}: messages lost, 10 Hz cloud and 20 Hz stereo 1024x768",
        loaded.lost,
        "",
        "lower",
        limit=0.5,
    )
    yield Measurement(
        f"{ros.name}: real-time factor under that load, against none",
        loaded.factor / alone.factor,
        "x",
        "higher",
        limit=0.9,
    )
    yield Measurement(
        f"{ros.name}: cost of that load", (loaded.cpu - alone.cpu) * 100, "% of a core", "lower"
    )


def idle(ros: Ros) -> Measurement:
    """Return what a bridge takes from a paused simulation."""
    share = paused_share(ros.idle_bridge) - paused_share("")
    return Measurement(
        f"{ros.name}: a bridge nobody listens to",
        max(share, 0.0) * 100,
        "% of a core",
        "lower",
        limit=2.0,
    )


def step(ros: Ros) -> Measurement:
    """Cost of the bridge in a run flat out (P16), in CPU time of the whole process."""
    flat_out("")  # compiled and warm
    value, spread = middle([flat_out(ros.idle_bridge) / flat_out("") for _ in range(3)])
    return Measurement(
        f"{ros.name}: a simulated second with the bridge, against without",
        value,
        "x",
        "lower",
        spread,
        limit=1.1,
    )


@contextmanager
def started(ros: Ros, outside: Outside) -> Iterator[Bridge]:
    """Keep a bridge open that is fed with clouds and pictures."""
    bridge = make_bridge(ros.fed_bridge, outside)
    with closing(bridge):
        bridge.start()
        yield bridge


def ages_at(listener: Process) -> dict[str, list[float]]:
    """Return how old the messages of each topic were when they came, in seconds."""
    out, _ = listener.communicate(timeout=150)
    found: dict[str, list[int]] = json.loads(out.splitlines()[-1])
    return {name: [age * 1e-9 for age in ages] for name, ages in found.items()}


def _ages_from_bus(ros: Ros) -> list[float]:
    """Return how old clouds are in the callback, that were published on a bus with a bridge."""
    bus = Bus()
    channel = bus.declare("/points", CLOUD)
    with started(ros, bare(bus)) as bridge:
        listener = ros.listen(bridge, LISTEN_S, f"/points={CLOUD}")
        wait(lambda: channel.info().subscribers > 0)
        time.sleep(0.5)
        for _ in range(COUNT):
            now_ns = time.monotonic_ns()
            channel.publish(cloud(now_ns), now_ns)
            time.sleep(PERIOD_S)
        return ages_at(listener)["/points"]


def _loaded(ros: Ros, listen_s: float) -> Loaded:
    """Run at real time, with a listener for so long or without."""
    run = jackal(1.0)
    feeder = Feeder(run.simulation.bus)
    with started(ros, outside_of(run.session, run.runner)) as bridge:
        listener = _listener(ros, bridge, feeder, listen_s) if listen_s else None
        run.simulation.run(0.1)  # compiled and warm
        run.simulation.drivers.append(feeder)
        factor, cpu = timed(run, listen_s or 10.0)
        return Loaded(_lost(feeder, listener) if listener else 0, factor, cpu)


def _listener(ros: Ros, bridge: Bridge, feeder: Feeder, seconds: float) -> Process:
    """Start a listener to all that is fed, and wait until it hears."""
    topics = (f"/points={CLOUD}", f"/left={IMAGE}", f"/right={IMAGE}")
    listener = ros.listen(bridge, seconds + ros.linger_s, *topics)
    wait(lambda: feeder.heard)
    time.sleep(ros.settle_s)
    return listener


def _lost(feeder: Feeder, listener: Process) -> int:
    return sum(feeder.sent[name] - len(ages) for name, ages in ages_at(listener).items())
