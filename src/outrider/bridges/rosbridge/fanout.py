"""From the bus to all clients: one thread encodes each message once per encoding."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.rosbridge.encoding.encode import Encoding, encoded
from outrider.bridges.rosbridge.encoding.frames import Outgoing
from outrider.bridges.rosbridge.subscription import ClientSubscription
from outrider.bus.bus import Bus
from outrider.bus.mailbox import Stamped, Subscription
from outrider.core.process.service_thread import ServiceThread
from outrider.messages.topics import Kept
from outrider.messages.types import Message

Delivery: TypeAlias = tuple[Outgoing, list[ClientSubscription]]
Deliver: TypeAlias = Callable[[list[Delivery]], None]  # returns when the sending thread has it

_LEAST, _MOST = 20, 1000  # messages of one topic that may wait to be encoded: those of a second
_OTHERS = 50  # of a topic that others publish, who may send megabytes at any rate
_BATCH = 50
_PAUSE_S = 0.001  # between rounds, so that a fast topic cannot take the whole interpreter


@dataclass(slots=True)
class _Feed:
    topic: str
    box: Subscription
    subscriptions: tuple[ClientSubscription, ...] = ()  # replaced as a whole
    fresh: list[ClientSubscription] = field(default_factory=list)  # to be told what was latched


class Fanout:
    """Reads the bus only for topics that a client has subscribed to."""

    def __init__(self, bus: Bus, deliver: Deliver, peer_errors: PeerErrors) -> None:
        self._bus, self._deliver, self._peer_errors = bus, deliver, peer_errors
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._feeds: dict[str, _Feed] = {}
        self._closed = False
        self.dropped = 0  # by feeds that are gone
        self.encodings = 0  # messages encoded so far
        self._thread = ServiceThread(self._run, "outrider-rosbridge-out")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End the thread and stop reading the bus."""
        self._closed = True
        self._wake.set()
        self._thread.wait_for_end()
        with self._lock:
            for feed in self._feeds.values():
                feed.box.close()

    def add(self, subscription: ClientSubscription) -> None:
        """Serve a subscription from now on; a latched topic says again what it said last."""
        with self._lock:
            feed = self._feeds.get(subscription.topic)
            if feed is None:
                # who reads the time wants what it is now, not what it was
                kept: Kept = "latest" if subscription.topic == "/clock" else "all"
                depth = self._depth(subscription.topic)
                box = self._bus.subscribe(
                    subscription.topic, kept=kept, depth=depth, wake=self._wake
                )
                feed = self._feeds[subscription.topic] = _Feed(subscription.topic, box)
            elif self._latched(subscription.topic):
                feed.fresh.append(subscription)
            feed.subscriptions = (*feed.subscriptions, subscription)
        self._wake.set()

    def remove(self, subscription: ClientSubscription) -> None:
        """Serve a subscription no longer."""
        with self._lock:
            feed = self._feeds.get(subscription.topic)
            if feed is None:
                return
            feed.subscriptions = tuple(
                other for other in feed.subscriptions if other is not subscription
            )
            self.dropped += subscription.dropped
            if not feed.subscriptions:
                del self._feeds[subscription.topic]
                feed.box.close()
                self.dropped += self._lost(feed)

    def lost(self) -> int:
        """Return how many messages newer ones have pushed out so far."""
        with self._lock:
            feeds = list(self._feeds.values())
            subscriptions = sum(
                subscription.dropped for feed in feeds for subscription in feed.subscriptions
            )
            return self.dropped + subscriptions + sum(self._lost(feed) for feed in feeds)

    @staticmethod
    def _lost(feed: _Feed) -> int:
        return 0 if feed.topic == "/clock" else feed.box.dropped

    def _latched(self, topic: str) -> bool:
        channel = self._bus.find(topic)
        return channel is not None and channel.latched

    def _depth(self, topic: str) -> int:
        """Return how many messages may wait: few of those that are large and seldom."""
        channel = self._bus.find(topic)
        if channel is None or channel.direction == "in":
            return _OTHERS
        return max(_LEAST, min(_MOST, round(channel.rate_hz))) if channel.rate_hz else _MOST

    def _run(self) -> None:
        while not self._closed:
            self._wake.wait()
            self._wake.clear()
            with self._lock:
                feeds = list(self._feeds.values())
            batch: list[Delivery] = []
            for feed in feeds:
                batch += self._again(feed)
                batch += self._drain(feed)
            if batch:
                self._deliver(batch)
            time.sleep(_PAUSE_S)

    def _again(self, feed: _Feed) -> list[Delivery]:
        """Return what subscriptions that came late to a latched topic have missed."""
        if not feed.fresh:
            return []
        with self._lock:
            subscriptions, feed.fresh = feed.fresh, []
        return (
            []
            if feed.box.latest is None
            else self._encoded(feed.topic, feed.box.latest, subscriptions)
        )

    def _drain(self, feed: _Feed) -> list[Delivery]:
        found: list[Delivery] = []
        for _ in range(_BATCH):
            item = feed.box.poll()
            if item is None:
                return found
            now_s = time.monotonic()
            found += self._encoded(
                feed.topic, item, [x for x in feed.subscriptions if x.due(now_s)]
            )
        self._wake.set()  # there may be more
        return found

    def _encoded(
        self, topic: str, item: Stamped, subscriptions: list[ClientSubscription]
    ) -> list[Delivery]:
        alike: dict[Encoding, list[ClientSubscription]] = {}
        for subscription in subscriptions:
            alike.setdefault(subscription.encoding, []).append(subscription)
        found = []
        for encoding, group in alike.items():
            outgoing = self._encode(encoding, topic, item)
            if outgoing is not None:
                found.append((outgoing, group))
        return found

    def _encode(self, encoding: Encoding, topic: str, item: Stamped) -> Outgoing | None:
        self.encodings += 1
        try:
            message: Message = item[1]
            return encoded(encoding, topic, item[0], message)
        except Exception as error:  # one bad message must not end all topics
            self._peer_errors.note(
                "unwritable", f"a message on '{topic}' cannot be written: {error!r:.80}"
            )
            return None
