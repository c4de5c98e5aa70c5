"""ROS 2: how long a cloud is on its way, what a full load costs, and what an idle bridge does."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from outrider.bench import ros2_node
from outrider.bench.measurement import Measurement, middle
from outrider.bench.ros_cost import Loaded, flat_out, jackal, paused_share, timed
from outrider.bench.ros_load import CLOUD, IMAGE, Feeder, bare, cloud, wait
from outrider.bridges.bridge import make_bridge
from outrider.bus.bus import Bus
from outrider.messages.store import store
from outrider.scenarios.bridging import outside_of

_COUNT, _PERIOD_S = 60, 0.05
_LOAD_S = 60.0


class Ros2:
    """Benchmarks of the ROS 2 bridge, beside rclpy itself in the same run."""

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other; without rclpy there is nothing to measure."""
        try:
            import rclpy  # noqa: F401 - only to see whether it is there
        except ImportError:
            return
        yield self._latency()
        yield from self._load()
        yield self._idle()
        yield self._step()

    def _latency(self) -> Measurement:
        """Send a cloud of 14,400 points from the bus to a callback in another process."""
        ours, spread = middle(_ages_from_bus())
        peer, _ = middle(_ages_from_rclpy())
        return Measurement(
            "ROS 2: VLP-16 cloud of 14,400 points, publish to callback", ours * 1e3, "ms", "lower",
            spread * 1e3, {"rclpy to rclpy": peer * 1e3}, limit=5.0,
        )  # fmt: skip

    def _load(self) -> Iterator[Measurement]:
        """Send clouds and stereo pictures for a minute, against the clock."""
        alone, loaded = _loaded(0.0), _loaded(_LOAD_S)
        yield Measurement(
            "ROS 2: messages lost, 10 Hz cloud and 20 Hz stereo 1024x768", loaded.lost, "",
            "lower", limit=0.5,
        )  # fmt: skip
        yield Measurement(
            "ROS 2: real-time factor under that load, against none",
            loaded.factor / alone.factor, "x", "higher", limit=0.9,
        )  # fmt: skip
        yield Measurement(
            "ROS 2: cost of that load", (loaded.cpu - alone.cpu) * 100, "% of a core", "lower"
        )

    def _idle(self) -> Measurement:
        share = paused_share(f"ros2:domain={_domain()}") - paused_share("")
        return Measurement(
            "ROS 2: a bridge nobody listens to", max(share, 0.0) * 100, "% of a core", "lower",
            limit=2.0,
        )  # fmt: skip

    def _step(self) -> Measurement:
        """Cost of the bridge in a run flat out (P16), in CPU time of the whole process."""
        flat_out("")  # compiled and warm
        ratios = [flat_out(f"ros2:domain={_domain()}") / flat_out("") for _ in range(3)]
        value, spread = middle(ratios)
        return Measurement(
            "ROS 2: a simulated second with the bridge, against without", value, "x", "lower",
            spread, limit=1.1,
        )  # fmt: skip


def _domain() -> int:
    return 1 + os.getpid() % 100


def _started(action: str, *arguments: object) -> "subprocess.Popen[str]":
    env = {**os.environ, "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
    command = [sys.executable, ros2_node.__file__, action, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)


def _ages_from_bus() -> list[float]:
    """Return how old clouds are in the callback, that were published on a bus with a bridge."""
    bus = Bus()
    channel = bus.declare("/points", CLOUD)
    bridge = make_bridge(f"ros2:domain={_domain()}", bare(bus))
    bridge.start()
    listener = _started("listen", _domain(), _COUNT * _PERIOD_S + 1.0, f"/points={CLOUD}")
    wait(lambda: channel.info().subscribers > 0)
    time.sleep(0.5)
    for _ in range(_COUNT):
        now_ns = time.monotonic_ns()
        channel.publish(cloud(now_ns), now_ns)
        time.sleep(_PERIOD_S)
    ages = _ages(listener)["/points"]
    bridge.close()
    return ages


def _ages_from_rclpy() -> list[float]:
    """Return the same for a publisher of rclpy in a process of its own."""
    with tempfile.NamedTemporaryFile(suffix=".cdr") as file:
        Path(file.name).write_bytes(store().serialize_cdr(cloud(0), CLOUD))
        listener = _started("listen", _domain(), _COUNT * _PERIOD_S + 1.0, f"/points={CLOUD}")
        talker = _started("talk", _domain(), "/points", CLOUD, file.name, _COUNT, _PERIOD_S)
        ages = _ages(listener)["/points"]
        talker.wait()
    return ages


def _ages(listener: "subprocess.Popen[str]") -> dict[str, list[float]]:
    """Return how old the messages of each topic were, in seconds."""
    out, _ = listener.communicate(timeout=120)
    found: dict[str, list[int]] = json.loads(out.splitlines()[-1])
    return {name: [age * 1e-9 for age in ages] for name, ages in found.items()}


def _loaded(listen_s: float) -> Loaded:
    """Run at real time, with a listener for so long or without."""
    seconds = listen_s or 10.0
    run = jackal(1.0)
    feeder = Feeder(run.simulation.bus)
    bridge = make_bridge(f"ros2:domain={_domain()}", outside_of(run.session, run.runner))
    bridge.start()
    listener = None
    if listen_s:
        topics = [f"/points={CLOUD}", f"/left={IMAGE}", f"/right={IMAGE}"]
        listener = _started("listen", _domain(), seconds + 3, *topics)
        wait(lambda: feeder.heard)
        time.sleep(4.0)  # the other end must have found us, too: it may take a heartbeat of 3 s
    run.simulation.run(0.1)  # compiled and warm
    run.simulation.drivers.append(feeder)
    factor, cpu = timed(run, seconds)
    lost = 0
    if listener is not None:
        came = {name: len(ages) for name, ages in _ages(listener).items()}
        lost = sum(feeder.sent[name] - came[name] for name in came)
    bridge.close()
    return Loaded(lost, factor, cpu)
