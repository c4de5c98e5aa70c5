"""One connection to an endpoint: its version, our registrations, and incoming messages."""

import json
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from outrider.bridges.json_bounds import checked
from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.ros_tcp.frames import Frames, frame
from outrider.bridges.ros_tcp.sender import EndpointSender
from outrider.bridges.ros_tcp.services import OwnServices, RosCalls, number_in
from outrider.bridges.ros_tcp.wire import Form, Ros1Wire, Ros2Wire, Wire
from outrider.bus.bus import Bus
from outrider.bus.channel import TopicInfo
from outrider.core.errors import BridgeError, BusError
from outrider.core.structure import Data
from outrider.messages.ros1.types import Ros1Service

_CHUNK = 262_144
_GREETING_S = 2.0  # that an endpoint has to say who it is; old ones say nothing
_VERSION = "v0.7."
_MOST_COMMAND = 4_000_000


class Rules(Protocol):
    """The user's options for topics."""

    def carries(self, topic: TopicInfo) -> bool:
        """Return whether a topic of the simulation is published."""

    def most_hz(self, topic: TopicInfo) -> float:
        """Return how often at most, in simulated time; 0 is always."""


@dataclass(frozen=True, slots=True)
class Ends:
    """What successive connections share."""

    bus: Bus
    now_ns: Callable[[], int]
    own: OwnServices
    calls: RosCalls
    rules: Rules
    peer_errors: PeerErrors
    most_bytes: int


