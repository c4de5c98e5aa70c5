"""The thread that receives and sends: Algorithm 1 of Sobczak et al., with flow control."""

import errno
import select
import socket
import threading
import time
from collections import Counter, deque
from contextlib import suppress
from functools import lru_cache
from typing import Protocol

from outrider.bridges.addresses import is_loopback
from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.udp.header import (
    MOST_DATAGRAM,
    PARTS_AT,
    SEQUENCE,
    Buffer,
    Header,
    MalformedError,
    number_message,
    read_header,
    write_header,
)
from outrider.bridges.udp.limits import UdpLimits
from outrider.bridges.udp.offload import Offload
from outrider.bridges.udp.pacing import COST, REPORT, Pacing, report_interval
from outrider.bridges.udp.reassembly import Peer
from outrider.bridges.udp.send_queue import OutgoingMessage, SendQueue
from outrider.bridges.udp.table import RECEIVED
from outrider.bridges.udp.wire import Segments
from outrider.core.errors import BridgeError
from outrider.core.process.service_thread import ServiceThread

_BUFFER = 8 << 20  # bytes that are asked for; the system may give less
_RECEIVED = 8  # datagrams that are received before they are processed: few, they are in the cache
_BATCH = 128  # datagrams that are sent in one go
_BURST = 8  # datagrams of one message before another topic has its turn
_MOST_WAITING = 32 << 20  # bytes of datagrams that wait to be processed
_COST = 256  # bytes of memory for a datagram beside its own
_IDLE_S = 0.25
_BLOCKED_S = 0.002
_MOST_PEERS = 1024  # that reports are counted for
_ETHERNET = 1472  # bytes of a datagram that a network of 1500 carries whole


class DatagramHandler(Protocol):
    """Handles received datagrams, in the transceiver's thread: it must be quick."""

    def receive_in_place(self, end: socket.socket) -> tuple[int, tuple[bytes, Peer] | None]:
        """Receive parts that are expected to their places; return how many, and what was none."""

    def arrived(self) -> None:
        """Process, or have processed, what ``next`` returns."""


