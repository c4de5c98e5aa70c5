"""The simulator's side of the UDP Bridge: sends topics to subscribers, takes commands."""

import time
from dataclasses import dataclass
from typing import ClassVar

from outrider.bridges.addresses import address, is_loopback, token_for
from outrider.bridges.bridge import Outside
from outrider.bridges.peer_errors import PeerErrors, speaker
from outrider.bridges.udp.directory import directory
from outrider.bridges.udp.exchange import Exchange, header_of
from outrider.bridges.udp.header import MOST_DATAGRAM, Buffer, Header
from outrider.bridges.udp.host_port import place
from outrider.bridges.udp.incoming import IncomingMessages
from outrider.bridges.udp.limits import UdpLimits
from outrider.bridges.udp.outgoing_topic import OutgoingTopic
from outrider.bridges.udp.reassembly import Peer
from outrider.bridges.udp.requests import read_request, write_request
from outrider.bridges.udp.subscribers import Subscribers
from outrider.bridges.udp.table import STANDARD, SUBSCRIBE, TOPICS, MessageTable
from outrider.bridges.udp.wire import write_body
from outrider.bus.channel import TopicInfo
from outrider.bus.topic_watch import TopicWatch
from outrider.core.errors import ConfigError, OutriderError
from outrider.core.structure import number
from outrider.messages.store import full_name

_say = speaker("udp bridge")

PORT = 9870
_TELL_S = 1.0  # between two tellings of which topics there are and which are wanted
_AGAIN_S = 5.0  # between two sendings of what is latched: the first may be lost


@dataclass(frozen=True, slots=True)
class UdpOptions:
    """The options of ``--bridge udp:...``."""

    port: int = number(PORT, least=0, most=65535)  # 0 takes a free one
    host: str = address("127.0.0.1")  # to listen on; any other address asks for a token
    peer: tuple[str, ...] = address(())  # HOST:PORT that is sent to unasked; repeatable
    topic: tuple[str, ...] = ()  # what such a peer gets, as /front/*; none is all
    want: tuple[str, ...] = ()  # /TOPIC=PACKAGE/Type to ask peers for, as a map to draw
    type: tuple[str, ...] = ()  # NUMBER=PACKAGE/Type: a type of your own, 64 to 127
    token: str = ""  # asked of every subscriber; beyond loopback one is made up
    datagram: int = number(0, least=0, most=MOST_DATAGRAM)  # bytes; 0: by the address
    rate_mb_s: float = number(100.0, above=0.0, most=100_000.0)  # to peers that report nothing
    most_bytes: int = number(64_000_000, least=1000, most=1_000_000_000)  # of one message in
    most_age_s: float = number(1.0, least=0.0, most=3600.0)  # of a command; 0: any
    clock_hz: float = number(100.0, least=0.0, most=10000.0)  # in simulated time; 0: every step
    subscribers: int = number(64, least=1, most=10_000)  # at once


