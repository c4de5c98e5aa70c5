"""A topic that a ROS 1 node publishes, and its subscribers."""

import struct
import threading

from outrider.bridges.ros1.connection import Connection
from outrider.bridges.ros1.header import encode_header
from outrider.messages.ros1.types import Ros1Type, ros1_store

_HEADER = "std_msgs/msg/Header"


class Publication:
    """Sends serialised messages to all connections; a latched one stores the last."""

    def __init__(self, topic: str, kind: Ros1Type, node: str, *, latched: bool = False) -> None:
        self.topic, self.kind, self.latched = topic, kind, latched
        self._node = node
        self._lock = threading.Lock()
        self._last: tuple[bytes, bytes | memoryview] | None = None
        fields = ros1_store().fielddefs[kind.full][1]
        self._counted = bool(fields) and fields[0][1][1] == _HEADER
        self._seq = 0
        self.connections: tuple[Connection, ...] = ()  # replaced as a whole

    def refusal(self, header: dict[str, str]) -> str:
        """Return why a subscriber with this header cannot be served, or nothing."""
        wanted, ours = header.get("md5sum", "*"), self.kind.md5sum
        if wanted not in ("*", ours):
            return (
                f"Client [{header.get('callerid', '?')}] wants topic {self.topic} to have"
                f" datatype/md5sum [{header.get('type', '*')}/{wanted}], but our version has"
                f" [{self.kind.name}/{ours}]. Dropping connection."
            )
        return ""

    def admit(self, connection: Connection) -> None:
        """Take a subscriber in: our header, then what was said last if that is kept."""
        connection.send(
            encode_header(
                {
                    "callerid": self._node,
                    "latching": "1" if self.latched else "0",
                    "md5sum": self.kind.md5sum,
                    "message_definition": self.kind.definition,
                    "topic": self.topic,
                    "type": self.kind.name,
                }
            )
        )
        with self._lock:
            if self._last is not None:
                connection.send(*self._last)
            self.connections = (*self.connections, connection)

    def dismiss(self, connection: Connection) -> None:
        """Forget a subscriber."""
        with self._lock:
            self.connections = tuple(c for c in self.connections if c is not connection)

    def send(self, body: bytes | memoryview) -> None:
        """Send one message to all subscribers; its header, if any, gets a sequence number."""
        self._seq += 1
        head = struct.pack("<I", len(body))
        if self._counted:  # the header comes first, and in it the count
            head += struct.pack("<I", self._seq & 0xFFFFFFFF)
            body = memoryview(body)[4:]
        with self._lock:
            if self.latched:
                self._last = head, body
            listeners = self.connections
        for connection in listeners:
            connection.send(head, body)
