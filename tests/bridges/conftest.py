"""A bus with a local port on it, and a cache of its own."""

import threading

import pytest
from local_bench import SERVICES

from outrider.bridges.local.server import LocalServer
from outrider.bus.bus import Bus
from outrider.messages.types import Clock
from outrider.messages.types import time as stamp


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    return tmp_path


@pytest.fixture
def bus():
    made = Bus()
    made.declare("/clock", "rosgraph_msgs/msg/Clock")
    made.declare("/cmd_vel", "geometry_msgs/msg/Twist", direction="in")
    made.declare("/camera", "sensor_msgs/msg/Image")
    return made


@pytest.fixture
def server(bus):
    made = LocalServer(bus, SERVICES, scenario="demo", now_ns=lambda: 77, send_timeout_s=0.3)
    yield made
    made.close()


@pytest.fixture
def ticking(bus):
    """Publish simulated time like a loop does."""
    stop = threading.Event()

    def loop():
        time_ns = 0
        while not stop.is_set():
            time_ns += 2_500_000
            bus.publish("/clock", Clock(stamp(time_ns)), time_ns)
            stop.wait(0.001)

    thread = threading.Thread(target=loop)
    thread.start()
    yield
    stop.set()
    thread.join()
