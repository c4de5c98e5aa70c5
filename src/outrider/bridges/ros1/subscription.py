"""Topics that a ROS 1 node subscribes to: connections to all their publishers."""

import socket
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeAlias

from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.ros1.connection import Connection
from outrider.bridges.ros1.header import decode_header, encode_header
from outrider.bridges.ros1.reactor import Reactor
from outrider.bridges.ros1.xmlrpc import call
from outrider.core.errors import BridgeError, OutriderError, PeerGoneError
from outrider.messages.ros1.types import Ros1Type, deserialize
from outrider.messages.types import Message

Take: TypeAlias = Callable[[Message], None]  # a message of the ROS 1 store

_CONNECT_S = 3.0
_MOST_PUBLISHERS = 256


class Ros1Subscription:
    """One topic; ``take`` gets its messages in the reactor's thread and must not wait."""

    def __init__(
        self,
        topic: str,
        kind: Ros1Type,
        node: str,
        take: Take,
        reactor: Reactor,
        workers: Executor,
        peer_errors: PeerErrors,
    ) -> None:
        self.topic, self.kind = topic, kind
        self._node, self._take = node, take
        self._reactor, self._workers, self._peer_errors = reactor, workers, peer_errors
        self._lock = threading.Lock()
        self._closed = False
        self.connections: dict[str, Connection | None] = {}  # by the publisher's address

    def publishers(self, uris: list[str]) -> None:
        """Connect to new publishers and leave those that are gone."""
        if len(uris) > _MOST_PUBLISHERS:
            self._peer_errors.note(
                "too many publishers", f"{self.topic} has {len(uris)} publishers; some are left out"
            )
            uris = uris[:_MOST_PUBLISHERS]
        with self._lock:
            new = [uri for uri in uris if uri not in self.connections and not self._closed]
            gone = [uri for uri in self.connections if uri not in uris]
            self.connections |= dict.fromkeys(new)
            left = [self.connections.pop(uri) for uri in gone]
        for connection in left:
            if connection is not None:
                connection.close()
        for uri in new:
            self._workers.submit(self._connect, uri)

    def close(self) -> None:
        """Leave all publishers."""
        self._closed = True
        self.publishers([])

    def _connect(self, uri: str) -> None:
        try:
            end = self._reach(uri)
        except (OSError, BridgeError, ValueError) as error:
            if isinstance(error, ConnectionRefusedError | PeerGoneError):
                # a program that was killed stays in the master's list
                self._peer_errors.count("publisher gone")
            else:
                self._peer_errors.note(
                    "unreachable publisher", f"{uri} does not offer {self.topic}: {error}"
                )
            with self._lock:
                self.connections.pop(uri, None)
            return
        connection = Connection(self._reactor, end, self._frame, self._ended, uri)
        connection.send(
            encode_header(
                {
                    "callerid": self._node,
                    "md5sum": self.kind.md5sum,
                    "message_definition": self.kind.definition,
                    "tcp_nodelay": "1",
                    "topic": self.topic,
                    "type": self.kind.name,
                }
            )
        )
        with self._lock:
            wanted = uri in self.connections and not self._closed
            if wanted:
                self.connections[uri] = connection
        if not wanted:
            connection.close()

    def _reach(self, uri: str) -> socket.socket:
        code, message, place = call(uri, "requestTopic", self._node, self.topic, [["TCPROS"]])
        if code != 1 or not isinstance(place, list) or len(place) < 3 or place[0] != "TCPROS":
            raise BridgeError(f"it answers {message!r:.80}")
        return socket.create_connection((str(place[1]), int(place[2])), timeout=_CONNECT_S)

    def _frame(self, connection: Connection, frame: bytes) -> None:
        try:
            if connection.greeted:
                self._take(deserialize(frame, self.kind.full))
            else:
                self._check(decode_header(frame))
        except OutriderError as error:
            self._peer_errors.note("bad message", f"{connection.peer} on {self.topic}: {error}")
            connection.close()

    def _check(self, header: dict[str, str]) -> None:
        if "error" in header:
            raise BridgeError(header["error"])
        if header.get("md5sum", "*") not in ("*", self.kind.md5sum):
            self._peer_errors.note(
                "wrong md5sum",
                f"{header.get('callerid')} publishes {header.get('type')} on {self.topic},"
                f" which carries {self.kind.name}",
            )
            raise BridgeError("it has another type")

    def _ended(self, connection: Connection, reason: str) -> None:
        if reason:
            self._peer_errors.note(reason, f"{connection.peer} was cut off: {reason}")
        with self._lock:
            if self.connections.get(connection.peer) is connection:
                del self.connections[connection.peer]
