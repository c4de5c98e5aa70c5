"""Messages to be sent: topics take turns, so that large messages do not delay small ones."""

import threading
from collections import Counter, deque
from itertools import islice, takewhile
from typing import TypeAlias

from outrider.bridges.udp.header import (
    MOST_HEADER,
    Buffer,
    Header,
    link_fits,
    number_part,
    write_header,
)
from outrider.bridges.udp.reassembly import Peer
from outrider.bridges.udp.wire import Segments

_FlowKey: TypeAlias = tuple[Peer, str]


class OutgoingMessage:
    """One message on its way to one peer, cut into datagrams as they are sent."""

    __slots__ = (
        "_bulk",
        "_part_bytes",
        "_raw",
        "_segments",
        "bytes",
        "next",
        "parts",
        "peer",
        "seq",
        "size",
        "topic",
    )

    def __init__(self, peer: Peer, header: Header, body: Segments, datagram: int) -> None:
        """``header`` says part 0 of 1; ``datagram`` is the size of a full one."""
        room = datagram - MOST_HEADER
        self.peer, self.topic, self.seq, self._segments = peer, header.topic, header.seq, body
        self.bytes = sum(map(len, body))
        self.parts = max(-(-self.bytes // room), 1)
        self._part_bytes = room
        self.next = 0
        if self.parts > 1:
            self._bulk = _bulk(body)
            header = header._replace(parts=self.parts)
        if not link_fits(header.topic, header.link, self.parts):
            header = header._replace(link="")  # the body has it as well
        self._raw = write_header(header)
        self.size = len(self._raw) + self.bytes  # of its datagram, if there is but one

    def datagram(self) -> list[Buffer]:
        """Return the header and the pieces of the next datagram; the header is used again."""
        if self.parts == 1:
            return [self._raw, *self._segments]
        number_part(self._raw, self.next, self.parts)
        start = self.next * self._part_bytes
        end = start + self._part_bytes
        if self._bulk[0] <= start and end <= self._bulk[1]:  # quicker, and true of most parts
            return [self._raw, self._segments[1][start - self._bulk[0] : end - self._bulk[0]]]
        return [self._raw, *_cut(self._segments, start, end)]


def _bulk(segments: Segments) -> tuple[int, int]:
    """Return where the second segment, the large array of a message in three, begins and ends."""
    if len(segments) < 2:
        return 0, 0
    return len(segments[0]), len(segments[0]) + len(segments[1])


def _cut(segments: Segments, start: int, end: int) -> list[memoryview]:
    """Return the bytes between two offsets."""
    found = []
    for segment in segments:
        if start < len(segment) and end > 0:
            found.append(segment[max(start, 0) : end])
        start, end = start - len(segment), end - len(segment)
    return found


class SendQueue:
    """Messages by peer and topic; bounded: the oldest are dropped."""

    def __init__(self, counts: Counter[str], depth: int, most_bytes: int) -> None:
        """``depth`` bounds the messages of one topic, ``most_bytes`` those of all."""
        self._counts, self._depth, self._most = counts, depth, most_bytes
        self._lock = threading.Lock()
        self._flows: dict[_FlowKey, deque[OutgoingMessage]] = {}
        self._turns: deque[_FlowKey] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._turns)

    def put(self, outgoing: OutgoingMessage) -> None:
        """Add a message; the oldest of its topic makes way if there are too many."""
        key = (outgoing.peer, outgoing.topic)
        with self._lock:
            flow = self._flows.get(key)
            if flow is None:
                flow = self._flows[key] = deque()
                self._turns.append(key)
            flow.append(outgoing)
            self._bytes += outgoing.bytes
            while len(flow) > 1 and (len(flow) > self._depth or self._bytes > self._most):
                oldest = 1 if flow[0].next and len(flow) > 2 else 0
                self._bytes -= flow[oldest].bytes
                del flow[oldest]
                self._counts["overrun"] += 1

    def turn(self) -> OutgoingMessage | None:
        """Return the message whose turn it is."""
        with self._lock:
            while self._turns:
                flow = self._flows.get(self._turns[0])
                if flow:
                    return flow[0]
                self._flows.pop(self._turns.popleft(), None)
        return None

    def alike(self, first: OutgoingMessage, most: int) -> list[OutgoingMessage]:
        """Return the messages at the front of a topic that are one datagram of one size each."""
        with self._lock:
            flow = self._flows.get((first.peer, first.topic), ())
            same = takewhile(lambda one: one.parts == 1 and one.size == first.size, flow)
            return list(islice(same, most))

    def pass_on(self) -> None:
        """Give the turn to the next topic."""
        self._turns.rotate(-1)

    def done(self, outgoing: OutgoingMessage) -> None:
        """Remove a message that is sent, or that cannot be."""
        with self._lock:
            flow = self._flows.get((outgoing.peer, outgoing.topic))
            if flow and flow[0] is outgoing:
                flow.popleft()
                self._bytes -= outgoing.bytes

    def forget(self, peer: Peer) -> None:
        """Drop the messages to a peer that has left."""
        with self._lock:
            for key in [key for key in self._flows if key[0] == peer]:
                self._bytes -= sum(outgoing.bytes for outgoing in self._flows.pop(key))
