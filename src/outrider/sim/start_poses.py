"""Whether robots start in free places: who starts inside something would be thrown out of it."""

import math
from collections.abc import Container, Iterator
from dataclasses import dataclass, replace

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose, yaw_of
from outrider.scene.free_place import intrusion
from outrider.scene.ground_pose import stands_evenly
from outrider.scene.roof import house_around
from outrider.sim.falls import tell_of_a_void
from outrider.sim.rig import Participant, Rig
from outrider.sim.standing import stand
from outrider.sim.storeys import tell_of_a_floor_below
from outrider.sim.sunk_wheels import sunk_wheels
from outrider.sim.wedged import TOLERATED, steps_aside, tell_of_wedged
from outrider.vehicles.vehicle import Vehicle
from outrider.world.assembly import WORLD

_HEADROOM = 0.5  # m: a robot's own frame may be a little below the ground
_STOREY = 1.5  # m: a place so much higher is another one
_CLOSE = 0.01  # m of a told place in something else: it is to be free for sure
_STILL = np.zeros(3)


@dataclass(frozen=True, slots=True)
class Obstruction:
    """What a robot would start inside (or below), and how far; 0: that is not known."""

    name: str
    depth: float
    where: str = "inside"

    def __str__(self) -> str:
        far = f"{self.depth:.2f} m " if self.depth else ""
        return f"{far}{self.where} '{self.name}'"


def check_starts(rig: Rig, names: Container[str] | None = None, *, advice: str = "") -> None:
    """Refuse a robot that stands inside something; with ``names`` only what those are part of.

    With an ``advice`` no free place is looked for, which takes long, and nothing else is told.
    """
    pairs = list(zip(rig.vehicles, rig.participants, strict=True))
    pairs.sort(key=lambda pair: names is not None and pair[0].name not in names)
    for vehicle, participant in pairs:
        found = _obstruction(rig, vehicle, participant, names)
        if found is not None:
            said = _said(rig, vehicle, found)
            raise ConfigError(f"{said}; {advice or _advice(rig, vehicle, participant)}")
        if not advice and (names is None or vehicle.name in names):
            tell_of_a_void(rig, vehicle)
            if participant.on_ground:
                tell_of_a_floor_below(rig, vehicle)
    if not advice:
        tell_of_wedged(rig, names)


def check_meanwhile(rig: Rig, names: Container[str]) -> None:
    """Refuse a robot into whose place something has moved since the starts were checked."""
    for vehicle in sorted(rig.vehicles, key=lambda vehicle: vehicle.name not in names):
        found = _deepest_overlap(rig, vehicle, names)
        found = found or _sunk(rig, vehicle, names, still=False)
        if found is not None:
            said = _said(rig, vehicle, found)
            raise ConfigError(f"{said}; that has moved there meanwhile: try again")


def _said(rig: Rig, vehicle: Vehicle, found: Obstruction) -> str:
    x, y, z = rig.engine.state.bodies[vehicle.root]["position"].tolist()
    return f"robot '{vehicle.name}' would start {found} at x = {x:g}, y = {y:g}, z = {z:.3g}"


def _obstruction(
    rig: Rig,
    vehicle: Vehicle,
    participant: Participant,
    names: Container[str] | None,
    *,
    strict: bool = False,
) -> Obstruction | None:
    """Return what a robot is inside of as all stands now, if anything; ``strict``: by a little."""
    body = rig.engine.state.bodies[vehicle.root]
    if not np.isfinite(body["position"]).all():
        return None
    found = _deepest_overlap(rig, vehicle, names, _CLOSE if strict else TOLERATED)
    found = found or _sunk(rig, vehicle, names, most=TOLERATED if strict else None)
    if found is not None or (names is not None and vehicle.name not in names):
        return found
    pose = Pose(body["position"].copy(), body["rotation"].copy())
    _, footprint = rig.rows[vehicle.name].stance
    name, depth = intrusion(rig.scene, pose, footprint)
    if name:
        return Obstruction(name, depth)
    if not participant.on_ground:
        return _ground_above(rig, pose, vehicle)
    house = house_around(rig.scene, *pose.position.tolist())
    return Obstruction(house, 0.0) if house else None


