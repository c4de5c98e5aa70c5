"""A client of the UDP Bridge for any Python program.

with UdpClient() as robot:
    robot.subscribe("/imu/data", lambda imu: print(imu.angular_velocity.z))
    robot.publish("/cmd_vel", {"linear": {"x": 0.5}}, "geometry_msgs/Twist")
"""

import math
import threading
import time
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple, Self, TypeAlias

from outrider.bridges.addresses import is_loopback
from outrider.bridges.peer_errors import PeerErrors, speaker
from outrider.bridges.udp.exchange import Exchange, header_of
from outrider.bridges.udp.header import Buffer, Header
from outrider.bridges.udp.host_port import place
from outrider.bridges.udp.limits import UdpLimits
from outrider.bridges.udp.reassembly import Peer
from outrider.bridges.udp.requests import read_request, write_request
from outrider.bridges.udp.table import STANDARD, SUBSCRIBE, TOPICS, MessageTable
from outrider.bridges.udp.wire import Segments, read_body, write_body
from outrider.core.clock import NS_PER_S
from outrider.core.errors import BridgeError, near_match
from outrider.messages.convert import from_dict
from outrider.messages.store import full_name
from outrider.messages.types import Message

_say = speaker("udp client")

Take: TypeAlias = Callable[[Message], None]
_RENEW_S = 2.0
_SILENT_S = 5.0  # a simulator lists its topics more often than that


class RemoteTopic(NamedTuple):
    """A topic of the simulator."""

    name: str
    type: str
    command: bool  # it takes messages; else it sends them
    latched: bool
    rate_hz: float


