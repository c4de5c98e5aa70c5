"""Messages that peers send to the simulator: commands, and poses and maps to be drawn."""

from outrider.bridges.bridge import Outside
from outrider.bridges.udp.header import Buffer, Header
from outrider.bridges.udp.reassembly import Peer
from outrider.bridges.udp.table import MessageTable
from outrider.bridges.udp.wire import read_body
from outrider.bus.channel import Channel
from outrider.core.clock import NS_PER_S
from outrider.core.errors import BridgeError

_SHOWN = ("geometry_msgs/msg/PoseStamped", "nav_msgs/msg/OccupancyGrid")
_MOST_SHOWN = 64  # topics that peers may bring


class IncomingMessages:
    """Publishes them on the bus: what the simulation subscribes to, and what can be drawn."""

    def __init__(
        self, outside: Outside, table: MessageTable, wanted: dict[str, str], most_age_s: float
    ) -> None:
        self._outside, self._table, self._wanted = outside, table, wanted
        self._most_age_ns = round(most_age_s * NS_PER_S)
        self.brought: dict[str, Peer] = {}  # topics that are here because a peer sends them

    def take(self, peer: Peer, header: Header, body: Buffer) -> None:
        """Publish one message, or refuse it."""
        kind = self._table.name(header.type)
        if kind is None:
            raise BridgeError(f"there is no message type with the number {header.type}")
        if header.topic not in self._wanted:
            self._outside.policy.admit_commands(header.topic)
        channel = self._channel(header.topic, kind, peer)
        if channel.direction == "in":
            self._check_age(header)
        channel.publish(read_body(body, kind), self._outside.now_ns())

    def _channel(self, topic: str, kind: str, peer: Peer) -> Channel:
        bus = self._outside.bus
        found = bus.find(topic)
        if found is None:
            if kind not in _SHOWN and self._wanted.get(topic) != kind:
                raise BridgeError(f"there is no topic '{topic}' that takes {kind}")
            if len(self.brought) >= _MOST_SHOWN:
                raise BridgeError(f"peers publish more than {_MOST_SHOWN} topics")
            found = bus.declare(topic, kind)
            self.brought[topic] = peer
        if found.direction == "out" and topic not in self.brought:
            raise BridgeError(f"topic '{topic}' takes no messages: the simulation publishes it")
        if found.type != kind:
            raise BridgeError(f"topic '{topic}' carries {found.type}, not {kind}")
        return found

    def _check_age(self, header: Header) -> None:
        """Refuse a command that is too old; one without a time stamp is accepted."""
        sent_ns = header.sec * NS_PER_S + header.nanosec
        age_ns = self._outside.now_ns() - sent_ns
        if sent_ns and self._most_age_ns and age_ns > self._most_age_ns:
            raise BridgeError(f"a command on '{header.topic}' is {age_ns / NS_PER_S:.1f} s old")
