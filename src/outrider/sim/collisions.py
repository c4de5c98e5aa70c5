"""Contacts as events: one per pair of things, when it begins, with the impulse of the blow."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from outrider.core.frames import Array
from outrider.sim.rig import Rig

_BLOW_NS = 10_000_000  # how long the impulse of a blow is added up before it is reported


@dataclass(slots=True, eq=False)
class Collision:
    """Two things met: where, in which direction (first to second) and how hard (N s)."""

    time_ns: int
    first: str
    second: str
    bodies: tuple[int, int]
    point: Array
    normal: Array
    impulse: float


class CollisionLog:
    """The last collisions, and how many there have been in all."""

    def __init__(self, kept: int = 10_000) -> None:
        self._last: deque[Collision] = deque(maxlen=kept)
        self.total = 0

    def __iter__(self) -> Iterator[Collision]:
        """Iterate over what is kept, oldest first."""
        return iter(self._last)

    def __len__(self) -> int:
        """Return how many are kept."""
        return len(self._last)

    def __getitem__(self, index: int) -> Collision:
        """Return one of those kept."""
        return self._last[index]

    def append(self, collision: Collision) -> None:
        """Note a collision."""
        self._last.append(collision)
        self.total += 1

    def since(self, seen: int) -> list[Collision]:
        """Return what came after the first ``seen`` ones, as far as it is kept."""
        fresh = min(self.total - seen, len(self._last))
        return list(islice(self._last, len(self._last) - fresh, None)) if fresh > 0 else []

    def clear(self) -> None:
        """Forget all."""
        self._last.clear()
        self.total = 0

    def carry(self, old: "CollisionLog", number: Callable[[int], int]) -> None:
        """Take over what another log keeps; ``number`` tells the new number of a body."""
        self._last.clear()
        for event in old:
            first, second = (number(body) for body in event.bodies)
            self._last.append(replace(event, bodies=(first, second)))
        self.total = old.total


class CollisionWatch:
    """Turns contacts into events."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._engine = rig.engine
        self.reset()

    def reset(self) -> None:
        """Forget all contacts."""
        self._touching: set[tuple[str, str]] = set()
        self._blows: dict[tuple[str, str], Collision] = {}
        self._last: object = None
        self._engine.watch_contacts = False

    def carry(self, old: "CollisionWatch") -> None:
        """Know what touches already, as another watch does: it is no new collision."""
        self._touching = set(old._touching)

    def update(self, now_ns: int) -> list[Collision]:
        """Return the collisions whose blow is over."""
        contacts = self._rig.contacts()
        if contacts is self._last and not self._blows:
            return []
        self._last = contacts
        pairs = set()
        for contact in contacts:
            pair = (contact.first_name, contact.second_name)
            pairs.add(pair)
            if pair in self._blows:
                self._blows[pair].impulse += contact.impulse
            elif pair not in self._touching:
                self._blows[pair] = Collision(
                    now_ns,
                    *pair,
                    (contact.first, contact.second),
                    contact.point,
                    contact.normal,
                    contact.impulse,
                )
        self._touching = pairs | self._blows.keys()
        over = [p for p, blow in self._blows.items() if now_ns - blow.time_ns >= _BLOW_NS]
        done = [self._blows.pop(pair) for pair in over]
        self._touching = pairs | self._blows.keys()
        self._engine.watch_contacts = bool(self._blows)
        return done
