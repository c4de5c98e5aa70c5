"""A bus with a rosbridge server on it, and clients that speak by hand."""

import json
import socket
import threading
from contextlib import ExitStack, contextmanager

import cbor2
import numpy as np
from ros1_bench import Running as Ros1Running
from waiting import PATIENCE_S, wait_until
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from outrider.bridges.bridge import Outside, RobotDescription, make_bridge
from outrider.bus.bus import Bus
from outrider.core.errors import ConfigError
from outrider.messages.types import Image, LaserScan, header
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import PhysicsSpec, Scenario

TWIST, SCAN, IMAGE = "geometry_msgs/msg/Twist", "sensor_msgs/msg/LaserScan", "sensor_msgs/msg/Image"
NOW_NS = 12_000_000_034
PIXELS = np.arange(2 * 4 * 3, dtype=np.uint8) * 10  # of a picture, 4 by 2


def bus():
    made = Bus()
    made.declare("/clock", "rosgraph_msgs/msg/Clock")
    made.declare("/cmd_vel", TWIST, direction="in")
    made.declare("/odom", "nav_msgs/msg/Odometry")
    made.declare("/scan", SCAN)
    made.declare("/image", IMAGE)
    made.declare("/tf_static", "tf2_msgs/msg/TFMessage", latched=True)
    return made


def fail(_):
    raise ConfigError("there is no such thing")


def services(log):
    def noted(name):
        return lambda args: log.append((name, args)) or {"paused": name == "pause"}

    names = ("pause", "resume", "reset", "reset_world", "stop", "status", "step")
    return {**{name: noted(name) for name in names}, "set_state": noted("set_state"), "bad": fail}


class Served:
    """A server on a bus of its own."""

    def __init__(self, options="", *, port=0, **more):
        self.bus, self.log = bus(), []
        self.services = {**services(self.log), **more}
        robots = [RobotDescription("jackal", "", "", "<robot name='jackal'/>")]
        outside = Outside(self.bus, self.services, lambda: NOW_NS, lambda: robots, "test")
        self.bridge = make_bridge(f"rosbridge:port={port}{options}", outside)
        self.bridge.start()

    @property
    def url(self):
        return f"ws://127.0.0.1:{self.bridge.port}/"

    def counts(self):
        return self.bridge.counts()

    def counted(self, kind):
        wait_until(lambda: self.counts().get(kind), f"'{kind}'")
        return self.counts()[kind]

    def listened(self, topic):
        def heard():
            return any(t.subscribers for t in self.bus.topics() if t.name == topic)

        wait_until(heard, f"a subscription to {topic}")


@contextmanager
def served(options="", *, port=0, **more):
    made = Served(options, port=port, **more)
    try:
        yield made
    finally:
        made.bridge.close()


class Client:
    """A WebSocket that sends and receives dictionaries."""

    def __init__(self, url, **keys):
        self._open = ExitStack()
        asked = connect(url, max_size=None, compression=None, open_timeout=PATIENCE_S, **keys)
        self.socket = self._open.enter_context(asked)

    def send(self, **message):
        self.socket.send(json.dumps(message))

    def raw(self, timeout=PATIENCE_S):
        return self.socket.recv(timeout=timeout)

    def take(self, timeout=PATIENCE_S):
        data = self.raw(timeout)
        return json.loads(data) if isinstance(data, str) else cbor2.loads(data)

    def nothing(self, seconds=0.2):
        try:
            return self.raw(seconds) is None
        except TimeoutError:
            return True

    def call(self, service, args=None, **more):
        self.send(op="call_service", service=service, args=args, id="c", **more)
        while True:
            found = self.take()
            if found["op"] == "service_response":
                return found

    def asked(self, service, /, **args):
        answer = self.call(service, args)
        assert answer["result"], answer
        return answer["values"]

    def sent_away(self, seconds=PATIENCE_S):
        """Return the code that the connection was closed with."""
        try:
            while True:
                self.socket.recv(timeout=seconds)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    def close(self):
        self._open.close()


@contextmanager
def speaking(server):
    """Say the same again and again, for who subscribes when it likes."""
    stop = threading.Event()
    ranges = np.array([1.5, np.nan, 3.0], np.float32)
    image = Image(header(0, "c"), 2, 4, "rgb8", 0, 12, PIXELS)
    scan = LaserScan(header(4 * 10**9, "s"), 0, 0, 0, 0, 0, 0, 9, ranges, ranges[:0])

    def speak():
        while not stop.wait(0.02):
            server.bus.publish("/image", image, 0)
            server.bus.publish("/scan", scan, 0)

    thread = threading.Thread(target=speak)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@contextmanager
def client(server, **keys):
    made = Client(server.url, **keys)
    try:
        yield made
    finally:
        made.close()


def plain(server):
    return socket.create_connection(("127.0.0.1", server.bridge.tcp_port), timeout=PATIENCE_S)


class Running(Ros1Running):
    """A scenario that runs in a thread of its own, with bridges.

    Robots follow exact arcs: what the peers do is the point here, not what tyres do.
    """

    def __init__(self, *bridges, speed=1.0, **keys):
        keys.setdefault("physics", PhysicsSpec("kinematic", 0.01))
        self.run = Run(Scenario(duration_s=None, bridges=bridges, **keys), speed=speed)
        self._thread = threading.Thread(target=self.run.go, daemon=True)
        self._thread.start()
        wait_until(lambda: len(self.run.bridges) == len(bridges), "the bridges")
        self.bridge = self.run.bridges[0]
        wait_until(lambda: self.run.simulation.time_s > 0.05, "the first steps", 120.0)


@contextmanager
def running(*bridges, **keys):
    sim = Running(*bridges, **keys)
    try:
        yield sim
    finally:
        sim.close()