class UdpClient:
    """Talks to one simulator; callbacks run in the client's processing thread."""

    def __init__(
        self, simulator: str = "127.0.0.1:9870", *, token: str = "", limits: UdpLimits | None = None
    ) -> None:
        self.simulator: Peer = place(simulator, "simulator")
        self._token = token
        self._peer_errors = PeerErrors(_say)
        self.table = MessageTable()
        self.topics: dict[str, RemoteTopic] = {}  # as the simulator listed them last
        self.asked: dict[str, str] = {}  # topics that the simulator asks for, with their types
        self.now_ns = 0  # the simulator's time, as far as it is known
        self._takers: dict[str, tuple[float, Take]] = {}
        self._latest: dict[str, Message] = {}
        self._returned: dict[str, Message] = {}  # by ``wait``
        self._news = threading.Condition()
        self._waiting = 0  # threads
        self._renew_s = 0.0
        self._heard_s = -math.inf  # when something of the simulator came last
        host = "127.0.0.1" if is_loopback(self.simulator[0]) else "0.0.0.0"
        self._exchange = Exchange((host, 0), self, limits or UdpLimits(), self._peer_errors)
        self._exchange.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Unsubscribe and end."""
        for topic in list(self._takers):
            self.unsubscribe(topic)
        self._exchange.close()

    def subscribe(self, topic: str, take: Take | None = None, *, most_hz: float = 0.0) -> None:
        """Ask for a topic (or several: ``/front/*``), at most so often in simulated time.

        ``take`` is called with every message; ``latest()`` and ``wait()`` work without it.
        """
        self._takers[topic] = (most_hz, take or (lambda _: None))
        self._ask(topic)

    def unsubscribe(self, topic: str) -> None:
        """Unsubscribe from a topic."""
        if self._takers.pop(topic, None) is not None:
            request = write_request(wanted=False, token=self._token)
            self._send(header_of(SUBSCRIBE, topic, self.now_ns), request)

    def publish(
        self, topic: str, message: Message | Mapping[str, object], type_name: str = ""
    ) -> None:
        """Send a message, or a mapping of its fields and the name of its type."""
        if isinstance(message, Mapping):
            message = from_dict(type_name or self._type_of(topic), message)
        kind = message.__msgtype__
        number = self.table.number(kind)
        if number is None:
            raise BridgeError(f"udp: the type {kind} has no number; register it")
        self._send(header_of(number, topic, self.now_ns), write_body(message, kind))

    def register(self, number: int, type_name: str, definition: str = "") -> None:
        """Give a type of your own a number; the simulator's list does so by itself."""
        self.table.register(number, type_name, definition)

    def latest(self, topic: str) -> Message | None:
        """Return the newest message of a topic, or None."""
        return self._latest.get(topic)

    def wait(self, topic: str, timeout_s: float = 10.0) -> Message:
        """Wait for a message of a topic that ``wait`` has not returned before."""

        def new() -> bool:
            return self._latest.get(topic) is not self._returned.get(topic)

        with self._news:
            self._waiting += 1
            came = self._news.wait_for(new, timeout=timeout_s)
            self._waiting -= 1
        if not came:
            why = self._why_nothing(topic)
            raise BridgeError(f"udp: no message on '{topic}' within {timeout_s:g} s{why}")
        found = self._returned[topic] = self._latest[topic]
        return found

    def statistics(self) -> dict[str, int]:
        """Return counts of what was received, sent, lost and refused."""
        return self._exchange.statistics()

    def admits(self, peer: Peer, header: Header) -> bool:
        """Return whether a datagram comes from the simulator."""
        return peer == self.simulator and header.type != 0

    def take(self, _peer: Peer, header: Header, body: Buffer) -> None:
        """Take a message of the simulator."""
        self._heard_s = time.monotonic()
        self.now_ns = header.sec * NS_PER_S + header.nanosec or self.now_ns
        if header.type == TOPICS:
            self._list(read_body(body, STANDARD[TOPICS]))
            return
        if header.type == SUBSCRIBE:
            self._asked_for(header.topic, read_request(body).type)
            return
        kind = self.table.name(header.type)
        if kind is None:
            raise BridgeError(f"'{header.topic}' has the unknown type number {header.type}")
        message = read_body(body, kind)
        taker = self._takers.get(header.topic) or self._pattern(header.topic)
        if taker is not None:
            taker[1](message)
        self._latest[header.topic] = message
        if self._waiting:
            with self._news:
                self._news.notify_all()

    def gather(self) -> None:
        """Do nothing: messages are sent when they are published."""

    def tick(self, now_s: float) -> None:
        """Renew subscriptions: they end by themselves if the client dies."""
        if now_s >= self._renew_s:
            self._renew_s = now_s + _RENEW_S
            for topic in list(self._takers):
                self._ask(topic)

    def _ask(self, topic: str) -> None:
        taker = self._takers.get(topic)
        if taker is not None:
            request = write_request(most_hz=taker[0], token=self._token)
            self._send(header_of(SUBSCRIBE, topic, self.now_ns), request)

    def _send(self, header: Header, body: Segments) -> None:
        self._exchange.transceiver.send(self.simulator, header, body)
        self._exchange.transceiver.push()

    def _why_nothing(self, topic: str) -> str:
        """Return what is known to be missing, as the end of a sentence."""
        if not (topic in self._takers or self._pattern(topic)):
            return ": subscribe to it first"
        if time.monotonic() - self._heard_s > _SILENT_S:
            host, port = self.simulator
            return (
                f": nobody answers at {host}:{port} (is a simulation with '--bridge udp' there,"
                " and does it ask for a token?)"
            )
        if topic not in self.topics:
            return f": the simulator has no such topic{near_match(topic, self.topics)}"
        return ""

    def _pattern(self, topic: str) -> tuple[float, Take] | None:
        found = (taker for name, taker in list(self._takers.items()) if fnmatchcase(topic, name))
        return next(found, None)

    def _type_of(self, topic: str) -> str:
        known = self.topics.get(topic)
        if known is None:
            raise BridgeError(f"udp: give the type of '{topic}': the simulator has not listed it")
        return known.type

    def _list(self, listing: Message) -> None:
        for kind in listing.types:
            self.table.register(kind.number, kind.type, kind.definition)
        self.topics = {
            row.name: RemoteTopic(
                row.name, full_name(row.type), row.command, row.latched, row.rate_hz
            )
            for row in listing.topics
        }

    def _asked_for(self, topic: str, number: int) -> None:
        kind = self.table.name(number)
        if kind is not None and len(self.asked) < 1000:
            self.asked[topic] = kind
