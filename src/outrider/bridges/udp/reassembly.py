"""Reassembly of messages: parts in any order, with gaps and duplicates, in bounded memory."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from outrider.bridges.udp.header import Buffer, Header

Peer: TypeAlias = tuple[str, int]  # address and port
_Key: TypeAlias = tuple[Peer, str, int]  # peer, topic, sequence number

_COST = 256  # bytes of memory for a message beside its parts, however short
_MOST_OPEN = 512  # messages that may be incomplete at once


@dataclass(slots=True)
class _Open:
    """An incomplete message; each part is copied to its place on arrival."""

    header: Header  # of the part that came first
    since_s: float
    came: set[int] = field(default_factory=set)
    size: int = 0  # of each part but the last; 0 until one came
    tail: bytes | None = None  # the last part, if it came
    place: memoryview | None = None  # of all parts; made when their size is known

    def belongs(self, header: Header) -> bool:
        """Return whether a part's header agrees with that of the first part."""
        return header[:2] == self.header[:2] and header[3:] == self.header[3:]

    def add(self, part: int, body: memoryview) -> bool:
        """Add a part of consistent size: all but the last are equally long, none is empty."""
        size = len(body)
        if part == self.header.parts - 1:
            if not 0 < size <= (self.size or size):
                return False
            self.tail = bytes(body)
        else:
            if size < max(len(self.tail or b""), 1) or self.size not in (0, size):
                return False
            if self.place is None:
                self.size = size
                self.place = np.empty(size * self.header.parts, np.uint8).data
            self.place[part * size : (part + 1) * size] = body
        self.came.add(part)
        return True

    @property
    def bytes(self) -> int:
        """Memory in use or reserved."""
        whole = 0 if self.place is None else len(self.place)
        return whole + len(self.tail or b"") + _COST

    def whole(self) -> Buffer:
        """Return the body once it is complete."""
        assert self.place is not None
        assert self.tail is not None
        start = self.size * (self.header.parts - 1)
        end = start + len(self.tail)
        self.place[start:end] = self.tail
        return self.place[:end]


class PartSlots(NamedTuple):
    """The buffers of a message's parts, and which have arrived."""

    place: memoryview
    size: int
    came: set[int]


class Reassembly:
    """Merges parts. What is too large, too old or inconsistent is dropped and counted."""

    def __init__(self, counts: Counter[str], most_bytes: int, wait_s: float) -> None:
        """``most_bytes`` bounds one message, and twice that all incomplete ones together."""
        self._counts, self._most, self._wait_s = counts, most_bytes, wait_s
        self._open: dict[_Key, _Open] = {}  # the oldest first
        self.bytes = 0  # of all parts that wait

    def __len__(self) -> int:
        return len(self._open)

    def add(self, peer: Peer, header: Header, body: memoryview, now_s: float) -> Buffer | None:
        """Take one part; return the body of the message that it completes, if it does."""
        if header.parts == 1:
            return body
        if (header.parts - 1) * max(len(body), 1) >= self._most:  # more than that in all
            self._counts["too large"] += 1
            return None
        key = (peer, header.topic, header.seq)
        found = self._open.get(key)
        if found is not None and not found.belongs(header):
            self._counts["contradicting"] += 1
            self._drop(key)
            found = None
        if found is None:
            found = self._open[key] = _Open(header, now_s)
            self.bytes += found.bytes
        if header.part in found.came:
            self._counts["duplicate"] += 1
            return None
        before = found.bytes
        if not found.add(header.part, body):
            self._counts["contradicting"] += 1
            self._drop(key)
            return None
        self.bytes += found.bytes - before
        if len(found.came) == header.parts:
            self._drop(key)
            return found.whole()
        self._make_room(key)
        return None

    def row(self, peer: Peer, header: Header) -> PartSlots | None:
        """Return the places of a message's parts, if the one after this is missing."""
        found = self._open.get((peer, header.topic, header.seq))
        if found is None or found.place is None or header.part + 1 in found.came:
            return None
        return PartSlots(found.place, found.size, found.came)

    def expire(self, now_s: float) -> None:
        """Give up messages whose parts have been missing for too long."""
        for key, found in list(self._open.items()):
            if now_s - found.since_s < self._wait_s:
                return
            self._give_up(key)

    def _make_room(self, newest: _Key) -> None:
        while self.bytes > 2 * self._most or len(self._open) > _MOST_OPEN:
            oldest = next(iter(self._open))
            self._give_up(oldest)
            if oldest == newest:
                return

    def _give_up(self, key: _Key) -> None:
        self._counts["incomplete"] += 1
        self._drop(key)

    def _drop(self, key: _Key) -> None:
        self.bytes -= self._open.pop(key).bytes
