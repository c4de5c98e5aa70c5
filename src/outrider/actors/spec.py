"""The key ``actors`` of worlds and scenarios, as frozen dataclasses."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from outrider.core.errors import ConfigError
from outrider.core.plain_name import check_plain
from outrider.core.structure import number

Point: TypeAlias = tuple[float, float]
RGB: TypeAlias = tuple[float, float, float]
_MOST_ACTORS, _MOST_POINTS = 1000, 2000
_MOST_STOPS = 500  # where the cars of their lanes look in every step
_FARTHEST, _LONGEST = 1e5, 1e5  # m
Manners: TypeAlias = Literal["avoid", "ignore"]


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the ground, with its sides along x and y."""

    centre: Point = (0.0, 0.0)
    size: Point = (20.0, 20.0)


@dataclass(frozen=True, slots=True)
class PersonSpec:
    """People who walk from point to point, or wander in an area; several share one entry.

    With ``times`` they are at the points exactly then, whatever is in their way.
    """

    type: Literal["person"] = "person"
    name: str = "person"  # several are numbered from 1
    count: int = number(1, least=1, most=500)
    points: tuple[Point, ...] = ()  # waypoints, or ...
    area: Area | None = None  # ... where they wander
    times: tuple[float, ...] = ()  # s, one for each point; empty: by their speed
    loop: bool = True  # back to the first point after the last
    speed: float = number(1.3, above=0.0, most=12.0)
    robots: Manners = "avoid"  # whether they walk around robots
    start_s: float = number(0.0, least=0.0)
    height: float = number(1.75, least=0.5, most=2.5)  # m; several differ by a few centimetres
    colour: RGB | None = None  # of the jacket; None: random


@dataclass(frozen=True, slots=True)
class StopSpec:
    """A stop line across a lane, at its point nearest to x, y: a stop sign, or a traffic light."""

    x: float
    y: float
    wait_s: float = number(2.0, least=0.0)  # s to wait at a stop sign
    red_s: float = number(0.0, least=0.0)  # above 0: a traffic light, green first ...
    green_s: float = number(20.0, least=0.0)
    offset_s: float = 0.0  # ... this long before the start


@dataclass(frozen=True, slots=True)
class CarSpec:
    """Cars on a lane: they keep their distance, stop at stop lines, and give way at crossings."""

    type: Literal["car"] = "car"
    name: str = "car"  # several are numbered from 1
    count: int = number(1, least=1, most=200)
    points: tuple[Point, ...] = ()  # the centre of the lane; corners are rounded
    loop: bool = True  # on to the first point after the last
    speed: float = number(8.0, above=0.0, most=24.0)  # m/s, the limit
    speeds: tuple[float, ...] = ()  # limits per leg instead
    stops: tuple[StopSpec, ...] = ()
    robots: Manners = "avoid"  # whether they stop for robots
    start_s: float = number(0.0, least=0.0)
    colour: RGB | None = None  # None: random


@dataclass(frozen=True, slots=True)
class HerdSpec:
    """Animals that keep together in an area and run from robots."""

    type: Literal["herd"] = "herd"
    name: str = "sheep"  # numbered from 1
    animal: Literal["sheep"] = "sheep"
    count: int = number(10, least=1, most=300)
    area: Area = Area()
    speed: float = number(0.5, above=0.0, most=5.0)
    flight_speed: float = number(3.0, above=0.0, most=15.0)
    flight_distance: float = number(6.0, above=0.0, most=100.0)  # m from a robot
    robots: Manners = "avoid"
    start_s: float = number(0.0, least=0.0)


ActorSpec: TypeAlias = PersonSpec | CarSpec | HerdSpec


def actor_names(spec: ActorSpec) -> list[str]:
    """Return the names of the models of one entry."""
    if spec.count == 1:
        return [spec.name]
    return [f"{spec.name}_{number}" for number in range(1, spec.count + 1)]