class EndpointConnection:
    """``serve`` reads until the connection ends; another thread sends."""

    def __init__(self, end: socket.socket, ends: Ends, form: Form | None) -> None:
        """``form`` of None takes what the endpoint says it is."""
        self._socket, self._ends = end, ends
        self._frames = Frames(ends.most_bytes)
        self._early: list[tuple[str, bytes]] = []
        greeted = self._greeting()
        self.wire: Wire = _WIRES[form or greeted or "ros1"]()
        if form and greeted and form != greeted:
            ends.peer_errors.note(
                "other form", f"the endpoint is one of {greeted}, but is treated as {form}"
            )
        self.flow = EndpointSender(end, self.wire, ends.bus, ends.peer_errors)
        self._heard: dict[str, str] = {}  # types of topics that ROS publishes to us
        self._next: Callable[[str, bytes], None] | None = None  # takes the frame after a header
        self.topics: dict[str, str] = {}  # what the endpoint listed

    def serve(self) -> None:
        """Hand on what comes; raises OSError, EOFError or BridgeError at the end."""
        while True:
            for destination, payload in self._early or self._received():
                self._take(destination, payload)
            self._early = []

    def join(self, topic: TopicInfo) -> None:
        """Register a topic, and carry it from now on."""
        fields: Data = {"topic": topic.name, "message_name": _short(topic.type)}
        if topic.direction == "in":
            self._heard[topic.name] = topic.type
            self.command("__subscribe", fields)
        elif self._ends.rules.carries(topic):
            self.command("__publish", {**fields, "queue_size": 10, "latch": topic.latched})
            self.flow.add(topic.name, topic.latched, self._ends.rules.most_hz(topic))

    def leave(self, topic: TopicInfo) -> None:
        """Carry a topic no longer. An endpoint is not told: 0.7.0 falls over when it is."""
        self._heard.pop(topic.name, None)
        self.flow.remove(topic.name)

    def offer(self, name: str, kind: Ros1Service) -> None:
        """Register a service of ours."""
        self.command("__unity_service", {"topic": name, "message_name": kind.name})

    def want(self, name: str, kind: Ros1Service) -> None:
        """Register a service of ROS that we mean to call."""
        self.command("__ros_service", {"topic": name, "message_name": kind.name})

    def command(self, name: str, fields: Data) -> None:
        """Send a command."""
        self.flow.say(frame(self.wire.destination(name), self.wire.command(fields)))

    def send_service(self, command: str, number: int, name: str, body: bytes) -> None:
        """Send a request or a response: a header and the message, back to back."""
        wire = self.wire
        self.flow.say(
            frame(wire.destination(command), wire.command({"srv_id": number})),
            frame(wire.destination(name), body),
        )

    def _received(self) -> list[tuple[str, bytes]]:
        data = self._socket.recv(_CHUNK)
        if not data:
            raise EOFError
        return self._frames.feed(data)

    def _greeting(self) -> Form | None:
        """Return what the endpoint says it is; what else has come by then waits."""
        self._socket.settimeout(_GREETING_S)
        try:
            while not self._early:
                self._early = self._received()
        except TimeoutError:
            self._ends.peer_errors.note("no greeting", "the endpoint does not report its version")
            return None
        finally:
            self._socket.settimeout(None)
        if self._early[0][0] != "__handshake":
            self._ends.peer_errors.note("no greeting", "the endpoint does not report its version")
            return None
        return self._protocol(_fields(self._early[0][1]))

    def _protocol(self, greeting: Data) -> Form | None:
        version = greeting.get("version")
        if not isinstance(version, str) or not version.startswith(_VERSION):
            self._ends.peer_errors.note(
                "other version", f"the endpoint has version {version!r:.40}, expected {_VERSION}x"
            )
        protocol = _fields(str(greeting.get("metadata", "")).encode()).get("protocol")
        found: dict[object, Form] = {"ROS1": "ros1", "ROS2": "ros2"}
        return found.get(protocol) if isinstance(protocol, str) else None

    def _take(self, destination: str, payload: bytes) -> None:
        if self._next is not None:
            take, self._next = self._next, None
            take(destination, payload)
        elif destination.startswith("__"):
            self._command(destination, payload)
        else:
            self._message(destination, payload)

    def _command(self, name: str, payload: bytes) -> None:
        note = self._ends.peer_errors.note
        fields = _fields(payload)
        if name in ("__request", "__response"):
            self._header(name, number_in(fields))
        elif name == "__topic_list":
            self.topics = _listed(fields)
        elif name in ("__warn", "__error"):
            note(f"endpoint's {name[2:]}", f"the endpoint says: {fields.get('text')!s:.300}")
        elif name not in ("__handshake", "__log"):
            note("unknown command", f"the endpoint says {name:.40}, which is unknown here")

    def _header(self, name: str, number: int | None) -> None:
        ends = self._ends
        if number is None:
            ends.peer_errors.note("bad command", f"the endpoint's {name} has no srv_id")
        elif name == "__request":
            self._next = lambda service, body: ends.own.request(self.wire, number, service, body)
        else:
            self._next = lambda service, body: self._answered(number, service, body)

    def _answered(self, number: int, service: str, body: bytes) -> None:
        if not self._ends.calls.answer(number, body):
            text = f"nobody waits for the answer {number} of {service:.80}"
            self._ends.peer_errors.note("late answer", text)

    def _message(self, topic: str, payload: bytes) -> None:
        kind = self._heard.get(topic)
        if kind is None:
            text = f"a message came on '{topic:.80}', which was not asked for"
            self._ends.peer_errors.note("unknown topic", text)
            return
        try:
            self._ends.bus.publish(topic, self.wire.read(payload, kind), self._ends.now_ns())
        except (BridgeError, BusError) as error:
            self._ends.peer_errors.note("bad message", f"on {topic}: {error}")


_WIRES: dict[Form, type[Ros1Wire] | type[Ros2Wire]] = {"ros1": Ros1Wire, "ros2": Ros2Wire}


def _fields(payload: bytes) -> Data:
    """Return the fields of a command; none for what is no object."""
    if len(payload) > _MOST_COMMAND:
        return {}
    try:
        found = json.loads(checked(payload.rstrip(b"\0")))
    except (BridgeError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _listed(fields: Data) -> dict[str, str]:
    topics, types = fields.get("topics"), fields.get("types")
    if not isinstance(topics, list) or not isinstance(types, list):
        return {}
    return {str(topic): str(kind) for topic, kind in zip(topics, types, strict=False)}


def _short(full: str) -> str:
    return full.replace("/msg/", "/")
