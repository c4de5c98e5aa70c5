"""The unread messages of one subscriber: bounded, and never blocking a publisher."""

import threading
from collections import deque
from collections.abc import Callable

from outrider.core.state import State
from outrider.messages.message_state import message_of, message_state
from outrider.messages.topics import Kept
from outrider.messages.types import Message


class Stamped(tuple[int, Message]):
    """A pair: when a message was measured, in simulated nanoseconds, and the message."""

    _published_ns: int | None = None

    @property
    def published_ns(self) -> int:
        """When it came onto the bus: later than it was measured by its sensor's latency."""
        return self[0] if self._published_ns is None else self._published_ns

    def late(self, published_ns: int | None) -> "Stamped":
        """Return it, published at another time than it was measured."""
        self._published_ns = published_ns
        return self


class Subscription:
    """A subscriber's end of a topic. Messages are shared with other readers: do not change them."""

    __slots__ = ("_close", "_depth", "_kept", "_queue", "_wake", "dropped", "latest")

    def __init__(
        self,
        kept: Kept | None,
        depth: int,
        wake: threading.Event | None,
        close: "Callable[[Subscription], None]",
    ) -> None:
        """``kept`` of None takes the topic's own way when the topic is declared."""
        self._kept = kept
        self._depth = max(1, depth)
        self._wake = wake
        self._close = close
        self._queue: deque[Stamped] = deque(maxlen=1)
        self.latest: Stamped | None = None  # the newest, read or not
        self.dropped = 0  # messages that newer ones pushed out unread
        if kept is not None:
            self.keep(kept)

    def keep(self, topics_own: Kept) -> None:
        """Set what is kept, before the first message."""
        kept = self._kept or topics_own
        self._queue = deque(maxlen=1 if kept == "latest" else self._depth)

    def put(self, item: Stamped) -> None:
        """Store a message from a publisher."""
        queue = self._queue
        if len(queue) == queue.maxlen:
            self.dropped += 1
        queue.append(item)
        self.latest = item
        wake = self._wake
        # Who waits clears the event before polling, so a set event needs no second setting.
        if wake is not None and not wake.is_set():
            wake.set()

    def poll(self) -> Stamped | None:
        """Return the oldest unread message (the newest where only the latest is kept), or None."""
        try:
            return self._queue.popleft()
        except IndexError:
            return None

    @property
    def waiting(self) -> bool:
        """Whether there is an unread message."""
        return bool(self._queue)

    def get_state(self) -> State:
        """Return the unread messages."""
        queue = list(self._queue)
        return State(
            unread=[
                State(
                    time_ns=item[0],
                    published_ns=item.published_ns,
                    message=message_state(item[1]),
                )
                for item in queue
            ]
        )

    def set_state(self, state: State) -> None:
        """Replace the unread messages."""
        self._queue.clear()
        for item in state.parts("unread"):
            measured_ns = item.integer("time_ns")
            later = item.integer("published_ns") if item.has("published_ns") else measured_ns
            pair = measured_ns, message_of(item.part("message"))
            self._queue.append(Stamped(pair).late(later))

    def close(self) -> None:
        """Stop receiving."""
        self._close(self)


class Tap(Subscription):
    """Forwards every message immediately, in its publisher's thread; nothing is kept here."""

    __slots__ = ("_take",)

    def __init__(
        self, take: Callable[[int, Message], None], close: Callable[[Subscription], None]
    ) -> None:
        super().__init__("latest", 1, None, close)
        self._take = take

    def put(self, item: Stamped) -> None:
        """Forward a message."""
        self._take(*item)


class Latch:
    """The mailbox of a latched topic: stores the last message and forwards it."""

    __slots__ = ("_lock", "boxes", "last")

    def __init__(self, boxes: tuple[Subscription, ...]) -> None:
        self._lock = threading.Lock()
        self.boxes = boxes
        self.last: Stamped | None = None

    def put(self, item: Stamped) -> None:
        """Store and forward; locked, so that no new subscriber misses both."""
        with self._lock:
            self.last = item
            for box in self.boxes:
                box.put(item)

    def add(self, box: Subscription) -> None:
        """Add a subscriber, starting with the last message."""
        with self._lock:
            if self.last is not None:
                box.put(self.last)
            self.boxes = (*self.boxes, box)

    def remove(self, box: Subscription) -> None:
        """Remove a subscriber."""
        with self._lock:
            self.boxes = tuple(other for other in self.boxes if other is not box)