def check_actors(actors: tuple[ActorSpec, ...], where: str) -> None:
    """Refuse entries that make no sense, each with one sentence."""
    taken: set[str] = set()
    _check_sums(actors, where)
    for number_, spec in enumerate(actors):
        here = f"{where}: actors.{number_}"
        check_plain(f"{here}.name:", spec.name)
        for complaint in _complaints(spec):
            raise ConfigError(f"{here}{complaint}")
        for name in actor_names(spec):
            if name in taken:
                raise ConfigError(f"{here}.name: two actors have the name '{name}'")
            taken.add(name)


def _check_sums(actors: tuple[ActorSpec, ...], where: str) -> None:
    """Refuse more than a computer can move."""
    count = sum(spec.count for spec in actors)
    if count > _MOST_ACTORS:
        raise ConfigError(f"{where}: actors: expected {_MOST_ACTORS} at most, got {count}")
    points = sum(len(spec.points) for spec in actors if isinstance(spec, CarSpec))
    if points > _MOST_POINTS:
        raise ConfigError(
            f"{where}: actors: expected lanes with {_MOST_POINTS} points together at most,"
            f" got {points}"
        )
    stops = sum(len(spec.stops) for spec in actors if isinstance(spec, CarSpec))
    if stops > _MOST_STOPS:
        raise ConfigError(
            f"{where}: actors: expected {_MOST_STOPS} stops together at most, got {stops}"
        )


def _complaints(spec: ActorSpec) -> Iterator[str]:
    if not spec.name or "/" in spec.name:
        yield f".name: expected a name without '/', got '{spec.name}'"
    match spec:
        case PersonSpec():
            yield from _of_points(spec.points)
            yield from _of_person(spec)
        case CarSpec():
            yield from _of_points(spec.points)
            yield from _of_car(spec)
        case HerdSpec():
            yield from _of_area(spec.area)


def _of_person(spec: PersonSpec) -> Iterator[str]:
    if bool(spec.points) == (spec.area is not None):
        yield f": '{spec.name}' needs either 'points' or an 'area'"
    if spec.area is not None:
        yield from _of_area(spec.area)
    if not spec.times:
        return
    if len(spec.times) != len(spec.points):
        yield f".times: expected one for each of {len(spec.points)} points, got {len(spec.times)}"
    if any(b <= a for a, b in pairwise(spec.times)):
        yield ".times: expected each later than the one before"
    if spec.count > 1:
        yield ".times: only one person can have them: count is above 1"


def _of_points(points: tuple[Point, ...]) -> Iterator[str]:
    if len(points) > _MOST_POINTS:
        yield f".points: expected {_MOST_POINTS} at most, got {len(points)}"
    for number_, point in enumerate(points):
        if not max(map(abs, point)) <= _FARTHEST:
            yield (
                f".points.{number_}: expected a place within {_FARTHEST:g} m of the origin,"
                f" got {list(point)}"
            )


def _of_car(spec: CarSpec) -> Iterator[str]:
    if len(set(spec.points)) < 2:
        yield f".points: '{spec.name}' needs at least two different points"
    length = sum(math.dist(*leg) for leg in pairwise(spec.points))
    if length > _LONGEST:
        yield f".points: expected a lane of {_LONGEST:g} m at most, got {length:g} m"
    legs = len(spec.points) - (not spec.loop)
    if spec.speeds and len(spec.speeds) != legs:
        yield f".speeds: expected one for each of {legs} legs, got {len(spec.speeds)}"
    if any(speed <= 0.0 for speed in spec.speeds):
        yield ".speeds: expected speeds above 0"


def _of_area(area: Area) -> Iterator[str]:
    if not max(*map(abs, area.centre), *area.size) <= _FARTHEST:
        yield f".area: expected one within {_FARTHEST:g} m of the origin"
    if min(area.size) <= 0.0:
        yield f".area.size: expected two lengths above 0, got {list(area.size)}"
