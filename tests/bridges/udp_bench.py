"""A bus with a UDP Bridge, clients beside it, and a road between them that loses datagrams."""

import random
import select
import socket
import threading
import time
from contextlib import ExitStack, contextmanager

from ros1_bench import wait_until

from outrider.bridges.bridge import Outside, make_bridge
from outrider.bridges.udp.client import UdpClient
from outrider.bus.bus import Bus
from outrider.messages.convert import from_dict

IMU, CLOUD = "sensor_msgs/msg/Imu", "sensor_msgs/msg/PointCloud2"
TWIST, STRING = "geometry_msgs/msg/Twist", "std_msgs/msg/String"
NOW_NS = 12_000_000_034


class Served:
    """A bridge on a bus of its own."""

    def __init__(self, options="", **outside):
        self.bus = Bus()
        self.bus.declare("/imu", IMU, kept="all")
        self.bus.declare("/cloud", CLOUD, kept="all")
        self.bus.declare("/note", STRING, latched=True)
        self.bus.declare("/cmd_vel", TWIST, direction="in")
        seen = Outside(self.bus, {}, lambda: NOW_NS, list, **outside)
        self.bridge = make_bridge(f"udp:port=0{options}", seen)
        self.bridge.start()
        self.address = f"127.0.0.1:{self.bridge.port}"
        self._opened = ExitStack()

    def client(self, **keys):
        made = UdpClient(keys.pop("simulator", self.address), **keys)
        self._opened.callback(made.close)
        return made

    def listened(self, topic, count=1):
        def heard():
            return any(t.name == topic and t.subscribers >= count for t in self.bus.topics())

        wait_until(heard, f"a subscription to {topic}")

    def reaches(self, client, x=3.0):
        """Publish until a client that has just subscribed gets it."""
        imu = from_dict(IMU, {"linear_acceleration": {"x": x}})

        def got():
            self.bus.publish("/imu", imu, 1)
            latest = client.latest("/imu")
            return latest is not None and latest.linear_acceleration.x == x

        client.subscribe("/imu")
        wait_until(got, "a message for the client")

    def counted(self, kind):
        wait_until(lambda: self.bridge.counts().get(kind), f"'{kind}'")
        return self.bridge.counts()[kind]

    def close(self):
        self._opened.close()
        self.bridge.close()


@contextmanager
def served(options="", **outside):
    made = Served(options, **outside)
    try:
        yield made
    finally:
        made.close()


class Road:
    """Passes datagrams on with loss, doubles, delay and changed order, both ways, by a seed."""

    def __init__(self, simulator, *, loss=0.05, double=0.05, late=0.1, delay_s=0.002, seed=1):
        self._simulator = ("127.0.0.1", int(simulator.rpartition(":")[2]))
        self._chances, self._delay_s = (loss, double, late), delay_s
        self._random = random.Random(seed)
        self._front = self._socket()
        self.address = f"127.0.0.1:{self._front.getsockname()[1]}"
        self._backs = {}  # a socket of its own for every client
        self._waiting = []  # time, socket, datagram, receiver
        self.lost = self.passed = 0
        self._closed = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self):
        self._closed = True
        self._thread.join(10)
        for end in (self._front, *self._backs.values()):
            end.close()

    def _socket(self):
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        made.bind(("127.0.0.1", 0))
        made.setblocking(False)
        return made

    def _run(self):
        while not self._closed:
            ready, _, _ = select.select([self._front, *self._backs.values()], [], [], 0.001)
            for end in ready:
                self._read(end)
            self._deliver(time.monotonic())

    def _read(self, end):
        for _ in range(200):
            try:
                datagram, sender = end.recvfrom(65536)
            except BlockingIOError:
                return
            if end is self._front:
                if sender not in self._backs:
                    self._backs[sender] = self._socket()
                self._pass(self._backs[sender], datagram, self._simulator)
            else:
                client = next(c for c, back in self._backs.items() if back is end)
                self._pass(self._front, datagram, client)

    def _pass(self, end, datagram, receiver):
        loss, double, late = self._chances
        if self._random.random() < loss:
            self.lost += 1
            return
        self.passed += 1
        for _ in range(2 if self._random.random() < double else 1):
            extra = self._random.random() * 0.01 if self._random.random() < late else 0.0
            due = time.monotonic() + self._delay_s + extra
            self._waiting.append((due, end, datagram, receiver))

    def _deliver(self, now):
        due = [item for item in self._waiting if item[0] <= now]
        self._waiting = [item for item in self._waiting if item[0] > now]
        for _, end, datagram, receiver in sorted(due, key=lambda item: item[0]):
            end.sendto(datagram, receiver)


@contextmanager
def road(simulator, **keys):
    made = Road(simulator, **keys)
    try:
        yield made
    finally:
        made.close()
