"""Three ways for a point cloud to another process, each with its receiver."""

import os
import select
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

from outrider.bench.udp.received_count import ReceivedCount
from outrider.bench.udp.receivers import ACKNOWLEDGED, BARE, CLOUD, TOPIC
from outrider.bridges.bridge import Bridge, Outside, make_bridge
from outrider.bus.bus import Bus
from outrider.messages.point_cloud import packed_cloud
from outrider.messages.types import header

_MODULE = "outrider.bench.udp.receivers"
_PATIENCE_S = 60.0
_DATAGRAM = 65_507
_SMALL = 20_000  # bytes; of such messages some may be on the way at once
_ON_THE_WAY = 50  # at most; then half of them have to arrive before the next is sent


@dataclass(slots=True)
class Route:
    """Sends clouds and knows what has arrived."""

    send: Callable[[int], None]  # a cloud with so many bytes of data
    received: ReceivedCount
    receiver: psutil.Process
    news: int  # descriptor that is readable when awaited messages have come

    def transfer(self, size: int, count: int) -> float:
        """Return how long it takes to bring so many messages across, in seconds."""
        most = _ON_THE_WAY if size <= _SMALL else 1
        began_ns, first = time.monotonic_ns(), self.received.count
        for sent in range(1, count + 1):
            self.send(size)
            if first + sent - self.received.count >= most:
                self._wait(first + sent - most // 2)
        self._wait(first + count)
        return (self.received.last_ns - began_ns) * 1e-9

    def latencies_s(self, size: int, count: int) -> list[float]:
        """Return how long single messages are on their way, one after the other."""
        first = self.received.count
        for number in range(count):
            self.send(size)
            self._wait(first + number + 1)
            time.sleep(0.002)
        return [value * 1e-9 for value in self.received.latencies_ns(first, first + count)]

    def cpu_s(self) -> float:
        """Return the processor time that both ends have used so far."""
        own = time.process_time()
        other = self.receiver.cpu_times()
        return own + other.user + other.system

    def _wait(self, count: int) -> None:
        """Sleep until so many messages have come: polling would take time from the sender."""
        self.received.wait_for(count)
        while self.received.count < count:
            if not select.select([self.news], [], [], _PATIENCE_S)[0]:
                raise TimeoutError(f"only {self.received.count} of {count} messages came")
            os.read(self.news, 4096)


@contextmanager
def bridged_route(kind: str, text: str) -> Iterator[Route]:
    """Yield the way over a bridge: from the bus of this process to its receiver."""
    bus = Bus()
    channel = bus.declare(TOPIC, CLOUD, kept="all")
    bridge = make_bridge(text, Outside(bus, {}, lambda: 0, list))
    bridge.start()
    data = {0: np.zeros(0, np.uint8)}

    def send(size: int) -> None:
        if size not in data:
            data.clear()
            data[size] = np.random.default_rng(1).integers(0, 256, size, np.uint8)
        now_ns = time.monotonic_ns()
        channel.publish(packed_cloud(header(now_ns, "v"), data[size], [], 1), now_ns)

    try:
        with _received(kind, _port(bridge)) as receiver:
            while not channel.readers:
                time.sleep(0.01)
            yield Route(send, *receiver)
    finally:
        bridge.close()


@contextmanager
def bare_route() -> Iterator[Route]:
    """Yield the way of a plain copy: the largest datagrams from a buffer to a buffer."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8 << 20)
        end.bind(("127.0.0.1", 0))
        end.settimeout(_PATIENCE_S)
        with _received("bare", end.getsockname()[1]) as receiver:
            _, peer = end.recvfrom(16)
            end.connect(peer)
            data = np.random.default_rng(1).integers(0, 256, 16 << 20, np.uint8).data
            yield Route(lambda size: _copy(end, data[:size]), *receiver)


def _copy(end: socket.socket, data: memoryview) -> None:
    datagrams = -(-len(data) // _DATAGRAM)
    end.send(BARE.pack(time.monotonic_ns(), datagrams, len(data)))
    unread = 0
    for number in range(datagrams):
        end.send(data[number * _DATAGRAM : (number + 1) * _DATAGRAM])
        if number % ACKNOWLEDGED == ACKNOWLEDGED - 1:
            unread += 1
            if unread > 1:  # the receiver's buffer holds two such lots
                end.recv(16)
                unread -= 1
    for _ in range(unread):
        end.recv(16)


@contextmanager
def _received(kind: str, port: int) -> Iterator[tuple[ReceivedCount, psutil.Process, int]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "received"
        received = ReceivedCount(path)
        command = [sys.executable, "-m", _MODULE, kind, str(port), str(path)]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, bufsize=0)
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield received, psutil.Process(process.pid), process.stdout.fileno()
        finally:
            process.kill()
            process.wait()


def _port(bridge: Bridge) -> int:
    port: int = bridge.port  # type: ignore[attr-defined]
    return port