class UdpBridge:
    """Sends any topic to any subscriber; takes commands, poses and maps."""

    Options: ClassVar[type] = UdpOptions

    def __init__(self, outside: Outside, options: UdpOptions) -> None:
        self.token = token_for(options.token, away=not is_loopback(options.host))
        self._made_up = self.token != options.token
        self._outside, self._options = outside, options
        self._peer_errors = PeerErrors(_say)
        self._table = MessageTable(options.type)
        self._wanted = dict(_want(text) for text in options.want)
        for kind in self._wanted.values():
            self._table.number_for(kind)
        self._subscribers = Subscribers(self.token, options.subscribers)
        for text in options.peer:
            self._subscribers.keep(place(text, "peer"), options.topic or ("/*",))
        self._arrivals = IncomingMessages(outside, self._table, self._wanted, options.most_age_s)
        self._watch = TopicWatch(outside.bus)
        self._flows: dict[str, OutgoingTopic] = {}
        self._dropped = 0  # by topics that are gone
        self._changed = True
        self._tell_s = self._again_s = 0.0
        self._exchange = Exchange(
            (options.host, options.port), self, _limits(options), self._peer_errors
        )

    @property
    def port(self) -> int:
        """The local UDP port."""
        return self._exchange.port

    def start(self) -> None:
        """Listen."""
        self._exchange.start()
        token = f"; subscribers need the token {self.token}" if self._made_up else ""
        _say(f"listening at {self._options.host}:{self.port}{token}")

    def close(self) -> None:
        """End both threads."""
        self._exchange.close()
        for flow in self._flows.values():
            flow.close()

    def counts(self) -> dict[str, int]:
        """Return what was lost or refused so far."""
        dropped = self._dropped + sum(flow.dropped for flow in list(self._flows.values()))
        return {**self._peer_errors.counts, "dropped": dropped}

    def statistics(self) -> dict[str, int]:
        """Return all counts, including what was received and sent."""
        return self._exchange.statistics()

    def admits(self, peer: Peer, header: Header) -> bool:
        """Return whether a peer may send this: with a token, subscribers only."""
        if self._subscribers.open or peer in self._subscribers.peers:
            return True
        return header.type == SUBSCRIBE and header.parts == 1

    def take(self, peer: Peer, header: Header, body: Buffer) -> None:
        """Take a subscription, or a message for the bus."""
        if header.type == SUBSCRIBE:
            self._subscribe(peer, header, body)
        elif header.type != TOPICS:
            self._arrivals.take(peer, header, body)

    def gather(self) -> None:
        """Queue new messages of all topics."""
        for flow in self._flows.values():
            for header, body, peers in flow.drain():
                for peer in peers:
                    self._exchange.transceiver.send(peer, header, body)

    def tick(self, now_s: float) -> None:
        """Follow topics and peers, and send the directory to peers."""
        for peer in self._subscribers.expired(now_s):
            self._exchange.forget(peer)
            self._changed = True
        self._follow()
        if self._changed:
            self._changed, self._tell_s = False, 0.0
            self._connect()
        if now_s >= self._tell_s:
            self._tell_s = now_s + _TELL_S
            self._tell()
        if now_s >= self._again_s:
            self._again_s = now_s + _AGAIN_S
            for flow in self._flows.values():
                self._repeat(flow, list(flow.listeners))

    def _subscribe(self, peer: Peer, header: Header, body: Buffer) -> None:
        request, now_s = read_request(body), time.monotonic()
        if not request.wanted:
            self._subscribers.leave(peer, header.topic)
            self._changed = True
        elif self._subscribers.ask(peer, header.topic, request.most_hz, request.token, now_s):
            self._changed = True
            self.tick(now_s)

    def _follow(self) -> None:
        came, gone = self._watch.changes()
        self._changed = self._changed or bool(came or gone)
        for topic in gone:
            flow = self._flows.pop(topic.name, None)
            if flow is not None:
                self._dropped += flow.dropped
                flow.close()
        for topic in came:
            try:
                self._carry(topic)
            except OutriderError as error:
                self._peer_errors.note("left out", f"topic '{topic.name}': {error}")

    def _carry(self, topic: TopicInfo) -> None:
        number = self._table.number_for(topic.type)
        if topic.direction == "out":
            most_hz = self._options.clock_hz if topic.name == "/clock" else 0.0
            self._flows[topic.name] = OutgoingTopic(topic, number, most_hz)

    def _connect(self) -> None:
        """Set the subscribers of every topic; no peer gets its own topics back."""
        for name, flow in self._flows.items():
            rates = {
                peer: rate
                for peer, subscriber in self._subscribers.peers.items()
                if (rate := subscriber.rate_of(name)) is not None
                and self._arrivals.brought.get(name) != peer
            }
            new = flow.listen(rates, self._outside.bus, self._exchange.wake)
            self._repeat(flow, new)

    def _repeat(self, flow: OutgoingTopic, peers: list[Peer]) -> None:
        if flow.last is not None:
            for peer in peers:
                self._exchange.transceiver.send(peer, *flow.last)

    def _tell(self) -> None:
        """Send every peer the list of topics, and subscribe to those that are taken here."""
        if not self._subscribers.peers:
            return
        now_ns = self._outside.now_ns()
        topics = list(self._watch.known.values())
        listing = write_body(directory(topics, self._table), STANDARD[TOPICS])
        commands = self._outside.policy.commands
        asked = {t.name: t.type for t in topics if commands and t.direction == "in"}
        asked |= self._wanted
        for peer in self._subscribers.peers:
            self._exchange.transceiver.send(peer, header_of(TOPICS, "", now_ns), listing)
            for name, kind in asked.items():
                request = write_request(self._table.number(kind) or 0)
                header = header_of(SUBSCRIBE, name, now_ns)
                self._exchange.transceiver.send(peer, header, request)


def _limits(options: UdpOptions) -> UdpLimits:
    return UdpLimits(
        datagram=options.datagram,
        rate=options.rate_mb_s * 1e6,
        most_bytes=options.most_bytes,
    )


def _want(text: str) -> tuple[str, str]:
    topic, equals, kind = text.partition("=")
    if not equals or not topic.startswith("/"):
        raise ConfigError(f"udp: want: expected /TOPIC=PACKAGE/Type, got '{text}'")
    return topic, full_name(kind)