def _sunk(
    rig: Rig,
    vehicle: Vehicle,
    names: Container[str] | None,
    *,
    still: bool = True,
    most: float | None = None,
) -> Obstruction | None:
    """Return what a robot's wheels, which engines do not collide, are deepest inside of."""
    among = None if names is None or vehicle.name in names else names
    sunk = sunk_wheels(rig.scene, rig.engine.state, vehicle.tyres, among, still=still, most=most)
    return Obstruction(*sunk) if sunk[0] else None


def _ground_above(rig: Rig, pose: Pose, vehicle: Vehicle) -> Obstruction | None:
    """Return the ground, if it is above a robot (its hubs, if it has wheels) with nothing below."""
    place = pose.position[None, :2]
    highest = float(rig.scene.ground_below(place)[0])
    hubs = rig.rows[vehicle.name].wheels.hubs
    top = float(pose.apply(hubs)[:, 2].max()) if len(hubs) else pose.position[2] + _HEADROOM
    below = rig.scene.ground_below(place, float(top))
    if math.isnan(highest) or np.isfinite(below).all():
        return None
    return Obstruction("ground", highest - float(pose.position[2]), "below")


def _deepest_overlap(
    rig: Rig, vehicle: Vehicle, names: Container[str] | None, least: float = TOLERATED
) -> Obstruction | None:
    """Return the other body that a robot's own bodies are deepest inside of."""
    assembly, deepest = rig.assembly, None
    own = assembly.bodies[vehicle.root].model
    for overlap in rig.engine.overlaps(least):
        sides = [(overlap.first, overlap.first_name), (overlap.second, overlap.second_name)]
        models = [WORLD if body == WORLD else assembly.bodies[body].model for body, _ in sides]
        if own not in models or models[0] == models[1]:
            continue
        other = 1 - models.index(own)
        name = sides[other][1] if models[other] == WORLD else assembly.models[models[other]]
        if names is not None and vehicle.name not in names and name not in names:
            continue
        if deepest is None or overlap.depth > deepest.depth:
            deepest = Obstruction(name, overlap.depth)
    return deepest


def _advice(rig: Rig, vehicle: Vehicle, participant: Participant) -> str:
    """Say where it would be free; the rig is not used any more after this."""
    standing = replace(participant, on_ground=True)
    others = [other for other in rig.vehicles if other is not vehicle]
    height, footprint = rig.rows[vehicle.name].stance
    second = ""  # free as well, but it would come to rest a little lower or leaning
    for pose in _places_around(rig, vehicle):
        rig.engine.place(vehicle.root, pose, _STILL, _STILL)
        if _obstruction(rig, vehicle, standing, None, strict=True) is not None:
            continue
        own = {vehicle.name}
        if any(_obstruction(rig, other, standing, own, strict=True) for other in others):
            continue
        x, y = pose.position[:2].tolist()
        without = "" if participant.on_ground else ", without a z"
        said = f"the nearest free place is x = {x:.2f}, y = {y:.2f}{without}"
        if stands_evenly(rig.scene, pose, footprint, height):
            return said
        second = second or said
    return second or "give it another pose"


def _places_around(rig: Rig, vehicle: Vehicle) -> Iterator[Pose]:
    """Yield places on the ground, from where the robot is outward, with the same heading.

    Not on what is above it: who is in the wall of a house does not mean the roof.
    """
    body = rig.engine.state.bodies[vehicle.root]
    start, yaw = body["position"].copy(), yaw_of(body["rotation"])
    rows = rig.rows[vehicle.name]
    for aside in steps_aside():
        asked = Pose.from_rpy(np.round(start + aside, 2), [0.0, 0.0, yaw])  # as it is told
        x, y = asked.position[:2].tolist()
        if not np.isfinite(rig.scene.ground_below(np.array([[x, y]]))).all():
            continue
        found = stand(rig.scene, rows, asked)
        under = rig.scene.ground_below(np.array([[x, y]]), float(start[2]) + _HEADROOM)
        if found.position[2] < start[2] + _STOREY or not np.isfinite(under).all():
            yield found