class Transceiver:
    """Moves datagrams between a socket and two queues."""

    def __init__(
        self,
        host: str,
        port: int,
        limits: UdpLimits,
        peer_errors: PeerErrors,
        receiver: DatagramHandler,
    ) -> None:
        self._limits, self._peer_errors, self._receiver = limits, peer_errors, receiver
        self.traffic: Counter[str] = Counter()
        self._socket = _bound(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._buffer = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)
        self._interval = report_interval(self._buffer)
        self._wake_read, self._wake_write = socket.socketpair()
        for end in (self._wake_read, self._wake_write):
            end.setblocking(False)
        self._sending = threading.Lock()  # who holds it sends, and knows what is on the way
        self._numbering = threading.Lock()
        self._closed = False
        self._inbox: deque[tuple[bytes, Peer]] = deque()
        self._came = self._taken = 0  # bytes; each is counted by one thread alone
        self._offload = Offload(self._socket)
        self._outbox = SendQueue(peer_errors.counts, limits.depth, 2 * limits.most_bytes)
        self._pacings: dict[Peer, Pacing] = {}
        self._unreported: dict[Peer, int] = {}  # bytes read since the last report
        self._sequence: dict[tuple[Peer, str], int] = {}
        self._thread = ServiceThread(self._run, "outrider-udp")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """Send what can be sent at once, end the thread and close the socket."""
        if self._closed:
            return
        self._closed = True
        self._wake()
        self._thread.wait_for_end()
        for end in (self._socket, self._wake_read, self._wake_write):
            end.close()

    def send(self, peer: Peer, header: Header, body: Segments) -> None:
        """Queue a message for ``push``; its sequence number and parts are filled in."""
        key = (peer, header.topic)
        with self._numbering:
            seq = self._sequence.get(key)
            # a restarted sender must not look like one that repeats itself
            seq = time.time_ns() // 1000 % SEQUENCE if seq is None else (seq + 1) % SEQUENCE
            self._sequence[key] = seq
        size = self._limits.datagram or _usual_size(peer[0])
        self._outbox.put(OutgoingMessage(peer, number_message(header, seq), body, size))
        self.traffic["messages out"] += 1

    def push(self) -> None:
        """Send what flow control allows now: that saves waking the transceiver's thread."""
        if len(self._outbox) and self._send_if_free() < _IDLE_S:
            self._wake()

    def next(self) -> tuple[bytes, Peer] | None:
        """Return the oldest received datagram, if any."""
        try:
            item = self._inbox.popleft()
        except IndexError:
            return None
        self._taken += len(item[0]) + _COST
        return item

    def forget(self, peer: Peer) -> None:
        """Forget a peer that has left."""
        self._outbox.forget(peer)
        self._pacings.pop(peer, None)
        for key in [key for key in self._sequence if key[0] == peer]:
            del self._sequence[key]

    @property
    def stalls(self) -> int:
        """How often a peer's reports failed to arrive."""
        return sum(pacing.stalls for pacing in list(self._pacings.values()))

    def _run(self) -> None:
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        poll.register(self._wake_read, select.POLLIN)
        wait_s = 0.0
        while not self._closed:
            try:
                wait_s = self._round(poll.poll(wait_s * 1000))
            except Exception as error:  # nothing that comes may end the thread
                self._peer_errors.note("failed", f"sending or receiving failed: {error!r:.120}")
        self._send_if_free()

    def _round(self, ready: list[tuple[int, int]]) -> float:
        """Receive and send what can be; return how long to wait for more."""
        for descriptor, _ in ready:
            if descriptor == self._wake_read.fileno():
                with suppress(BlockingIOError):
                    self._wake_read.recv(4096)
            else:
                self._receive()
        return self._send_if_free()

    def _send_if_free(self) -> float:
        """Send unless the other thread is sending; return how long to wait before the next try."""
        if not self._sending.acquire(blocking=False):
            return _BLOCKED_S
        try:
            return self._send_some()
        finally:
            self._sending.release()

    def _receive(self) -> None:
        for _ in range(_RECEIVED):
            try:
                received, item = self._receiver.receive_in_place(self._socket)
                if received and item is None:
                    continue
                datagram, peer = item or self._socket.recvfrom(65_536)
            except BlockingIOError:
                break
            except OSError:  # the network's answer to something that was sent
                continue
            self._sort(datagram, peer)
            if datagram[PARTS_AT : PARTS_AT + 1] != b"\1":
                break  # the next part can be received in place if this one is known
        if self._inbox:
            self._receiver.arrived()

    def _sort(self, datagram: bytes, peer: Peer) -> None:
        if datagram[:1] == b"\xfe":  # RECEIVED: for the sending that is done here
            self._reported(datagram, peer)
        elif self._came - self._taken > _MOST_WAITING:
            self._peer_errors.note("flood", "more datagrams arrive than can be processed")
        else:
            self._came += len(datagram) + _COST
            self._inbox.append((datagram, peer))
            self.report(datagram, len(datagram), peer)

    def report(self, head: Buffer, size: int, peer: Peer) -> None:
        """Tell a sender from time to time how far its datagrams have been read."""
        unread = self._unreported.get(peer, self._interval) + size  # the first is told at once
        if unread >= self._interval:
            unread = 0
            with suppress(MalformedError, OSError):
                read, _ = read_header(head)
                header = read._replace(type=RECEIVED, part=0, parts=1, link="")
                body = REPORT.pack(read.seq, read.part, self._buffer)
                self._socket.sendto(bytes(write_header(header)) + body, peer)
        if len(self._unreported) > _MOST_PEERS:
            self._unreported.clear()
        self._unreported[peer] = unread

    def _reported(self, datagram: bytes, peer: Peer) -> None:
        pacing = self._pacings.get(peer)
        try:
            header, start = read_header(datagram)
        except MalformedError:
            pacing = None
        if pacing is None:
            self._peer_errors.counts["useless report"] += 1
        else:
            with self._sending:
                pacing.reported(header.topic, datagram[start:])

    def _send_some(self) -> float:
        """Send what may be sent now; return how long to wait for more to do."""
        blocked = sent = 0
        while sent < _BATCH:
            outgoing = self._outbox.turn()
            if outgoing is None:
                return _IDLE_S
            burst = self._send_burst(outgoing)
            sent += burst
            if not burst:
                blocked += 1
                if blocked >= len(self._outbox):
                    return _BLOCKED_S
            self._outbox.pass_on()
        return 0.0

    def _send_burst(self, outgoing: OutgoingMessage) -> int:
        """Send a few datagrams of one topic; return how many."""
        pacing = self._pacings.get(outgoing.peer)
        if pacing is None:
            pacing = self._pacings[outgoing.peer] = Pacing(self._limits.rate)
        now_s = time.monotonic()
        room = pacing.room(now_s)
        if room <= 0:
            return 0
        most = self._offload.most(outgoing, room)
        together = self._outbox.alike(outgoing, most) if most > 1 else []
        if len(together) > 1 and self._offload.send(together, outgoing.peer):
            for one in together:
                pacing.sent(one.topic, one.seq, 0, one.size, now_s)
                self._outbox.done(one)
            return self._count(len(together), len(together) * outgoing.size)
        return self._send_parts(outgoing, pacing, room, now_s)

    def _send_parts(
        self, outgoing: OutgoingMessage, pacing: Pacing, room: float, now_s: float
    ) -> int:
        """Send a few datagrams of one message; return how many."""
        first, total = outgoing.next, 0
        last = min(first + _BURST, outgoing.parts)
        while room > 0 and outgoing.next < last:
            size = self._send_one(outgoing)
            if not size:
                break
            pacing.sent(outgoing.topic, outgoing.seq, outgoing.next, size, now_s)
            outgoing.next += 1
            room -= size + COST
            total += size
        if outgoing.next >= outgoing.parts:
            self._outbox.done(outgoing)
        return self._count(outgoing.next - first, total)

    def _count(self, datagrams: int, size: int) -> int:
        self.traffic["bytes out"] += size
        self.traffic["datagrams out"] += datagrams
        return datagrams

    def _send_one(self, outgoing: OutgoingMessage) -> int:
        """Send one datagram; return its size, or 0 where the system asks to wait."""
        try:
            return self._socket.sendmsg(outgoing.datagram(), (), 0, outgoing.peer)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.ENOBUFS):
                return 0
            host = outgoing.peer[0]
            self._peer_errors.note("unsendable", f"cannot send to {host}: {error.strerror}")
            outgoing.next = outgoing.parts - 1
            return 1

    def _wake(self) -> None:
        with suppress(OSError):
            self._wake_write.send(b"\0")


@lru_cache(maxsize=256)
def _usual_size(host: str) -> int:
    return MOST_DATAGRAM if is_loopback(host) else _ETHERNET


def _bound(host: str, port: int) -> socket.socket:
    end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
        with suppress(OSError):
            end.setsockopt(socket.SOL_SOCKET, option, _BUFFER)
    try:
        end.bind((host, port))
    except OSError as error:
        end.close()
        raise BridgeError(
            f"udp: cannot listen at {host}:{port}: {error.strerror or error}"
        ) from None
    end.setblocking(False)
    return end
