"""Clients on plain TCP sockets: the same JSON, one object after another."""

import asyncio
import re
from collections.abc import Callable
from typing import cast

from outrider.bridges.rosbridge.encoding.frames import Chunk, Outgoing
from outrider.bridges.rosbridge.session import ClientSession

_OUTSIDE = re.compile(rb'["{}]')
_INSIDE = re.compile(rb'["\\]')


class Objects:
    """Finds the ends of JSON objects in a stream; every byte is inspected once."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._at = 0
        self._depth = 0
        self._quoted = False

    def __len__(self) -> int:
        return len(self._buffer)

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes; return the objects that are complete now."""
        self._buffer += data
        found: list[bytes] = []
        while (place := self._next()) is not None:
            if place:
                found.append(bytes(self._buffer[:place]))
                del self._buffer[:place]
                self._at = 0
        return found

    def _next(self) -> int | None:
        """Go on to the next mark; return where an object ends, 0 if none does, None at the end."""
        pattern = _INSIDE if self._quoted else _OUTSIDE
        mark = pattern.search(self._buffer, self._at)
        if mark is None:
            self._at = len(self._buffer)
            return None
        if mark[0] == b"\\":
            if mark.end() == len(self._buffer):
                self._at = mark.start()  # what is escaped is still to come
                return None
            self._at = mark.end() + 1
            return 0
        self._at = mark.end()
        if mark[0] == b'"':
            self._quoted = not self._quoted
            return 0
        self._depth += 1 if mark[0] == b"{" else -1
        if self._depth > 0:
            return 0
        self._depth = 0
        return self._at


class Threshold:
    """Connections that have said nothing whole yet; where too many wait, the oldest is closed."""

    def __init__(self, most: int = 128) -> None:
        self._most = most
        self._waiting: dict[PlainPeer, None] = {}  # the oldest first

    def arrive(self, peer: "PlainPeer") -> None:
        """Let one wait."""
        if len(self._waiting) >= self._most:
            oldest = next(iter(self._waiting))
            self.leave(oldest)
            oldest.end(1013, "others came")
        self._waiting[peer] = None

    def leave(self, peer: "PlainPeer") -> None:
        """Let one wait no longer."""
        self._waiting.pop(peer, None)


class PlainPeer(asyncio.Protocol):
    """One connection. What does not begin as an object is no client, a web page's request say.

    It becomes a client with its first whole object: those that say nothing take nobody's place.
    """

    binary = False

    def __init__(
        self,
        welcome: Callable[["PlainPeer"], ClientSession | None],
        leave: Callable[[ClientSession], None],
        most: int,
        threshold: Threshold,
    ) -> None:
        self._welcome, self._leave, self._most = welcome, leave, most
        self._threshold = threshold
        self._session: ClientSession | None = None
        self._objects = Objects()
        self._begun = self._entered = False
        self.name = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let a client wait until it says something."""
        self._transport = cast(asyncio.Transport, transport)
        host, port, *_ = transport.get_extra_info("peername")
        self.name = f"{host}:{port}"
        self._threshold.arrive(self)

    def data_received(self, data: bytes) -> None:
        """Hand whole objects on."""
        if not self._begun:
            self._begun = True
            if data.lstrip()[:1] != b"{":
                self._refuse("no rosbridge", "it does not start with a JSON object")
                return
        if self._entered and (self._session is None or self._session.closed):
            return
        for message in self._objects.feed(data):
            if session := self._client():
                session.receive(message)
        if len(self._objects) > self._most:
            self._refuse("oversized message", f"a message has more than {self._most} bytes")

    def _client(self) -> ClientSession | None:
        """Return the client that it is from now on; None if there is no place for it."""
        if not self._entered:
            self._entered = True
            self._threshold.leave(self)
            self._session = self._welcome(self)
        return self._session

    def _refuse(self, kind: str, sentence: str) -> None:
        if session := self._client():
            session.refuse(kind, sentence)

    def connection_lost(self, _exc: Exception | None) -> None:
        """Forget the client."""
        self._threshold.leave(self)
        self._entered = True  # what comes late makes it none
        if self._session is not None:
            self._session.closed = True
            self._leave(self._session)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Hand bytes to the socket; nothing once it is closing."""
        if not self._transport.is_closing():
            self._transport.write(data)

    def chunks(self, message: Outgoing) -> tuple[Chunk, ...]:
        """Return a message as it is, each text on a line of its own."""
        return tuple(part for text in message.bare for part in (text, b"\n"))

    def unsent(self) -> int:
        """Return how many bytes the socket has not taken yet."""
        return self._transport.get_write_buffer_size()

    def end(self, _code: int, _reason: str) -> None:
        """Close; who does not read is cut off at once."""
        if self.unsent():
            self._transport.abort()
        else:
            self._transport.close()

    def finish(self, now_s: float) -> None:
        """Nothing is left to do: such a connection closes at once."""
