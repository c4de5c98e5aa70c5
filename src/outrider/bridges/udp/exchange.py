"""The processing thread: Algorithm 2 of Sobczak et al., behind the transceiver."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.udp.header import SEQUENCE, Buffer, Header, MalformedError, read_header
from outrider.bridges.udp.in_place import InPlaceReceiver
from outrider.bridges.udp.limits import UdpLimits
from outrider.bridges.udp.ordering import Ordering
from outrider.bridges.udp.reassembly import Peer, Reassembly
from outrider.bridges.udp.transceiver import Transceiver
from outrider.core.clock import NS_PER_S
from outrider.core.errors import OutriderError
from outrider.core.process.service_thread import ServiceThread

_BATCH = 256  # datagrams before it is the turn of what is to be sent
_IN_PLACE = 8  # parts of a large message that are received in one go
_TICK_S = 0.1


class Processor(Protocol):
    """Handles messages; all calls come from the processing thread."""

    def admits(self, peer: Peer, header: Header) -> bool:
        """Return whether a datagram is worth merging."""

    def take(self, peer: Peer, header: Header, body: Buffer, /) -> None:
        """Process a complete message."""

    def gather(self) -> None:
        """Queue what is to be sent: messages of subscribed topics."""

    def tick(self, now_s: float) -> None:
        """Periodic work, ten times a second."""


class Exchange:
    """A socket with its two threads; a processor handles the messages."""

    def __init__(
        self,
        address: Peer,
        processor: Processor,
        limits: UdpLimits,
        peer_errors: PeerErrors,
    ) -> None:
        self.wake = threading.Event()  # of the processing thread
        self._processor, self._peer_errors = processor, peer_errors
        self.transceiver = Transceiver(*address, limits, peer_errors, self)
        self.port = self.transceiver.port
        self.merger = Reassembly(peer_errors.counts, limits.most_bytes, limits.wait_s)
        self._ordering = Ordering(peer_errors.counts)
        self._working = threading.Lock()  # who holds it processes
        self._in_place: InPlaceReceiver | None = None
        self._closed = False
        self._thread = ServiceThread(self._run, "outrider-udp-work")

    def start(self) -> None:
        """Start both threads."""
        self.transceiver.start()
        self._thread.start()

    def close(self) -> None:
        """End both threads."""
        self._closed = True
        self.wake.set()
        self._thread.wait_for_end()
        self.transceiver.close()

    def forget(self, peer: Peer) -> None:
        """Forget a peer that has left."""
        self.transceiver.forget(peer)
        self._ordering.forget(peer)

    def statistics(self) -> dict[str, int]:
        """Return counts of what was received, sent, lost and refused."""
        return {
            **dict.fromkeys(("lost", "late", "duplicate", "incomplete", "malformed"), 0),
            **self._peer_errors.counts,
            **self.transceiver.traffic,
            "stalls": self.transceiver.stalls,
            "bytes of parts": self.merger.bytes,
        }

    def _run(self) -> None:
        tick_s = 0.0
        while not self._closed:
            self.wake.wait(_TICK_S)
            self.wake.clear()
            now_s = time.monotonic()
            with self._working:
                self._take_arrived(now_s)
                self._safely(self._processor.gather)
                self.transceiver.push()
                if now_s >= tick_s:
                    tick_s = now_s + _TICK_S
                    self.merger.expire(now_s)
                    self._in_place = None  # its message may be given up
                    self._safely(partial(self._processor.tick, now_s))
                    self.transceiver.push()

    def receive_in_place(self, end: socket.socket) -> tuple[int, tuple[bytes, Peer] | None]:
        """Receive parts that are expected to their places; return how many, and what was none."""
        if self._in_place is None or not self._working.acquire(blocking=False):
            return 0, None
        try:
            receiver = self._in_place
            return (0, None) if receiver is None else self._receive_parts(receiver, end)
        finally:
            self._working.release()

    def _receive_parts(
        self, receiver: InPlaceReceiver, end: socket.socket
    ) -> tuple[int, tuple[bytes, Peer] | None]:
        other, received = None, 0
        with suppress(BlockingIOError):
            while receiver.open and received < _IN_PLACE:
                other = receiver.receive(end)
                if other is not None:
                    break
                received += 1
        if other is not None or not receiver.open:
            self._in_place = None
        if received:
            self.transceiver.traffic["datagrams in"] += received
            self.transceiver.traffic["bytes in"] += received * receiver.bytes
            self.transceiver.report(receiver.head, received * receiver.bytes, receiver.peer)
        return received, other

    def arrived(self) -> None:
        """Process datagrams here if the processing thread is idle: that saves waking it."""
        if self._working.acquire(blocking=False):
            try:
                self._take_arrived(time.monotonic())
            finally:
                self._working.release()
        else:
            self.wake.set()

    def _take_arrived(self, now_s: float) -> None:
        for _ in range(_BATCH):
            item = self.transceiver.next()
            if item is None:
                return
            try:
                self._take(*item, now_s)
            except Exception as error:  # whatever the bytes made of it
                self._complain(error)
        self.wake.set()  # there may be more

    def _take(self, datagram: bytes, peer: Peer, now_s: float) -> None:
        header, start = read_header(datagram)
        traffic = self.transceiver.traffic
        traffic["datagrams in"] += 1
        traffic["bytes in"] += len(datagram)
        if not self._processor.admits(peer, header):
            self._peer_errors.note("refused", f"{peer[0]}:{peer[1]} has not subscribed or no token")
            return
        if self._ordering.stale(peer, header.topic, header.seq):
            return
        body = self.merger.add(peer, header, memoryview(datagram)[start:], now_s)
        if body is None:
            row = self.merger.row(peer, header)
            head = datagram[:start]
            self._in_place = None if row is None else InPlaceReceiver(peer, header, head, row)
        else:
            self._ordering.deliver(peer, header.topic, header.seq)
            traffic["messages in"] += 1
            self._processor.take(peer, header, body)

    def _safely(self, work: Callable[[], None]) -> None:
        """Call something that bad messages may make fail, without ending the thread."""
        try:
            work()
        except Exception as error:
            self._complain(error)

    def _complain(self, error: Exception) -> None:
        if isinstance(error, MalformedError):
            self._peer_errors.note("malformed", f"a datagram is dropped: {error}")
        elif isinstance(error, OutriderError):
            self._peer_errors.note("refused", str(error))
        else:
            self._peer_errors.note("failed", f"a message is dropped: {error!r:.120}")


def header_of(type_number: int, topic: str, time_ns: int, link: str = "") -> Header:
    """Return a header that ``send`` completes."""
    seconds, rest = divmod(time_ns, NS_PER_S)
    seq, part, parts = 0, 0, 1
    fields = (type_number, seq, part, parts, seconds % SEQUENCE, rest, topic, link)
    return Header._make(fields)  # by keywords it takes three times as long
