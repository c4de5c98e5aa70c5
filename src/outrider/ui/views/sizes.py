"""Message sizes and one-line summaries, sampled from each topic now and then."""

import asyncio
from dataclasses import dataclass

from outrider.bus.bus import Bus
from outrider.bus.mailbox import Subscription
from outrider.core.errors import OutriderError
from outrider.messages.convert import to_dict
from outrider.messages.store import store
from outrider.messages.types import Message
from outrider.ui.views.values import rows_of

_AGAIN_S = 3.0
_AT_ONCE = 6  # topics that are listened to
_PATIENCE_S = 2.0
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class MessageSample:
    """One message of a topic: its size as CDR, and its first values."""

    octets: int
    words: str


class Sizes:
    """Subscribes to a few topics at a time, for one message each."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self.known: dict[str, MessageSample] = {}
        self._due_s: dict[str, float] = {}
        self._open: dict[str, tuple[str, Subscription, float]] = {}

    async def look(self, topics: list[tuple[str, str]]) -> None:
        """Take new messages, and subscribe to the next (name, type) that is due."""
        now_s = asyncio.get_running_loop().time()
        for name, (kind, box, since_s) in list(self._open.items()):
            item = box.latest
            if item is None and now_s - since_s < _PATIENCE_S:
                continue
            box.close()
            del self._open[name]
            self._due_s[name] = now_s + _AGAIN_S
            if item is not None:
                self.known[name] = await asyncio.to_thread(_sample, kind, item[1])
        self._listen(topics, now_s)

    def close(self) -> None:
        """Unsubscribe."""
        for _, box, _ in self._open.values():
            box.close()
        self._open.clear()

    def _listen(self, topics: list[tuple[str, str]], now_s: float) -> None:
        due = [row for row in topics if row[0] not in self._open]
        due.sort(key=lambda row: self._due_s.get(row[0], 0.0))
        for name, kind in due[: _AT_ONCE - len(self._open)]:
            if self._due_s.get(name, 0.0) > now_s:
                return
            try:
                self._open[name] = kind, self._bus.subscribe(name, kept="latest"), now_s
            except OutriderError:
                self._due_s[name] = now_s + _AGAIN_S  # it has gone


def _sample(kind: str, message: Message) -> MessageSample:
    octets = len(store().serialize_cdr(message, kind))
    rows = rows_of(to_dict(message, longest=4))
    told = (f"{path.rpartition('.')[2]} {text}" for path, text, _ in rows if _tells(path))
    words = ", ".join(word for word, _ in zip(told, range(4), strict=False))
    return MessageSample(octets, words if len(words) <= _LONGEST else f"{words[:_LONGEST]} ...")


def _tells(path: str) -> bool:
    """Leave out headers: they hold time and frame, not the content."""
    return not path.startswith(("header", "layout")) and "covariance" not in path


def size_text(octets: int) -> str:
    """Return a byte count formatted for display."""
    if octets < 1000:
        return f"{octets} B"
    return f"{octets / 1e3:.1f} kB" if octets < 1e6 else f"{octets / 1e6:.1f} MB"
