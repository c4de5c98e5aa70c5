"""One topic of the bus on its way to its subscribers: serialised once for all."""

import threading
from collections.abc import Iterator

from outrider.bridges.udp.exchange import header_of
from outrider.bridges.udp.header import Header
from outrider.bridges.udp.reassembly import Peer
from outrider.bridges.udp.wire import Segments, write_body
from outrider.bus.bus import Bus
from outrider.bus.channel import TopicInfo
from outrider.bus.mailbox import Subscription
from outrider.bus.thinning import Thinning
from outrider.core.clock import NS_PER_S
from outrider.messages.fields import fields_of
from outrider.messages.topics import Kept
from outrider.messages.types import Message

_DEPTH = 100  # messages that may wait
_HEADER = "std_msgs/msg/Header"


class OutgoingTopic:
    """Reads the bus only while somebody listens."""

    def __init__(self, topic: TopicInfo, number: int, most_hz: float = 0.0) -> None:
        self.topic, self.number = topic, number
        self._most_hz = most_hz
        fields = fields_of(topic.type)
        self._stamped = bool(fields) and fields[0].message == _HEADER
        self.listeners: dict[Peer, tuple[float, Thinning]] = {}
        self._box: Subscription | None = None
        self.last: tuple[Header, Segments] | None = None  # of a latched topic

    def listen(self, wanted: dict[Peer, float], bus: Bus, wake: threading.Event) -> list[Peer]:
        """Set the subscribers with their maximum rates; return the new ones."""
        new = [peer for peer in wanted if peer not in self.listeners]
        before = self.listeners
        self.listeners = {
            peer: before[peer]
            if peer in before and before[peer][0] == most_hz
            else (most_hz, Thinning(self._rate(most_hz)))
            for peer, most_hz in wanted.items()
        }
        if wanted and self._box is None:
            kept: Kept = "latest" if self.topic.name == "/clock" else "all"
            self._box = bus.subscribe(self.topic.name, kept=kept, depth=_DEPTH, wake=wake)
        elif not wanted:
            self.close()
        return new

    def drain(self) -> Iterator[tuple[Header, Segments, list[Peer]]]:
        """Yield new messages, each with its receivers."""
        for _ in range(_DEPTH):
            item = None if self._box is None else self._box.poll()
            if item is None:
                return
            time_ns, message = item
            peers = [p for p, (_, thinning) in self.listeners.items() if thinning.due(time_ns)]
            if peers:
                header, body = self._header(time_ns, message), write_body(message, self.topic.type)
                if self.topic.latched:
                    self.last = header, body
                yield header, body, peers

    @property
    def dropped(self) -> int:
        """Messages that newer ones pushed out before they could be read."""
        return 0 if self._box is None or self.topic.name == "/clock" else self._box.dropped

    def close(self) -> None:
        """Stop reading the bus."""
        if self._box is not None:
            self._box.close()
            self._box = None

    def _rate(self, most_hz: float) -> float:
        rates = [rate for rate in (most_hz, self._most_hz) if rate]
        return min(rates, default=0.0)

    def _header(self, time_ns: int, message: Message) -> Header:
        if not self._stamped:
            return header_of(self.number, self.topic.name, time_ns)
        stamp = message.header.stamp
        stamped_ns = stamp.sec * NS_PER_S + stamp.nanosec
        return header_of(self.number, self.topic.name, stamped_ns, message.header.frame_id)
