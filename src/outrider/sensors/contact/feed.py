"""Contacts of a sensor's own parts: impacts since the last reading, and current contacts."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Array
from outrider.core.state import State
from outrider.physics.engine import Contact
from outrider.sensors.site import Site
from outrider.world.assembly import WORLD

_MOST_NAMES = 10  # of a world's things in an error


@dataclass(frozen=True, slots=True, eq=False)
class FeltContact:
    """One contact, seen from the sensor's side: the normal points from it to the other body."""

    time_ns: int
    own: str
    other: str
    point: Array  # in the world
    normal: Array
    impulse: float  # N s


NO_TOUCH = FeltContact(0, "", "", np.zeros(3), np.zeros(3), 0.0)  # what one looks like


class ContactFeed:
    """Picks the contacts of the sensor's model (or of a static one) out of all."""

    def __init__(self, site: Site, parts: tuple[str, ...]) -> None:
        """``parts`` are names of links, or of static models; empty takes the whole robot."""
        if site.body == WORLD and not parts:
            raise ConfigError(
                f"sensor '{site.name}' is in the world: give the parts whose contacts count"
            )
        if site.vehicle is None:
            _check_things(site, parts)
        else:
            site.check_links(parts, "parts")
        self._site = site
        self._parts = parts
        self._seen = 0
        self._contacts: list[Contact] | None = None
        self.last: list[FeltContact] = []  # what ``now`` said last

    def get_state(self) -> State:
        """Return the stored contacts, and whether they are still current."""
        return State(
            seen=self._seen,
            current=self._contacts is self._site.touching(),
            now=[State.of(touch) for touch in self.last],
        )

    def set_state(self, state: State) -> None:
        """Look only at what is new since."""
        self._seen = state.integer("seen")
        self._contacts = self._site.touching() if state.flag("current") else None
        self.last = [touch.record(NO_TOUCH) for touch in state.parts("now")]

    def news(self) -> list[FeltContact]:
        """Return the impacts that were reported since the last call."""
        log = self._site.contacts
        if log is None:
            return []
        fresh = log.since(self._seen)
        self._seen = log.total
        return self._own(
            (b.bodies, FeltContact(b.time_ns, b.first, b.second, b.point, b.normal, b.impulse))
            for b in fresh
        )

    def now(self) -> list[FeltContact]:
        """Return what is touched now; the same list for as long as nothing changes."""
        contacts = self._site.touching()
        if contacts is not self._contacts:
            self._contacts = contacts
            now_ns = self._site.state.time_ns
            self.last = self._own(
                (
                    (c.first, c.second),
                    FeltContact(now_ns, c.first_name, c.second_name, c.point, c.normal, c.impulse),
                )
                for c in contacts
            )
        return self.last

    def _own(self, touches: Iterable[tuple[tuple[int, int], FeltContact]]) -> list[FeltContact]:
        """Keep the contacts that have one side here, and turn them so that it is the first."""
        found = []
        for (first, second), t in touches:
            if self._is_own(first, t.own):
                found.append(t)
            elif self._is_own(second, t.other):
                found.append(FeltContact(t.time_ns, t.other, t.own, t.point, -t.normal, t.impulse))
        return found

    def _is_own(self, body: int, name: str) -> bool:
        if body == WORLD or self._site.body == WORLD:
            return body == self._site.body and name in self._parts
        if self._site.scene.assembly.bodies[body].model != self._site.model:
            return False
        return not self._parts or name.rpartition("/")[2] in self._parts


def _check_things(site: Site, parts: tuple[str, ...]) -> None:
    """Refuse parts that nothing fixed in the world is called: such a sensor would feel nothing."""
    known = [part.name for part in site.scene.assembly.static]
    more = f" and {len(known) - _MOST_NAMES} more" if len(known) > _MOST_NAMES else ""
    there = f"{', '.join(known[:_MOST_NAMES]) or 'none'}{more}"
    for part in parts:
        if part not in known:
            raise ConfigError(
                f"sensor '{site.name}' is in the world: parts: nothing fixed there is called"
                f" '{part}'{near_match(part, known)}; there are: {there}"
            )
