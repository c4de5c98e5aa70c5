"""One TCPROS connection: frames in, bounded queue out; a slow peer never blocks anyone."""

import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

from outrider.bridges.ros1.header import MOST
from outrider.bridges.ros1.reactor import Reactor

OnFrame: TypeAlias = Callable[["Connection", bytes], None]
OnEnd: TypeAlias = Callable[["Connection", str], None]

LARGEST = 64 * 1024 * 1024  # bytes of a message that a peer may send
_GREETING_S = 10.0
_CHUNK = 262_144
_MOST_QUEUED = 64  # messages
_MOST_BYTES = 128 * 1024 * 1024


class Connection:
    """Frames are length-prefixed; the first is the header. ``on_end`` gets the reason it ended."""

    def __init__(
        self,
        reactor: Reactor,
        end: socket.socket,
        on_frame: OnFrame,
        on_end: OnEnd,
        peer: str = "",
    ) -> None:
        end.setblocking(False)
        with suppress(OSError):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._reactor, self._end = reactor, end
        self._on_frame, self._on_end = on_frame, on_end
        self.peer = peer
        self.greeted = False  # the header has come
        self.dropped = self.sent = self.bytes = 0
        self._since_s = time.monotonic()
        self._buffer = bytearray()
        self._lock = threading.Lock()
        self._queue: deque[memoryview] = deque()
        self._queued = 0
        self._begun = False  # part of the first in the queue is out
        self._closing = self._closed = False
        reactor.call(lambda: reactor.watch(end, self))

    def send(self, head: bytes, body: bytes | memoryview = b"") -> None:
        """Send what goes at once and queue the rest; the oldest waiting message may be dropped.

        A message is its length and its bytes; neither is copied unless the peer is slow.
        """
        size = len(head) + len(body)
        with self._lock:
            if self._closed or self._closing:
                return
            self.sent += 1
            self.bytes += size
            gone = 0
            if not self._queue:
                gone = self._push(head, body)
                if gone == size:
                    return
                self._begun = gone > 0
                self._reactor.call(lambda: self._reactor.watch(self._end, self, write=True))
            rest = _rest(head, body, gone)
            self._queue.append(rest)
            self._queued += len(rest)
            self._drop()

    def finish(self, data: bytes = b"") -> None:
        """Send final data and close once everything is sent."""
        if data:
            self.send(data)
        with self._lock:
            self._closing = True
            empty = not self._queue
        if empty:
            self.close()

    def close(self, reason: str = "") -> None:
        """End the connection; callable from any thread."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._reactor.call(self._leave)
        self._on_end(self, reason)

    @property
    def closed(self) -> bool:
        """Whether it has ended."""
        return self._closed

    def ready(self, readable: bool, writable: bool) -> None:
        """Read or write as far as goes."""
        if writable:
            self._write()
        if readable and not self._closed:
            self._read()

    def tick(self, now_s: float) -> None:
        """Give up on a peer that never sent a header."""
        if not self.greeted and now_s - self._since_s > _GREETING_S:
            self.close("half a header")

    def _leave(self) -> None:
        self._reactor.forget(self._end)
        self._end.close()

    def _push(self, *parts: bytes | memoryview) -> int:
        try:
            return self._end.sendmsg(parts)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError:
            self._reactor.call(self.close)
            return sum(map(len, parts))

    def _drop(self) -> None:
        """Drop the oldest that has not begun to go out, while too much waits."""
        first = 1 if self._begun else 0
        while len(self._queue) > first + 1 and (
            len(self._queue) > _MOST_QUEUED or self._queued > _MOST_BYTES
        ):
            self._queued -= len(self._queue[first])
            del self._queue[first]
            self.dropped += 1

    def _write(self) -> None:
        with self._lock:
            while self._queue:
                first = self._queue[0]
                count = self._push(first)
                self._queued -= count
                if count < len(first):
                    self._queue[0] = first[count:]
                    self._begun = self._begun or count > 0
                    return
                self._queue.popleft()
                self._begun = False
            done = self._closing
        self._reactor.watch(self._end, self)
        if done:
            self.close()

    def _read(self) -> None:
        try:
            data = self._end.recv(_CHUNK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:
            self.close("" if self.greeted else "half a header")
            return
        self._buffer += data
        self._split()

    def _split(self) -> None:
        while len(self._buffer) >= 4 and not self._closed:
            (size,) = struct.unpack_from("<I", self._buffer)
            if size > (LARGEST if self.greeted else MOST):
                self.close("oversized")
                return
            if len(self._buffer) < 4 + size:
                return
            frame = bytes(self._buffer[4 : 4 + size])
            del self._buffer[: 4 + size]
            self._on_frame(self, frame)
            self.greeted = True


def _rest(head: bytes, body: bytes | memoryview, gone: int) -> memoryview:
    """Return what has not gone out yet."""
    if gone >= len(head):
        return memoryview(body)[gone - len(head) :]
    return memoryview(b"".join((head, body)))[gone:]
