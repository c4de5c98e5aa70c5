"""What a sensor's own part of the world touches: blows since the last look, and contacts now."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.physics.engine import Contact
from outrider.sensors.site import Site
from outrider.world.assembly import WORLD


class Blow(Protocol):
    """A collision event of the simulation; the normal points from the first to the second."""

    time_ns: int
    first: str
    second: str
    bodies: tuple[int, int]
    point: Array
    normal: Array
    impulse: float


class BlowLog(Protocol):
    """The simulation's record of collisions."""

    total: int

    def since(self, seen: int) -> Sequence[Blow]:
        """Return what came after the first ``seen`` ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """One contact, seen from the sensor's side: the normal points from it to the other thing."""

    time_ns: int
    own: str
    other: str
    point: Array  # in the world
    normal: Array
    impulse: float  # N s


class ContactFeed:
    """Picks the contacts of the sensor's model (or of a static one) out of all."""

    def __init__(self, site: Site, parts: tuple[str, ...]) -> None:
        """``parts`` are names of links, or of static models; empty takes the whole robot."""
        if site.body == WORLD and not parts:
            raise ConfigError(f"sensor '{site.name}' stands in the world: say which parts it feels")
        self._site = site
        self._parts = parts
        self.reset()

    def reset(self) -> None:
        """Forget what was seen."""
        self._seen = 0
        self._last: list[Contact] | None = None
        self._now: list[Touch] = []

    def news(self) -> list[Touch]:
        """Return the blows that were reported since the last call."""
        log: BlowLog = self._site.contacts
        fresh = log.since(self._seen)
        self._seen = log.total
        return self._own(
            (b.bodies, Touch(b.time_ns, b.first, b.second, b.point, b.normal, b.impulse))
            for b in fresh
        )

    def now(self) -> list[Touch]:
        """Return what is touched now; the same list for as long as nothing changes."""
        contacts = self._site.touching()
        if contacts is not self._last:
            self._last = contacts
            now_ns = self._site.state.time_ns
            self._now = self._own(
                (
                    (c.first, c.second),
                    Touch(now_ns, c.first_name, c.second_name, c.point, c.normal, c.impulse),
                )
                for c in contacts
            )
        return self._now

    def _own(self, touches: Iterable[tuple[tuple[int, int], Touch]]) -> list[Touch]:
        """Keep the contacts that have one side here, and turn them so that it is the first."""
        found = []
        for (first, second), t in touches:
            if self._is_own(first, t.own):
                found.append(t)
            elif self._is_own(second, t.other):
                found.append(Touch(t.time_ns, t.other, t.own, t.point, -t.normal, t.impulse))
        return found

    def _is_own(self, body: int, name: str) -> bool:
        if body == WORLD or self._site.body == WORLD:
            return body == self._site.body and name in self._parts
        if self._site.scene.assembly.bodies[body].model != self._site.model:
            return False
        return not self._parts or name.rpartition("/")[2] in self._parts
