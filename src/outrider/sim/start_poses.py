"""Whether robots and things are in free places: who is inside something is pushed out of it."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from outrider.core.errors import PlaceError
from outrider.core.process.interpreter import giving_way
from outrider.sim.falls import tell_of_a_void
from outrider.sim.free_places import Height, place_of, robot_advice, thing_advice
from outrider.sim.obstruction import (
    Obstruction,
    below_ground,
    free_models,
    moving_models,
    robot_in,
    robot_obstruction,
    wedged,
    wheels_inside,
)
from outrider.sim.rig import Rig
from outrider.sim.storeys import tell_of_a_floor_below
from outrider.sim.wedged import tell_of_wedged


@dataclass(frozen=True, slots=True, eq=False)
class _Misplaced:
    """A robot or thing in a place that is not free."""

    rig: Rig
    name: str
    inside: Obstruction
    height: Height

    def __str__(self) -> str:
        x, y, z = (np.round(place_of(self.rig, self.name), 4) + 0.0).tolist()  # no -0
        who = f"robot '{self.name}' would start" if self.is_robot else f"'{self.name}' would be"
        return f"{who} {self.inside} at x = {x:g}, y = {y:g}, z = {z:.3g}"

    @property
    def is_robot(self) -> bool:
        return self.name in self.rig.rows

    def advice(self) -> str:
        """Say where it would be free, in any thread."""
        rig = self.rig.trial()
        if not self.is_robot:
            return thing_advice(rig, self.name)
        vehicle = next(v for v in rig.vehicles if v.name == self.name)
        return robot_advice(rig, vehicle, self.height, self.inside)


class OccupiedError(PlaceError):
    """A place that is not free; to find one that is takes long, and is done beside the loop."""

    def __init__(self, found: _Misplaced) -> None:
        super().__init__(f"{found}; give it another pose")
        self._found = found

    def explained(self) -> PlaceError:
        """Return the error with the nearest free place, in any thread."""
        return PlaceError(f"{self._found}; {self._found.advice()}")


@contextmanager
def explaining() -> Iterator[None]:
    """Add to what is refused where the nearest free place is; not for the loop's own thread."""
    try:
        yield
    except OccupiedError as error:
        with giving_way():
            raise error.explained() from None


def check_starts(rig: Rig, names: Collection[str] | None = None, *, apart: bool = True) -> None:
    """Refuse a robot that stands inside something; with ``names`` only what those are part of.

    Things among the names must not be inside something either. Not ``apart``: those are only told
    of, as are those of a whole world, unless a robot is inside them.
    """
    found = _misplaced(rig, names, apart=apart)
    if found is not None:
        raise PlaceError(f"{found}; {found.advice()}")
    for vehicle, participant in zip(rig.vehicles, rig.participants, strict=True):
        if names is None or vehicle.name in names:
            tell_of_a_void(rig, vehicle)
            if participant.on_ground:
                tell_of_a_floor_below(rig, vehicle)
    if names is None or not apart:
        tell_of_wedged(rig, names)


def check_places(
    rig: Rig, names: Collection[str] | None, advice: str, height: Height | None = None
) -> None:
    """Refuse the same with an ``advice``: no free place is looked for, which takes long.

    ``height``: of robots that are not at their starts.
    """
    found = _misplaced(rig, names, height)
    if found is not None:
        raise PlaceError(f"{found}; {advice}")


def check_placed(rig: Rig, name: str, height: Height) -> None:
    """Refuse a robot or thing that is inside something in a trial."""
    found = _misplaced(rig, {name}, height)
    if found is not None:
        raise OccupiedError(found)


def check_meanwhile(rig: Rig, names: Collection[str], *, apart: bool = True) -> None:
    """Refuse a robot or thing into whose place something has moved since that was checked."""
    for vehicle in rig.vehicles:
        if vehicle.name in names and (inside := robot_in(rig, vehicle, still=False)):
            found: _Misplaced | None = _Misplaced(rig, vehicle.name, inside, "found")
            break
    else:
        found = _misplaced_thing(rig, names, apart=apart)
    if found is not None:
        raise PlaceError(f"{found}; that has moved there meanwhile: try again")


def _misplaced(
    rig: Rig, names: Collection[str] | None, height: Height | None = None, *, apart: bool = True
) -> _Misplaced | None:
    """Return the first robot or thing that is inside something, if any; robots come first."""
    for vehicle, participant in zip(rig.vehicles, rig.participants, strict=True):
        if names is not None and vehicle.name not in names:
            continue
        own: Height = height or ("found" if participant.on_ground else "given")
        inside = robot_obstruction(rig, vehicle, on_ground=own == "found")
        if inside is None and names is not None:
            inside = wheels_inside(rig, vehicle.name)
        if inside is not None:
            return _Misplaced(rig, vehicle.name, inside, own)
    return None if names is None else _misplaced_thing(rig, names, apart=apart)


def _misplaced_thing(rig: Rig, names: Collection[str], *, apart: bool) -> _Misplaced | None:
    """Return the first thing of some names that is inside a robot, or inside something else."""
    things = {name for name in names if name not in rig.rows}
    if not things:
        return None
    moving = moving_models(rig)
    for vehicle in rig.vehicles:
        if vehicle.name not in names:
            inside = robot_in(rig, vehicle, things, still=not things <= moving)
            if inside is not None:
                there = Obstruction(vehicle.name, inside.depth)
                return _Misplaced(rig, inside.name, there, "found")
    return _misplaced_among_things(rig, things, moving) if apart else None


def _misplaced_among_things(rig: Rig, things: set[str], moving: set[str]) -> _Misplaced | None:
    models, only = rig.assembly.models, None
    if len(things) == 1 and things <= moving:
        only = models.index(next(iter(things)))  # all others need not be looked at
    for name, other in wedged(rig, only).items():
        if name in things:
            return _Misplaced(rig, name, other, "found")
        if other.name in things:
            return _Misplaced(rig, other.name, Obstruction(name, other.depth), "found")
    for number, body in free_models(rig).items():
        below = below_ground(rig, body) if models[number] in things else None
        if below is not None:
            return _Misplaced(rig, models[number], below, "found")
    return None
