"""What a robot or a thing is inside of, as all stands now."""

import math
from collections.abc import Container, Iterator
from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.physics.push_out import DEEP
from outrider.scene.free_place import intrusion
from outrider.scene.roof import house_around
from outrider.sim.rig import Rig
from outrider.sim.sunk_wheels import sunk_wheels
from outrider.vehicles.vehicle import Vehicle
from outrider.world.assembly import WORLD

TOLERATED = DEEP  # m of two bodies in one another that their contact takes back gently
CLOSE = 1e-3  # m of a told place in something else: it is to be free for sure
HEADROOM = 0.5  # m: a robot's own frame may be a little below the ground
UPRIGHT = 0.5  # cosine of a lean up to which a robot's footprint lies on what it stands on
GROUND = "ground"  # things on a slope dip a corner into it
_THICK = 1.0  # m above a middle where the ground may end


@dataclass(frozen=True, slots=True)
class Obstruction:
    """What a robot or thing would be inside (or below), and how far; 0: that is not known."""

    name: str
    depth: float
    where: str = "inside"

    def __str__(self) -> str:
        far = f"{self.depth:.2f} m " if self.depth else ""
        return f"{far}{self.where} '{self.name}'"


def robot_obstruction(
    rig: Rig, vehicle: Vehicle, *, on_ground: bool, strict: bool = False
) -> Obstruction | None:
    """Return what a robot is inside of, if anything; ``strict``: by a little.

    ``on_ground``: its height is not given but found.
    """
    body = rig.places.state.bodies[vehicle.root]
    if not np.isfinite(body["position"]).all():
        return None
    found = robot_in(rig, vehicle, strict=strict)
    if found is not None:
        return found
    pose = Pose(body["position"].copy(), body["rotation"].copy())
    found = _in_footprint(rig, vehicle, pose)
    if found is not None:
        return found
    if not on_ground:
        return _ground_above(rig, pose.position, _top(rig, vehicle, pose))
    house = house_around(rig.scene, *pose.position.tolist())
    return Obstruction(house, 0.0) if house else None


def robot_in(
    rig: Rig,
    vehicle: Vehicle,
    among: Container[str] | None = None,
    *,
    still: bool = True,
    strict: bool = False,
) -> Obstruction | None:
    """Return what a robot's bodies, or else its wheels, are deepest inside of.

    ``among``: only things of these names count; not ``still``: only what moves is looked at for
    wheels, which engines do not collide.
    """
    own = rig.assembly.bodies[vehicle.root].model
    found = _others(rig, own, vehicle.name, CLOSE if strict else TOLERATED)
    deepest = _deepest([one for one in found if among is None or one.name in among])
    return deepest or _sunk(rig, vehicle, among, still=still, strict=strict)


def _sunk(
    rig: Rig, vehicle: Vehicle, among: Container[str] | None, *, still: bool, strict: bool
) -> Obstruction | None:
    most = TOLERATED if strict else None
    state = rig.places.state
    found = sunk_wheels(rig.scene, state, vehicle.tyres, among, still=still, most=most)
    return Obstruction(*found) if found[0] else None


def wheels_inside(rig: Rig, name: str, *, strict: bool = False) -> Obstruction | None:
    """Return the robot whose wheels are deepest inside a robot or thing of this name."""
    still, found = not has_bodies(rig, name), []
    for vehicle in rig.vehicles:
        own = vehicle.name != name and _sunk(rig, vehicle, {name}, still=still, strict=strict)
        if own:
            found.append(Obstruction(vehicle.name, own.depth))
    return _deepest(found)


def thing_obstruction(rig: Rig, name: str, *, strict: bool = False) -> Obstruction | None:
    """Return what an object or model is inside of, if one of both would be pushed out."""
    own = rig.assembly.models.index(name) if has_bodies(rig, name) else WORLD
    free = free_models(rig)
    loose = {rig.assembly.models[number] for number in free}
    loose |= {vehicle.name for vehicle in rig.vehicles}
    buried = own in free and is_buried(rig, free[own])
    found = [
        one
        for one in _others(rig, own, name, CLOSE if strict else TOLERATED)
        if one.name in loose or (own in free and (one.name != GROUND or buried))
    ]
    inside = _deepest(found) or wheels_inside(rig, name, strict=strict)
    return inside or (below_ground(rig, free[own]) if own in free else None)


