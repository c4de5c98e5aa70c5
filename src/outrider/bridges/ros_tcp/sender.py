"""From the bus to an endpoint: one thread serialises and sends; old messages are dropped."""

import socket
import threading
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.ros_tcp.frames import KEEP_ALIVE, frame
from outrider.bridges.ros_tcp.wire import Wire
from outrider.bus.bus import Bus
from outrider.bus.mailbox import Stamped, Subscription
from outrider.bus.thinning import Thinning
from outrider.core.process.service_thread import ServiceThread

_DEPTH = 20  # messages of one topic that may wait
_IDLE_S = 1.0  # after which a connection is kept alive
_AGAIN_S = 5.0  # between two tellings of what ROS 1 would remember and ROS 2's endpoint does not
_PAUSE_S = 0.001
_MOST_REPLIES = 1000


@dataclass(slots=True)
class _ClientFlow:
    topic: str
    box: Subscription
    thinning: Thinning
    latched: bool


class EndpointSender:
    """What is sent over one connection."""

    def __init__(self, end: socket.socket, wire: Wire, bus: Bus, peer_errors: PeerErrors) -> None:
        self._socket, self._wire, self._bus = end, wire, bus
        self._peer_errors = peer_errors
        self._wake = threading.Event()
        self._flows: dict[str, _ClientFlow] = {}
        self._ready: deque[bytes] = deque()  # commands and answers, whole
        self._sent_s = 0.0
        self._again_s = time.monotonic() + _AGAIN_S
        self._lost = 0  # by topics that are gone
        self._closed = False
        self._thread = ServiceThread(self._run, "outrider-ros-tcp-out")

    def start(self) -> None:
        """Begin, with a sign of life."""
        self._ready.append(KEEP_ALIVE)
        self._wake.set()
        self._thread.start()

    def close(self) -> None:
        """End the thread and stop reading the bus."""
        self._closed = True
        self._wake.set()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.wait_for_end()
        for name in list(self._flows):
            self.remove(name)

    def say(self, *frames: tuple[bytes, bytes | memoryview]) -> None:
        """Send frames with nothing between them."""
        if len(self._ready) < _MOST_REPLIES:
            self._ready.append(b"".join(part for one in frames for part in one))
            self._wake.set()
        else:
            self._peer_errors.note("slow", "the endpoint does not read; an answer is lost")

    def add(self, topic: str, latched: bool, most_hz: float) -> None:
        """Carry a topic of the bus, at most so often in simulated time."""
        box = self._bus.subscribe(topic, kept="all", depth=_DEPTH, wake=self._wake)
        self._flows[topic] = _ClientFlow(topic, box, Thinning(most_hz), latched)
        self._wake.set()

    def remove(self, topic: str) -> None:
        """Carry a topic no longer."""
        flow = self._flows.pop(topic, None)
        if flow is not None:
            flow.box.close()
            self._lost += flow.box.dropped

    def lost(self) -> int:
        """Return how many messages newer ones have pushed out."""
        return self._lost + sum(flow.box.dropped for flow in list(self._flows.values()))

    def _run(self) -> None:
        try:
            while not self._closed:
                self._wake.wait(_IDLE_S)
                self._wake.clear()
                self._round()
                time.sleep(_PAUSE_S)
        except OSError:  # who reads from the connection says why it ended
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _round(self) -> None:
        while self._ready:
            self._send((self._ready.popleft(),))
        flows = list(self._flows.values())
        for flow in flows:
            self._drain(flow)
        now_s = time.monotonic()
        if now_s >= self._again_s and self._wire.form == "ros2":
            self._again_s = now_s + _AGAIN_S
            for flow in flows:
                if flow.latched and flow.box.latest is not None:
                    self._tell(flow.topic, flow.box.latest)
        if now_s - self._sent_s >= _IDLE_S:
            self._send((KEEP_ALIVE,))

    def _drain(self, flow: _ClientFlow) -> None:
        for _ in range(_DEPTH):
            item = flow.box.poll()
            if item is None:
                return
            if flow.thinning.due(item[0]):
                self._tell(flow.topic, item)
        self._wake.set()  # there may be more

    def _tell(self, topic: str, item: Stamped) -> None:
        try:
            body = self._wire.write(item[1])
        except Exception as error:  # one bad message must not end all topics
            self._peer_errors.note(
                "unwritable", f"a message on '{topic}' cannot be written: {error!r:.80}"
            )
            return
        self._send(frame(self._wire.destination(topic), body))

    def _send(self, parts: Iterable[bytes | memoryview]) -> None:
        for part in parts:
            self._socket.sendall(part)
        self._sent_s = time.monotonic()
