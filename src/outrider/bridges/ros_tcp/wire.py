"""Differences between ROS 1 and ROS 2 endpoints: string termination and serialisation."""

import json
from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

from outrider.bridges.service_types import answered
from outrider.core.errors import BridgeError
from outrider.core.structure import Data
from outrider.messages.convert import from_dict, to_dict
from outrider.messages.ros1.convert import from_ros1, to_ros1
from outrider.messages.ros1.types import Ros1Service, deserialize, serialize, written
from outrider.messages.store import store
from outrider.messages.types import Message

Form: TypeAlias = Literal["ros1", "ros2"]
Handler: TypeAlias = Callable[[Message], Data]


class Wire(Protocol):
    """One of the two."""

    form: Form

    def destination(self, name: str) -> bytes:
        """Return a topic, service or command as it is addressed."""

    def command(self, fields: Data) -> bytes:
        """Return the fields of a command."""

    def write(self, message: Message) -> bytes | memoryview:
        """Return the bytes of a message of the bus."""

    def read(self, payload: bytes, type_name: str) -> Message:
        """Return the message of the bus in some bytes; raises BridgeError."""

    def answer(self, kind: Ros1Service, handler: Handler, request: bytes) -> bytes:
        """Return the bytes of the response to a request."""


class Ros1Wire:
    """Plain strings, and ROS 1's serialisation."""

    form: Form = "ros1"

    def destination(self, name: str) -> bytes:
        """Return a topic, service or command as it is addressed."""
        return name.encode()

    def command(self, fields: Data) -> bytes:
        """Return the fields of a command."""
        return _json(fields)

    def write(self, message: Message) -> bytes | memoryview:
        """Return the bytes of a message of the bus."""
        full = message.__msgtype__
        return written(to_ros1(full)(message), full)

    def read(self, payload: bytes, type_name: str) -> Message:
        """Return the message of the bus in some bytes; raises BridgeError."""
        return from_ros1(type_name)(deserialize(payload, type_name))

    def answer(self, kind: Ros1Service, handler: Handler, request: bytes) -> bytes:
        """Return the bytes of the response to a request."""
        response, _ = answered(kind, handler, deserialize(request, kind.request))
        return serialize(response, kind.response)


class Ros2Wire:
    """Strings with a counted terminating NUL, and CDR."""

    form: Form = "ros2"

    def destination(self, name: str) -> bytes:
        """Return a topic, service or command as it is addressed."""
        return name.encode() + b"\0"

    def command(self, fields: Data) -> bytes:
        """Return the fields of a command."""
        return _json(fields) + b"\0"

    def write(self, message: Message) -> bytes | memoryview:
        """Return the bytes of a message of the bus."""
        return store().serialize_cdr(message, message.__msgtype__)

    def read(self, payload: bytes, type_name: str) -> Message:
        """Return the message of the bus in some bytes; raises BridgeError."""
        try:
            return store().deserialize_cdr(payload, type_name)
        except Exception as error:  # whatever the bytes made of it
            raise BridgeError(f"this is not a valid {type_name}: {error!r:.60}") from None

    def answer(self, kind: Ros1Service, handler: Handler, request: bytes) -> bytes:
        """Return the bytes of the response to a request."""
        _, response = answered(kind, handler, self.read(request, kind.request))
        return bytes(self.write(response))


def asked(wire: Wire, kind: Ros1Service, fields: Data) -> bytes:
    """Return the bytes of a request."""
    return bytes(wire.write(from_dict(kind.request, fields)))


def told(wire: Wire, kind: Ros1Service, response: bytes) -> Data:
    """Return the fields of a response."""
    return to_dict(wire.read(response, kind.response))


def _json(fields: Data) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode()
