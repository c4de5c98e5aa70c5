"""A client's subscription to one topic: its rate, and its queue."""

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from outrider.bridges.rosbridge.encoding.encode import COMPRESSIONS, Compression, Encoding
from outrider.bridges.rosbridge.encoding.forms import Form
from outrider.bridges.rosbridge.encoding.frames import Outgoing
from outrider.core.errors import BridgeError
from outrider.core.structure import Data

if TYPE_CHECKING:
    from outrider.bridges.rosbridge.session import ClientSession

_DEPTH = 100  # messages that wait for a client that asked for no number
_DEPTH_MOST = 1000
_BYTES_MOST = 8_000_000  # that wait; one message may be larger


@dataclass(frozen=True, slots=True)
class SubscribeRequest:
    """One ``subscribe``; several of a client on one topic are served by one stream."""

    form: Form
    interval_s: float = 0.0
    queue_length: int = 0
    fragment_size: int | None = None
    compression: Compression = "none"

    @property
    def encoding(self) -> Encoding:
        """How messages are to look."""
        return Encoding(self.form, self.compression, self.fragment_size)

    def __or__(self, other: "SubscribeRequest") -> "SubscribeRequest":
        """Return what serves both."""
        sizes = [size for size in (self.fragment_size, other.fragment_size) if size]
        return SubscribeRequest(
            other.form,
            min(self.interval_s, other.interval_s),
            min(self.queue_length, other.queue_length),
            min(sizes, default=None),
            max(self.compression, other.compression, key=COMPRESSIONS.index),
        )


def subscribe_request(
    message: Data, form: Form, fragment_size: int | None, binary: bool
) -> SubscribeRequest:
    """Return what a ``subscribe`` asks for."""
    compression: Compression = message.get("compression") or "none"
    if compression not in COMPRESSIONS:
        known = ", ".join(COMPRESSIONS)
        raise BridgeError(f"subscribe: compression is one of {known}, not {compression!r:.40}")
    if not binary and compression.startswith("cbor"):
        compression = "none"  # a plain socket has no way to tell where it ends
    return SubscribeRequest(
        form,
        _number(message, "throttle_rate") * 1e-3,
        min(int(_number(message, "queue_length")), _DEPTH_MOST),
        int(_number(message, "fragment_size")) or fragment_size,
        compression,
    )


def _number(message: Data, key: str) -> float:
    asked = message.get(key)
    value = asked or 0
    wrong = isinstance(asked, bool) or not isinstance(value, int | float)
    if wrong or not 0 <= value <= 1e9:
        raise BridgeError(f"subscribe: {key} is a number from 0 to 1e9, not {asked!r:.40}")
    return value


class ClientSubscription:
    """The stream of one topic to one client.

    ``due`` is called by the encoding thread; everything else belongs to the sending thread.
    """

    def __init__(self, topic: str, client: "ClientSession", wanted: SubscribeRequest) -> None:
        self.topic, self.client = topic, client
        self.encoding = wanted.encoding
        self.dropped = 0  # messages that newer ones pushed out
        self._request = wanted
        self._waiting: deque[Outgoing] = deque()
        self._size = 0
        self._next_s = 0.0

    def change(self, wanted: SubscribeRequest) -> None:
        """Serve other wishes from now on."""
        self._request = wanted
        self.encoding = wanted.encoding

    def due(self, now_s: float) -> bool:
        """Return whether a message that has just come is to be encoded."""
        if self._request.queue_length or not self._request.interval_s:
            return True
        if now_s < self._next_s:
            return False
        self._next_s = now_s + self._request.interval_s
        return True

    def put(self, message: Outgoing) -> None:
        """Let a message wait; the oldest give way."""
        self._waiting.append(message)
        self._size += message.size
        depth = self._request.queue_length or _DEPTH
        while len(self._waiting) > depth or (self._size > _BYTES_MOST and len(self._waiting) > 1):
            self._size -= self._waiting.popleft().size
            self.dropped += 1

    def take(self, now_s: float) -> Outgoing | None:
        """Return the next message to send, if there is one and its time has come."""
        if not self._waiting or (self._request.queue_length and now_s < self._next_s):
            return None
        if self._request.queue_length:
            self._next_s = now_s + self._request.interval_s
        message = self._waiting.popleft()
        self._size -= message.size
        return message

    @property
    def waiting(self) -> int:
        """How many messages wait."""
        return len(self._waiting)
