"""Where people want to go: along waypoints, or to places that they draw."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.actors.spec import Area
from outrider.actors.surroundings import Surroundings
from outrider.actors.walking import RELAXATION_S, WalkerMotion
from outrider.core.frames import Array

_NEAR = 0.4  # m from a waypoint, to turn to the next
_THERE = 0.15  # m from where one stays
_BRAKING_S = 0.8  # of the way to where one stays
_LONGEST_REST_S = 5.0
_TRIES = 8  # of a place to go to; then they stay for a moment
_HEIGHTS = (0.4, 1.1)  # m above the ground: nothing may be in the way there
_SIDES = (-0.35, 0.0, 0.35)  # m beside the way


@dataclass(slots=True)
class WalkingGoals:
    """What people are up to: waypoints by number, or targets; until when they rest."""

    number: NDArray[np.int64]
    target: Array  # (n, 2)
    until_s: Array

    @classmethod
    def of(cls, places: Array) -> "WalkingGoals":
        """Return those of people who want to be where they are."""
        return cls(np.zeros(len(places), np.int64), places.copy(), np.zeros(len(places)))


def along_points(
    points: Array, loop: bool, motion: WalkerMotion, aims: WalkingGoals, speeds: Array
) -> Array:
    """Return the velocities of people who go from point to point; at the last they may stay."""
    last = (aims.number == len(points) - 1) & (not loop)
    distance = _lengths(points[aims.number] - motion.place)
    reached = (distance < _NEAR) & ~last
    aims.number = (aims.number + reached) % len(points)
    aims.target = points[aims.number]
    return _towards(motion, aims.target, speeds, staying=last)


def about_area(
    area: Area,
    motion: WalkerMotion,
    aims: WalkingGoals,
    speeds: Array,
    around: Surroundings,
    random: np.random.Generator,
) -> Array:
    """Return the velocities of people who stroll: to a place in sight, a rest, and on."""
    distance = _lengths(aims.target - motion.place)
    late = around.time_s > aims.until_s
    for i in np.flatnonzero(late & (distance < _NEAR) & (aims.number == 1)).tolist():
        aims.number[i] = 0  # it is there, and rests
        aims.until_s[i] = around.time_s + random.uniform(0.0, _LONGEST_REST_S)
    for i in np.flatnonzero(late & (aims.number == 0) & (around.time_s > aims.until_s)).tolist():
        _set_out(i, area, motion, aims, around, random)
    walking = aims.number == 1
    velocity = _towards(motion, aims.target, speeds, staying=walking)
    velocity[~walking] = 0.0
    return velocity


def _set_out(
    i: int,
    area: Area,
    motion: WalkerMotion,
    aims: WalkingGoals,
    around: Surroundings,
    random: np.random.Generator,
) -> None:
    """Draw places until there is one that can be seen, or rest for a second more."""
    for _ in range(_TRIES):
        share = random.uniform(-0.5, 0.5, 2)
        target = np.array(area.centre) + share * np.array(area.size)
        if _in_sight(motion.place[i], float(motion.height[i]), target, around):
            aims.number[i], aims.target[i] = 1, target
            return
    aims.until_s[i] = around.time_s + 1.0


def _in_sight(place: Array, height: float, target: Array, around: Surroundings) -> bool:
    """Return whether one can walk straight to a place: there is ground, and nothing before it."""
    there = float(around.ground(target[None], np.array([height + 3.0]))[0])
    way = target - place
    length = float(np.hypot(*way))
    if np.isnan(there) or length < 1.0:
        return False
    left = np.array([-way[1], way[0], 0.0]) / length
    start = np.array([*place, height])
    origins = np.array([start + side * left + [0, 0, eye] for eye in _HEIGHTS for side in _SIDES])
    climb = np.array([*way, there - height])
    far = float(np.linalg.norm(climb))
    rays = np.tile(climb / far, (len(origins), 1))
    distances, _ = around.feelers(origins, rays, np.full(len(origins), far))
    return bool(np.isinf(distances).all())


def _towards(
    motion: WalkerMotion, targets: Array, speeds: Array, staying: NDArray[np.bool_]
) -> Array:
    """Return velocities towards targets; those who stay there slow down."""
    way = targets - motion.place
    distance = np.maximum(_lengths(way), 1e-9)
    slow = np.where(distance < _THERE, 0.0, distance / (_BRAKING_S + RELAXATION_S))
    speed = np.where(staying, np.minimum(speeds, slow), speeds)
    velocity: Array = way * (speed / distance)[:, None]
    return velocity


def _lengths(vectors: Array) -> Array:
    lengths: Array = np.hypot(vectors[:, 0], vectors[:, 1])
    return lengths
