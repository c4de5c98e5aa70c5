"""ROS-TCP frames: a destination and a payload, each preceded by its length."""

import struct

from outrider.core.errors import BridgeError

_MOST_DESTINATION = 4096
KEEP_ALIVE = bytes(8)  # a frame of nothing to nobody


def frame(destination: bytes, payload: bytes | memoryview) -> tuple[bytes, bytes | memoryview]:
    """Return what goes before a payload, and the payload."""
    return (
        struct.pack("<I", len(destination)) + destination + struct.pack("<I", len(payload)),
        payload,
    )


class Frames:
    """Finds the frames in a stream of bytes."""

    def __init__(self, most: int) -> None:
        """``most`` is how many bytes a payload may have."""
        self._most = most
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[tuple[str, bytes]]:
        """Take bytes; return the frames that are complete now, without keep-alives."""
        self._buffer += data
        found = []
        place = 0
        while (one := self._frame(place)) is not None:
            destination, payload, place = one
            if destination:
                found.append((destination, payload))
        del self._buffer[:place]
        return found

    def _frame(self, place: int) -> tuple[str, bytes, int] | None:
        if len(self._buffer) < place + 8:
            return None
        (length,) = struct.unpack_from("<I", self._buffer, place)
        if length > _MOST_DESTINATION:
            raise BridgeError(
                f"a destination of {length} bytes is invalid; is this a ROS endpoint?"
            )
        body = place + 4 + length
        if len(self._buffer) < body + 4:
            return None
        (size,) = struct.unpack_from("<I", self._buffer, body)
        if size > self._most:
            raise BridgeError(f"a message of {size} bytes is larger than {self._most}")
        end = body + 4 + size
        if len(self._buffer) < end:
            return None
        name = self._buffer[place + 4 : body].rstrip(b"\0").decode("utf-8", "replace")
        return name, bytes(self._buffer[body + 4 : end]), end
