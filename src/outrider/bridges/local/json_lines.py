"""Lines of JSON on a socket, of bounded length: both ends of the local bridge use them."""

import json
import socket
import threading
import time
from contextlib import suppress

from outrider.core.errors import BridgeError
from outrider.core.structure import Data

MAX_LINE = 16 * 1024 * 1024
_CHUNK = 65_536
_LONG_S = 1e6


class OversizedError(BridgeError):
    """A line longer than allowed."""


class JsonLines:
    """One connection. Reading belongs to one thread; sending may be done from several."""

    def __init__(self, connection: socket.socket, *, send_timeout_s: float) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(send_timeout_s)
        self._socket = connection
        # A second object on the same connection has a time-out of its own; but as both share
        # one non-blocking flag, neither may ever be set to wait for ever.
        self._reader = connection.dup()
        self._buffer = bytearray()
        self._searched = 0
        self._send_lock = threading.Lock()

    def send(self, message: Data) -> None:
        """Write one line; raises TimeoutError if the other end does not read."""
        self.write(encode(message))

    def write(self, data: bytes | bytearray) -> None:
        """Write whole lines at once."""
        with self._send_lock:
            self._socket.sendall(data)

    def receive(self, timeout_s: float | None = None, most: int = MAX_LINE) -> Data:
        """Return the next line; raises TimeoutError, EOFError, ValueError or OversizedError."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while (line := self._next_line(most)) is None:
            self._fill(deadline)
        return _parse(line)

    def close(self) -> None:
        """End the connection, waking whoever reads or sends."""
        for end in (self._socket, self._reader):
            with suppress(OSError):  # the peer may have been faster
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _next_line(self, most: int) -> bytes | None:
        end = self._buffer.find(b"\n", self._searched)
        if (len(self._buffer) if end < 0 else end) > most:
            raise OversizedError(f"a line of the local bridge has more than {most} bytes")
        if end < 0:
            self._searched = len(self._buffer)
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched = 0
        return line

    def _fill(self, deadline: float | None) -> None:
        left = _LONG_S if deadline is None else deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._reader.settimeout(left)
        data = self._reader.recv(_CHUNK)
        if not data:
            raise EOFError
        self._buffer += data


def encode(message: Data) -> bytes:
    """Return a message as one line."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _parse(line: bytes) -> Data:
    try:
        message = json.loads(line)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(message, dict):
        raise ValueError("not an object")
    return message
