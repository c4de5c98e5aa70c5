"""Publish and subscribe by name in one process; publishing never waits for a subscriber."""

import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import get_args

from outrider.bus.channel import Channel, TopicInfo
from outrider.bus.mailbox import Subscription, Tap
from outrider.core.errors import BusError, near_match
from outrider.messages.store import full_name, message_class
from outrider.messages.topics import Direction, Kept, check_name
from outrider.messages.types import Message


class Bus:
    """All topics of one simulation. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._channels: dict[str, Channel] = {}
        self._former: dict[str, Channel] = {}  # by the names they had
        self._waiting: dict[str, tuple[Subscription, ...]] = {}  # for topics not yet declared
        self._creators: dict[int, list[str]] = {}  # by thread, where somebody asks
        self.revision = 0  # counts every topic that came, went or got another name

    def declare(
        self,
        name: str,
        type_name: str,
        *,
        rate_hz: float = 0.0,
        latched: bool = False,
        kept: Kept = "latest",
        direction: Direction = "out",
        source: str = "",
    ) -> Channel:
        """Create a topic, or find an existing one, and return the publisher's end.

        ``source`` is the type of the sensor that publishes it.
        """
        kind, full = message_class(type_name), full_name(type_name)
        with self._lock:
            known = self._channels.get(check_name(name))
            if known is not None:
                if known.type != full:
                    raise BusError(f"topic '{name}' already carries {known.type}, not {full}")
                known.rate_hz = rate_hz or known.rate_hz
                known.source = source or known.source
                return known
            channel = Channel(name, full, kind, rate_hz, latched, kept, direction)
            channel.source = source
            self._adopt(name, channel)
            return channel

    def publish(self, name: str, message: Message | Mapping[str, object], time_ns: int) -> None:
        """Publish a message, or a mapping of its fields, to all subscribers of a topic."""
        channel = self._channels.get(name)
        (channel or self.channel(name)).publish(message, time_ns)

    def offer(self, name: str, make: Callable[[int], Message], time_ns: int) -> None:
        """Create and publish a message only if there are subscribers; it is counted anyway."""
        channel = self._channels.get(name)
        (channel or self.channel(name)).offer(make, time_ns)

    def subscribe(
        self,
        name: str,
        *,
        kept: Kept | None = None,
        depth: int = 1000,
        wake: threading.Event | None = None,
    ) -> Subscription:
        """Subscribe to a topic; ``wake`` is set for each message. An undeclared topic warns.

        Unread messages are kept as the topic defines (mostly: only the newest), or by ``kept``.
        """
        if not isinstance(name, str):
            raise BusError(f"subscribe: expected the name of a topic, got {name!r:.60}")
        if kept is not None and kept not in get_args(Kept):
            raise BusError(f"{name}: kept: expected 'latest' or 'all', got {kept!r:.60}")
        box = Subscription(kept, depth, wake, self._forget)
        known = self._join(name, box)
        if not known and self._channels:
            hint = near_match(name, list(self._channels))
            warnings.warn(f"there is no topic '{name}' yet{hint}", stacklevel=2)
        return box

    def tap(self, name: str, take: Callable[[int, Message], None]) -> Subscription:
        """Have ``take`` called with every message, in its publisher's thread: it must be quick."""
        box = Tap(take, self._forget)
        self._join(name, box)
        return box

    def channel(self, name: str) -> Channel:
        """Return the topic of this name, or the one that last had it."""
        channel = self._channels.get(name) or self._former.get(name)
        if channel is None:
            raise BusError(f"there is no topic '{name}'{near_match(name, list(self._channels))}")
        return channel

    def find(self, name: str) -> Channel | None:
        """Return the topic that has this name now, or None."""
        return self._channels.get(name)

    def remap(self, old: str, new: str) -> None:
        """Rename a topic: its subscribers stay, those waiting for the new name join.

        Publishing under the old name still reaches it, until another topic takes that name.
        """
        with self._lock:
            channel = self._channels.get(old)
            if channel is None:
                hint = near_match(old, list(self._channels))
                raise BusError(f"there is no topic '{old}' to rename{hint}")
            if check_name(new) == old:
                return
            if new in self._channels:
                raise BusError(f"topic '{old}' cannot be renamed: there is a topic '{new}'")
            channel.name = new
            self._adopt(new, channel)
            self._former[old] = channel
            del self._channels[old]
            self.revision += 1

    def retire(self, name: str) -> None:
        """Remove a topic; its subscribers wait for another one of that name."""
        with self._lock:
            channel = self._channels.pop(name, None)
            if channel is not None:
                self._waiting[name] = (*self._waiting.get(name, ()), *channel.readers)
                self.revision += 1

    @contextmanager
    def created(self) -> Iterator[list[str]]:
        """Collect the names of the topics that this thread creates."""
        names: list[str] = []
        self._creators[threading.get_ident()] = names
        try:
            yield names
        finally:
            del self._creators[threading.get_ident()]

    def topics(self) -> list[TopicInfo]:
        """List all topics by name."""
        with self._lock:
            return [channel.info() for _, channel in sorted(self._channels.items())]

    def _join(self, name: str, box: Subscription) -> bool:
        """Connect a subscription; return whether the topic already exists."""
        with self._lock:
            channel = self._channels.get(check_name(name))
            if channel is not None:
                channel.add(box)
            else:
                self._waiting[name] = (*self._waiting.get(name, ()), box)
        return channel is not None

    def _adopt(self, name: str, channel: Channel) -> None:
        for box in self._waiting.pop(name, ()):
            channel.add(box)
        # Publishers look up without the lock: at no moment may a name lead nowhere.
        self._channels[name] = channel
        self._creators.get(threading.get_ident(), []).append(name)
        self._former.pop(name, None)
        self.revision += 1

    def _forget(self, box: Subscription) -> None:
        with self._lock:
            for channel in self._channels.values():
                channel.remove(box)
            for name, boxes in list(self._waiting.items()):
                left = tuple(other for other in boxes if other is not box)
                if left:
                    self._waiting[name] = left
                else:
                    del self._waiting[name]
