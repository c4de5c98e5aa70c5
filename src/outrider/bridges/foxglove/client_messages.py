"""Messages published by clients, such as the teleop panel, for the simulation's inputs only."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from outrider.bridges.json_bounds import checked
from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.policy import Policy
from outrider.bus.bus import Bus
from outrider.bus.channel import Channel
from outrider.core.errors import BridgeError, OutriderError, near_match
from outrider.messages.convert import from_dict
from outrider.messages.store import full_name, store
from outrider.messages.types import Message

if TYPE_CHECKING:
    from foxglove.websocket import ClientChannel

_MOST_BYTES = 1024 * 1024


class ClientMessages:
    """Channels that clients advertise, by client and number."""

    def __init__(
        self, bus: Bus, now_ns: Callable[[], int], peer_errors: PeerErrors, policy: Policy
    ) -> None:
        self._bus = bus
        self._policy = policy
        self._now_ns = now_ns
        self._peer_errors = peer_errors
        self._known: dict[tuple[int, int], tuple[str, str]] = {}  # topic and encoding
        self._refused: dict[tuple[int, int], str] = {}  # why

    def advertise(self, client: int, channel: "ClientChannel") -> None:
        """Let a client publish, if there is an input of this name and type.

        Foxglove's 3D panel advertises goals and poses that nobody may ever set: what is
        refused is told when a message comes.
        """
        try:
            self._policy.admit_commands(f"publishing on '{channel.topic}'")
            self._check(channel.topic, channel.schema_name, channel.encoding)
            self._known[client, channel.id] = (channel.topic, channel.encoding)
        except OutriderError as error:
            self._refused[client, channel.id] = str(error)

    def unadvertise(self, client: int, number: int) -> None:
        """Forget a client's channel."""
        self._known.pop((client, number), None)
        self._refused.pop((client, number), None)

    def take(self, client: int, number: int, data: bytes) -> None:
        """Publish a client's message."""
        known = self._known.get((client, number))
        if known is None:
            why = self._refused.get((client, number))
            kind = "refused messages" if why else "unknown channels"
            self._peer_errors.note(kind, why or "a message on a channel that was never advertised")
            return
        topic, encoding = known
        try:
            channel = self._bus.channel(topic)
            channel.publish(_message(channel, encoding, data), self._now_ns())
        except Exception as error:  # bytes that are no message end in many ways
            self._peer_errors.note("bad messages", f"a message on {topic} is none: {error!s:.100}")

    def _check(self, topic: str, schema: str, encoding: str) -> None:
        inputs = {info.name: info.type for info in self._bus.topics() if info.direction == "in"}
        if topic not in inputs:
            hint = near_match(topic, inputs)
            raise BridgeError(f"'{topic}' is not an input of the simulation{hint}")
        if schema and full_name(schema) != inputs[topic]:
            raise BridgeError(f"'{topic}' takes {inputs[topic]}, not {schema}")
        if encoding not in ("json", "cdr"):
            raise BridgeError(f"'{topic}' takes messages as json or cdr, not {encoding}")


def _message(channel: Channel, encoding: str, data: bytes) -> Message:
    if len(data) > _MOST_BYTES:
        raise BridgeError(f"it has {len(data)} bytes; at most {_MOST_BYTES} are accepted")
    if encoding == "cdr":
        return store().deserialize_cdr(data, channel.type)
    return from_dict(channel.type, json.loads(checked(data)))
