"""Contacts as events: one per pair of bodies, when it begins, with the impulse of the impact."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from outrider.core.frames import Array
from outrider.core.state import Later, State
from outrider.physics.engine import ContactRows
from outrider.sim.rig import Rig
from outrider.world.assembly import WORLD, Assembly

_IMPACT_NS = 10_000_000  # how long the impulse of a impact is added up before it is reported


@dataclass(slots=True, eq=False)
class Collision:
    """A collision of two bodies: point, normal (first to second) and impulse (N s)."""

    time_ns: int
    first: str
    second: str
    bodies: tuple[int, int]
    point: Array
    normal: Array
    impulse: float

    def get_state(self, assembly: Assembly) -> State:
        """Return it as plain data: bodies by name, for numbers are those of one build."""
        return State(
            time_ns=self.time_ns,
            first=self.first,
            second=self.second,
            bodies=[_name(assembly, body) for body in self.bodies],
            point=self.point,
            normal=self.normal,
            impulse=self.impulse,
        )

    @classmethod
    def of(cls, state: State, numbers: dict[str, int]) -> "Collision":
        """Return the collision of a state; a body that is gone counts as the world."""
        first, second = state.texts("bodies")
        return cls(
            time_ns=state.integer("time_ns"),
            first=state.text("first"),
            second=state.text("second"),
            bodies=(numbers.get(first, WORLD), numbers.get(second, WORLD)),
            point=state.array("point", np.zeros(3)),
            normal=state.array("normal", np.zeros(3)),
            impulse=state.number("impulse"),
        )

    def renumbered(self, numbers: dict[int, int]) -> "Collision":
        """Return it with the numbers that its bodies have in another build."""
        first, second = (numbers.get(body, WORLD) for body in self.bodies)
        place = self.point, self.normal
        both = self.first, self.second
        return Collision(self.time_ns, *both, (first, second), *place, self.impulse)


class CollisionLog:
    """The last collisions, and their total number."""

    def __init__(self, assembly: Assembly, kept: int = 10_000) -> None:
        self._assembly = assembly
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

    def get_state(self) -> State:
        """Return what is kept."""
        kept, assembly = list(self._last), self._assembly
        return State(last=Later(lambda: [e.get_state(assembly) for e in kept]), total=self.total)

    def set_state(self, state: State) -> None:
        """Know the collisions that were."""
        self._last.clear()
        numbers = _numbers(self._assembly)
        self._last.extend(Collision.of(event, numbers) for event in state.parts("last"))
        self.total = state.integer("total")

    def take_over(self, other: "CollisionLog", new: dict[int, int]) -> None:
        """Know what another build has seen; ``new`` numbers of its bodies by theirs."""
        self._last.clear()
        self._last.extend(event.renumbered(new) for event in other._last)
        self.total = other.total


class CollisionWatch:
    """Turns contacts into events."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._engine = rig.engine
        self._touching: set[tuple[str, str]] = set()
        self._resting: frozenset[tuple[str, str]] = frozenset()  # they touch, too
        self._impacts: dict[tuple[str, str], Collision] = {}
        self._last: object = None
        self._bumped = False  # a tyre touched something in the last step
        self.always = False  # somebody reads the contacts of every step

    def get_state(self) -> State:
        """Return what touches, and the impacts that are not over."""
        impacts, touching, resting = self._impacts.values(), self._touching, self._resting
        return State(
            touching=Later(lambda: [list(pair) for pair in sorted(touching | resting)]),
            impacts=[impact.get_state(self._rig.assembly) for impact in impacts],
        )

    def set_state(self, state: State) -> None:
        """Know what touches already: it is no new collision."""
        self._touching, self._resting = set(state.pairs("touching")), frozenset()
        numbers = _numbers(self._rig.assembly)
        impacts = [Collision.of(impact, numbers) for impact in state.parts("impacts")]
        self._impacts = {(impact.first, impact.second): impact for impact in impacts}
        self._last = None
        self._engine.watch_contacts = bool(impacts) or self.always

    def take_over(self, other: "CollisionWatch", new: dict[int, int]) -> None:
        """Know what touches and which impacts last in another build."""
        self._touching, self._resting = other._touching | other._resting, frozenset()
        self._impacts = {pair: c.renumbered(new) for pair, c in other._impacts.items()}
        self._last = None
        self._engine.watch_contacts = bool(self._impacts) or self.always

    def update(self, now_ns: int) -> list[Collision]:
        """Return the collisions whose impact is over."""
        rows = self._engine.contact_rows()
        bumps = self._rig.bumped() if self._rig.tyres.bumped else []
        if rows is self._last and not bumps and not self._bumped and not self._impacts:
            return []
        self._last, self._bumped = rows, bool(bumps)
        pairs = self._touch(rows, now_ns) if len(rows) else set()
        if bumps:
            pairs |= self._touch(ContactRows.of(bumps), now_ns)
        over = [p for p, impact in self._impacts.items() if now_ns - impact.time_ns >= _IMPACT_NS]
        done = [self._impacts.pop(pair) for pair in over]
        self._touching = pairs | self._impacts.keys()
        self._resting = self._engine.resting
        self._engine.watch_contacts = bool(self._impacts) or self.always
        return done

    def _touch(self, rows: ContactRows, now_ns: int) -> set[tuple[str, str]]:
        """Add impulses to impacts that last, begin new ones, and return the pairs that touch."""
        pairs = set()
        for pair, row, impulses in rows.by_pair():
            pairs.add(pair)
            if pair not in self._impacts:
                if pair in self._touching or pair in self._resting:
                    continue
                self._impacts[pair] = _impact(rows, row, pair, now_ns)
            for impulse in impulses:
                self._impacts[pair].impulse += impulse
        return pairs


def _impact(rows: ContactRows, row: int, pair: tuple[str, str], now_ns: int) -> Collision:
    """Return a collision that begins with a contact; no impulse is added up yet."""
    first, second = rows.bodies[row].tolist()
    return Collision(
        time_ns=now_ns,
        first=pair[0],
        second=pair[1],
        bodies=(first, second),
        point=rows.points[row],
        normal=rows.normals[row],
        impulse=0.0,
    )


def _name(assembly: Assembly, body: int) -> str:
    return "" if body == WORLD else assembly.bodies[body].name


def _numbers(assembly: Assembly) -> dict[str, int]:
    return {body.name: i for i, body in enumerate(assembly.bodies)}


def renumbering(old: Assembly, new: Assembly) -> dict[int, int]:
    """Return the new numbers of bodies by their old ones, as far as they are still there."""
    numbers = _numbers(new)
    return {i: numbers[body.name] for i, body in enumerate(old.bodies) if body.name in numbers}
