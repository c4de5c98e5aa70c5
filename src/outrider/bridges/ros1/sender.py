"""From the bus to ROS 1 topics: one thread converts, serialises and sends."""

import threading
import time
from dataclasses import dataclass

from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.ros1.publication import Publication
from outrider.bus.bus import Bus
from outrider.bus.mailbox import Subscription
from outrider.bus.thinning import Thinning
from outrider.core.process.service_thread import ServiceThread
from outrider.messages.ros1.convert import Convert, to_ros1
from outrider.messages.ros1.types import written
from outrider.messages.topics import Kept

_DEPTH = 100  # messages of one topic that may wait
_PAUSE_S = 0.0005  # between looks, so that a fast topic cannot take the whole interpreter


@dataclass(slots=True)
class _Flow:
    topic: str  # on the bus
    publication: Publication
    convert: Convert
    thinning: Thinning
    box: Subscription | None = None


class Ros1Sender:
    """Reads the bus only for topics with ROS subscribers."""

    def __init__(self, bus: Bus, peer_errors: PeerErrors) -> None:
        self._bus = bus
        self._peer_errors = peer_errors
        self._wake = threading.Event()
        self._flows: dict[str, _Flow] = {}  # by the topic's name on the other side
        self._lock = threading.Lock()
        self._closed = False
        self._thread = ServiceThread(self._run, "outrider-ros1-out")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End the thread and stop reading the bus."""
        self._closed = True
        self._wake.set()
        self._thread.wait_for_end()
        for name in list(self._flows):
            self.remove(name)

    def add(self, topic: str, source: str, publication: Publication, most_hz: float = 0.0) -> None:
        """Carry a bus topic to a publication, at a maximum rate in simulated time."""
        convert = to_ros1(source, publication.kind.full)
        flow = _Flow(topic, publication, convert, Thinning(most_hz))
        with self._lock:
            self._flows[publication.topic] = flow
        self.look(publication.topic)

    def remove(self, name: str) -> None:
        """Carry no more to a publication."""
        with self._lock:
            flow = self._flows.pop(name, None)
        if flow is not None and flow.box is not None:
            flow.box.close()

    def look(self, name: str) -> None:
        """Listen to a topic if somebody on the other side does, or if it is remembered there."""
        with self._lock:
            flow = self._flows.get(name)
            if flow is None:
                return
            wanted = bool(flow.publication.connections) or flow.publication.latched
            if wanted and flow.box is None:
                # who reads the time wants what it is now, not what it was
                kept: Kept = "latest" if flow.topic == "/clock" else "all"
                flow.box = self._bus.subscribe(flow.topic, kept=kept, depth=_DEPTH, wake=self._wake)
                self._wake.set()
            elif not wanted and flow.box is not None:
                flow.box.close()
                flow.box = None

    def dropped(self) -> int:
        """Return how many messages newer ones pushed out before they could be sent."""
        flows = list(self._flows.values())
        waiting = sum(flow.box.dropped for flow in flows if flow.box and flow.topic != "/clock")
        return waiting + sum(c.dropped for f in flows for c in f.publication.connections)

    def _run(self) -> None:
        while not self._closed:
            self._wake.wait()
            self._wake.clear()
            for flow in list(self._flows.values()):
                if flow.box is not None:
                    self._drain(flow, flow.box)
            time.sleep(_PAUSE_S)

    def _drain(self, flow: _Flow, box: Subscription) -> None:
        for _ in range(_DEPTH):
            item = box.poll()
            if item is None:
                return
            if not flow.thinning.due(item[0]):
                continue
            try:
                body = written(flow.convert(item[1]), flow.publication.kind.full)
            except Exception as error:  # one bad message must not end all topics
                self._peer_errors.note(
                    "unwritable", f"a message on '{flow.topic}' cannot be written: {error!r:.80}"
                )
                continue
            flow.publication.send(body)
