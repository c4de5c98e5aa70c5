"""One topic as its publisher holds it: follows renames, needs no lookup."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from outrider.bus.mailbox import Latch, Stamped, Subscription
from outrider.core.errors import BusError
from outrider.messages.convert import from_dict
from outrider.messages.topics import Direction, Kept
from outrider.messages.types import Message


@dataclass(frozen=True, slots=True)
class TopicInfo:
    """A topic as ``outrider topics`` lists it."""

    name: str
    type: str
    rate_hz: float
    direction: Direction
    latched: bool
    kept: Kept
    count: int
    subscribers: int
    source: str  # the type of the sensor that publishes it; empty: not known


class Channel:
    """A declared topic: its publishers call ``publish`` or ``offer``."""

    __slots__ = (
        "_boxes",
        "_class",
        "_latch",
        "count",
        "direction",
        "kept",
        "name",
        "rate_hz",
        "source",
        "type",
    )

    def __init__(
        self,
        name: str,
        type_name: str,
        message_class: type,
        rate_hz: float,
        latched: bool,
        kept: Kept,
        direction: Direction,
    ) -> None:
        self.name = name
        self.type = type_name
        self.rate_hz = rate_hz
        self.kept: Kept = kept
        self.direction: Direction = direction
        self.source = ""
        self.count = 0
        self._class = message_class
        self._latch = Latch(()) if latched else None
        # Replaced as a whole, never changed, so that publishers iterate without a lock.
        self._boxes: tuple[Subscription | Latch, ...] = (self._latch,) if self._latch else ()

    @property
    def latched(self) -> bool:
        """Whether a new subscriber gets the last message."""
        return self._latch is not None

    def publish(
        self,
        message: Message | Mapping[str, object],
        time_ns: int,
        published_ns: int | None = None,
    ) -> None:
        """Publish a message, or a mapping of its fields, to all subscribers.

        ``time_ns`` is when it was measured, ``published_ns`` the time now if that is later.
        """
        if message.__class__ is not self._class:
            if not isinstance(message, Mapping):
                raise self._wrong_class(message)
            message = from_dict(self.type, message)
        self.count += 1
        item = Stamped((time_ns, message))
        if published_ns is not None:
            item.late(published_ns)
        for box in self._boxes:
            box.put(item)

    @property
    def wanted(self) -> bool:
        """Whether there is a subscriber."""
        return bool(self._boxes)

    def offer(self, make: Callable[[int], Message], time_ns: int) -> None:
        """Create and publish a message if there are subscribers; it is counted anyway."""
        if self._boxes:
            self.publish(make(time_ns), time_ns)
        else:
            self.count += 1

    def add(self, box: Subscription) -> None:
        """Add a subscriber."""
        box.keep(self.kept)
        if self._latch:
            self._latch.add(box)
        else:
            self._boxes = (*self._boxes, box)

    def remove(self, box: Subscription) -> None:
        """Remove a subscriber."""
        if self._latch:
            self._latch.remove(box)
        else:
            self._boxes = tuple(other for other in self._boxes if other is not box)

    @property
    def readers(self) -> tuple[Subscription, ...]:
        """All subscribers."""
        if self._latch:
            return self._latch.boxes
        return tuple(box for box in self._boxes if isinstance(box, Subscription))

    def info(self) -> TopicInfo:
        """Describe the current topic."""
        return TopicInfo(
            self.name,
            self.type,
            self.rate_hz,
            direction=self.direction,
            latched=self.latched,
            kept=self.kept,
            count=self.count,
            subscribers=len(self.readers),
            source=self.source,
        )

    def _wrong_class(self, message: Message) -> BusError:
        came = getattr(message, "__msgtype__", type(message).__name__)
        return BusError(f"topic '{self.name}' carries {self.type}, not {came}")