def wedged(rig: Rig, model: int | None = None) -> dict[str, Obstruction]:
    """Return what each free model is deepest inside of; of two free ones only one is named.

    With a ``model``'s number only what that one takes part in.
    """
    found: dict[str, Obstruction] = {}
    free = free_models(rig)
    loose = {rig.assembly.models[number] for number in free}
    for depth, numbers, names in _named_overlaps(rig, TOLERATED, model) if free else ():
        for own, other in ((0, 1), (1, 0)):
            told_already = names[other] in found and names[other] in loose
            if numbers[own] not in free or told_already:
                continue
            if names[other] == GROUND and not is_buried(rig, free[numbers[own]]):
                continue
            if names[own] not in found or depth > found[names[own]].depth:
                found[names[own]] = Obstruction(names[other], depth)
    return found


def below_ground(rig: Rig, body: int) -> Obstruction | None:
    """Return the ground, if it is above a thing with nothing below."""
    middle = middle_of(rig, body)
    return _ground_above(rig, middle, float(middle[2]) + TOLERATED)


def moving_models(rig: Rig) -> set[str]:
    """Return the names of the models that have bodies, which engines move."""
    return {rig.assembly.models[body.model] for body in rig.assembly.bodies}


def has_bodies(rig: Rig, name: str) -> bool:
    """Tell whether a model has bodies that an engine moves."""
    return name in moving_models(rig)


def free_models(rig: Rig) -> dict[int, int]:
    """Return the models that nothing holds, other than robots, with their first bodies."""
    robots = {rig.assembly.bodies[vehicle.root].model for vehicle in rig.vehicles}
    return {
        body.model: number
        for number, body in enumerate(rig.assembly.bodies)
        if body.joint < 0 and body.mobility == "dynamic" and body.model not in robots
    }


def is_buried(rig: Rig, body: int) -> bool:
    """Tell whether a thing's middle is below the ground; what is less deep comes up by itself."""
    middle = middle_of(rig, body)
    ground = rig.scene.ground_below(middle[None], float(middle[2]) + _THICK)
    return bool(ground[0] > middle[2] + TOLERATED)


def middle_of(rig: Rig, body: int) -> Array:
    """Return where a thing's centre of mass is: its own frame may be at its foot."""
    row = rig.places.state.bodies[body]
    pose = Pose(row["position"].copy(), row["rotation"].copy())
    middle: Array = pose.apply(rig.assembly.bodies[body].inertial.pose.position[None])[0]
    return middle


def _named_overlaps(
    rig: Rig, least: float, model: int | None = None
) -> Iterator[tuple[float, list[int], list[str]]]:
    """Yield how deep what is inside what, with the numbers (or WORLD) and names of the models."""
    assembly = rig.assembly
    for overlap in rig.places.overlaps(least, model):
        bodies = overlap.first, overlap.second
        numbers = [WORLD if body == WORLD else assembly.bodies[body].model for body in bodies]
        told = overlap.first_name, overlap.second_name
        names = [
            name if number == WORLD else assembly.models[number]
            for number, name in zip(numbers, told, strict=True)
        ]
        if numbers[0] != numbers[1]:
            yield overlap.depth, numbers, names


def _others(rig: Rig, own: int, name: str, least: float) -> list[Obstruction]:
    """Return what a model (or, with the number WORLD, what stands still by a name) is inside of."""
    found = []
    for depth, numbers, names in _named_overlaps(rig, least, None if own == WORLD else own):
        if own not in numbers:
            continue
        mine = numbers.index(own)
        if names[mine] == name:
            found.append(Obstruction(names[1 - mine], depth))
    return found


def _deepest(found: list[Obstruction]) -> Obstruction | None:
    return max(found, key=lambda one: one.depth, default=None)


def _in_footprint(rig: Rig, vehicle: Vehicle, pose: Pose) -> Obstruction | None:
    """Return what stands in a robot's footprint, unless it lies on its side or back."""
    if matrix_from_quaternion(pose.rotation)[2, 2] < UPRIGHT:
        return None
    _, footprint = rig.rows[vehicle.name].stance
    name, depth = intrusion(rig.scene, pose, footprint)
    return Obstruction(name, depth) if name else None


def _ground_above(rig: Rig, position: Array, top: float) -> Obstruction | None:
    """Return the ground, if it is above a place, and nothing is below its top."""
    place = position[None, :2]
    highest = float(rig.scene.ground_below(place)[0])
    below = rig.scene.ground_below(place, top)
    if math.isnan(highest) or np.isfinite(below).all():
        return None
    return Obstruction(GROUND, highest - float(position[2]), "below")


def _top(rig: Rig, vehicle: Vehicle, pose: Pose) -> float:
    """Return a height that the ground below a robot cannot reach: that of its highest hub."""
    hubs = rig.rows[vehicle.name].wheels.hubs
    return float(pose.apply(hubs)[:, 2].max() if len(hubs) else pose.position[2] + HEADROOM)
