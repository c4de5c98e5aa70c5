"""Services that a ROS 1 node offers: request bytes in, response bytes out."""

import struct
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TypeAlias

from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.ros1.connection import Connection
from outrider.bridges.ros1.header import encode_header
from outrider.core.errors import OutriderError
from outrider.core.structure import Data
from outrider.messages.ros1.types import Ros1Service, deserialize, new, serialize
from outrider.messages.types import Message

Handler: TypeAlias = Callable[[Message], Data]  # request -> fields of the response


@dataclass(frozen=True, slots=True)
class OfferedService:
    """One service: its type and its handler."""

    name: str
    kind: Ros1Service
    handler: Handler


class ServiceCalls:
    """Serves connections that call; the work is done by workers, never by the reactor."""

    def __init__(self, node: str, workers: Executor, peer_errors: PeerErrors) -> None:
        self._node, self._workers, self._peer_errors = node, workers, peer_errors
        self._persistent: dict[Connection, tuple[OfferedService, bool]] = {}

    def refusal(self, service: OfferedService, header: dict[str, str]) -> str:
        """Return why a caller with this header cannot be served, or nothing."""
        if header.get("md5sum", "*") in ("*", service.kind.md5sum):
            return ""
        return (
            f"client wants service {service.name} to have md5sum {header['md5sum']},"
            f" but it has {service.kind.md5sum}. Dropping connection."
        )

    def admit(
        self, service: OfferedService, connection: Connection, header: dict[str, str]
    ) -> None:
        """Answer the header of a caller."""
        reply = encode_header(
            {
                "callerid": self._node,
                "md5sum": service.kind.md5sum,
                "request_type": f"{service.kind.name}Request",
                "response_type": f"{service.kind.name}Response",
                "type": service.kind.name,
            }
        )
        if header.get("probe") == "1":
            connection.finish(reply)
            return
        self._persistent[connection] = service, header.get("persistent") == "1"
        connection.send(reply)

    def request(self, connection: Connection, frame: bytes) -> bool:
        """Handle a request if this connection calls a service; return whether it does."""
        found = self._persistent.get(connection)
        if found is None:
            return False
        self._workers.submit(self._serve, connection, *found, frame)
        return True

    def forget(self, connection: Connection) -> None:
        """Know a connection no longer."""
        self._persistent.pop(connection, None)

    def _serve(
        self, connection: Connection, service: OfferedService, stays: bool, frame: bytes
    ) -> None:
        try:
            fields = service.handler(deserialize(frame, service.kind.request))
            body = serialize(new(service.kind.response, **fields), service.kind.response)
            reply = b"\x01" + struct.pack("<I", len(body)) + body
        except Exception as error:  # a service's fault goes to who called
            text = str(error) if isinstance(error, OutriderError) else repr(error)
            self._peer_errors.note("failed service", f"service {service.name} failed: {text}")
            reply = b"\x00" + struct.pack("<I", len(text.encode())) + text.encode()
        if stays:
            connection.send(reply)
        else:
            connection.finish(reply)
