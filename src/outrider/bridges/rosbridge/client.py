"""One client as the sending thread sees it: its queue, and how fast it reads."""

import time
from collections import deque
from typing import Protocol

from outrider.bridges.rosbridge.encoding.frames import Chunk, Outgoing
from outrider.bridges.rosbridge.subscription import ClientSubscription

_AHEAD = 256_000  # bytes given to the socket before it has sent them
_JOINED = 32_768  # chunks below this are copied together: one call for many
_REPLIES_MOST = 16_000_000  # bytes of answers that may wait


class Peer(Protocol):
    """A connection of any kind."""

    name: str  # its address
    binary: bool  # whether it can carry more than text

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Hand bytes to the socket; never waits."""

    def chunks(self, message: Outgoing) -> tuple[Chunk, ...]:
        """Return a message as this connection carries it."""

    def unsent(self) -> int:
        """Return how many bytes the socket has not taken yet."""

    def end(self, code: int, reason: str) -> None:
        """Close; a peer that does not answer is cut off."""

    def finish(self, now_s: float) -> None:
        """Cut off a peer that was told to go and stays."""


class ClientOutbox:
    """Sends responses first, then the subscriptions in turn; a slow client loses old messages."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.subscriptions: dict[str, ClientSubscription] = {}
        self._replies: deque[Outgoing] = deque()
        self._waiting = 0  # bytes of answers
        self._written = 0
        self._progress = (0, time.monotonic())  # bytes taken by the socket, and since when

    def reply(self, message: Outgoing) -> bool:
        """Let an answer wait; return whether there was room."""
        self._replies.append(message)
        self._waiting += message.size
        return self._waiting <= _REPLIES_MOST

    def flush(self, now_s: float) -> bool:
        """Send what the socket takes now; return whether more is left."""
        room = _AHEAD - self.peer.unsent()
        parts: list[Chunk] = []
        while room > 0 and (message := self._next(now_s)) is not None:
            parts += self.peer.chunks(message)
            room -= message.size
        self._write(parts)
        return bool(self._replies) or any(
            subscription.waiting for subscription in self.subscriptions.values()
        )

    def stalled_s(self, now_s: float) -> float:
        """Return how long the socket has taken nothing of what it was given."""
        unsent = self.peer.unsent()
        taken = self._written - unsent
        if not unsent or taken != self._progress[0]:
            self._progress = taken, now_s
        return now_s - self._progress[1]

    def _next(self, now_s: float) -> Outgoing | None:
        if self._replies:
            message = self._replies.popleft()
            self._waiting -= message.size
            return message
        for topic, subscription in self.subscriptions.items():
            found = subscription.take(now_s)
            if found is not None:
                # the next turn is another's
                self.subscriptions[topic] = self.subscriptions.pop(topic)
                return found
        return None

    def _write(self, parts: list[Chunk]) -> None:
        near = bytearray()
        for part in parts:
            self._written += len(part)
            if len(part) < _JOINED:
                near += part
                continue
            if near:
                self.peer.write(near)
                near = bytearray()
            self.peer.write(part)
        if near:
            self.peer.write(near)
