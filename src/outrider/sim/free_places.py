"""The nearest place where a robot or a thing would be inside of nothing.

Places are tried out in a rig that is there for trials.
"""

import math
from collections.abc import Iterator
from typing import Literal, TypeAlias

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion, yaw_of
from outrider.scene.ground_pose import stands_evenly
from outrider.sim.obstruction import (
    GROUND,
    HEADROOM,
    UPRIGHT,
    Obstruction,
    has_bodies,
    middle_of,
    robot_obstruction,
    thing_obstruction,
    wheels_inside,
)
from outrider.sim.rig import Rig
from outrider.sim.standing import stand
from outrider.vehicles.vehicle import Vehicle
from outrider.world.state import Placement

# how a robot's height is given: not at all, by a z that may be left out, or always
Height: TypeAlias = Literal["found", "given", "needed"]

# m: up to 0.5, 1.5, 3, 6 and 14
_RINGS = np.cumsum([0.0, *[0.05] * 10, *[0.1] * 10, *[0.25] * 6, *[0.5] * 6, *[1.0] * 8]).tolist()
_WAYS = 16  # on each ring around it where a free place is looked for
_LIFTS = (0.1, 0.25, 0.5, 1.0, 2.0)  # m above a place where nothing else is free
_STOREY = 1.5  # m: a place so much higher is another one
_CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], bool)
_MARGIN = 1.3  # of a footprint: with its wheels' middles at an edge a robot tips over it
_STILL = np.zeros(3)


def robot_advice(rig: Rig, vehicle: Vehicle, height: Height, inside: Obstruction) -> str:
    """Say where a robot would be free that is inside something."""
    clearance, (length, width) = rig.rows[vehicle.name].stance
    footprint = (_MARGIN * length, _MARGIN * width)
    second = ""  # free as well, but it would come to rest a little lower or leaning
    rise = inside.depth if inside.name == GROUND else 0.0
    for pose in _places(rig, vehicle, height, rise):
        rig.places.place(vehicle.root, pose, _STILL, _STILL)
        on_ground = height != "needed"
        if robot_obstruction(rig, vehicle, on_ground=on_ground, strict=True) is not None:
            continue
        if wheels_inside(rig, vehicle.name, strict=True) is not None:
            continue
        said = _said(pose.position, with_z=height == "needed")
        said += ", without a z" if height == "given" else ""
        if height == "needed" or stands_evenly(rig.scene, pose, footprint, clearance):
            return said
        second = second or said
    return second or "give it another pose"


def thing_advice(rig: Rig, name: str) -> str:
    """Say where an object or model would be free; out of the ground it has to be higher."""
    for place in _thing_places(rig, name):
        found = thing_obstruction(rig, name, strict=True)
        if found is None:
            return _said(place, with_z=False)
        if found.name == GROUND:
            higher = _lifted(rig, name, place)
            if thing_obstruction(rig, name, strict=True) is None:
                return _said(higher, with_z=True)
    return "give it another pose"


def _said(position: Array, *, with_z: bool) -> str:
    x, y, z = (np.round(position, 2) + 0.0).tolist()  # no -0.00
    return f"the nearest free place is x = {x:.2f}, y = {y:.2f}" + (f", z = {z:.2f}" * with_z)


def _steps_aside() -> Iterator[Array]:
    """Yield ways to go from a place that is not free, the shortest first."""
    for radius in _RINGS:
        for way in range(_WAYS if radius else 1):
            angle = 2 * math.pi * way / _WAYS
            yield radius * np.array([math.cos(angle), math.sin(angle), 0.0])


def _places(rig: Rig, vehicle: Vehicle, height: Height, rise: float) -> Iterator[Pose]:
    """Yield places from where the robot is outward, with the same heading, as they are told.

    Who needs a height keeps how it is turned, at the height that was asked for, out of the ground
    by a ``rise``, or on the ground.
    """
    body = rig.places.state.bodies[vehicle.root]
    start, rotation = body["position"].copy(), body["rotation"].copy()
    turned = (
        matrix_from_quaternion(rotation)[2, 2] < UPRIGHT
    )  # elsewhere it may dip into the ground
    rise = max(rise, _LIFTS[0]) if turned else rise
    out = np.array([0.0, 0.0, math.ceil(rise * 100.0) / 100.0])
    for aside in _steps_aside():
        asked = np.round(start + aside, 2)
        if height == "needed":
            yield Pose(asked, rotation)
        if height == "needed" and rise:
            yield Pose(np.round(asked + out, 2), rotation)
        found = _standing(rig, vehicle, asked, yaw_of(rotation), float(start[2]))
        if found is not None and height == "needed":
            high = math.ceil(float(found.position[2]) * 100.0) / 100.0
            yield Pose(np.array([*asked[:2], high]), rotation)
        elif found is not None:
            yield found
    if height == "needed":  # who lies on its back does not stand anywhere
        for lift in _LIFTS:
            yield Pose(np.round(start + out + np.array([0.0, 0.0, lift]), 2), rotation)


def _standing(rig: Rig, vehicle: Vehicle, asked: Array, yaw: float, level: float) -> Pose | None:
    """Return the pose of a robot on the ground at a place, if there is one.

    Not on what is above it: who is in the wall of a house does not mean the roof.
    """
    place = asked[None, :2]
    if not np.isfinite(rig.scene.ground_below(place)).all():
        return None
    found = stand(rig.scene, rig.rows[vehicle.name], Pose.from_rpy(asked, [0.0, 0.0, yaw]))
    under = rig.scene.ground_below(place, level + HEADROOM)
    lower = found.position[2] < level + _STOREY or not np.isfinite(under).all()
    return found if lower else None


def _thing_places(rig: Rig, name: str) -> Iterator[Array]:
    """Put a thing from where it is outward; yield where.

    What cannot be put elsewhere stays, and all that moves goes the other way instead.
    """
    root = _root(rig, name)
    if root is None:
        yield from _places_beside_all(rig, name)
        return
    row = rig.places.state.bodies[root]
    start, rotation = row["position"].copy(), row["rotation"].copy()
    for aside in _steps_aside():
        place = np.array([*np.round(start[:2] + aside[:2], 2), start[2]])
        rig.places.place(root, Pose(place, rotation), _STILL, _STILL)
        yield place


def _root(rig: Rig, name: str) -> int | None:
    """Return the body by which a model can be put elsewhere, if there is one."""
    if not has_bodies(rig, name):
        return None
    root = rig.assembly.root(name)
    return root if rig.assembly.bodies[root].joint < 0 else None


def _places_beside_all(rig: Rig, name: str) -> Iterator[Array]:
    """Yield where a thing that stands still is, seen from all others, which are moved instead."""
    bodies = rig.assembly.bodies
    roots = [i for i, body in enumerate(bodies) if body.joint < 0 and body.mobility == "dynamic"]
    numbers, rows = np.array(roots, np.intp), rig.places.state.bodies[roots].copy()
    start, before = place_of(rig, name), rows["position"].copy()
    for aside in _steps_aside():
        place = np.array([*np.round(start[:2] + aside[:2], 2), start[2]])
        rows["position"] = before - (place - start)
        rig.places.place_all(Placement(numbers, rows))
        yield place


def place_of(rig: Rig, name: str) -> Array:
    """Return where a model is, in the state or, if it never moves, in the world."""
    if has_bodies(rig, name):
        position: Array = rig.places.state.bodies[rig.assembly.root(name)]["position"].copy()
        return position
    models = {model.name: model for model in rig.assembly.world.models}
    return models[name].pose.position.copy() if name in models else np.zeros(3)


def _lifted(rig: Rig, name: str, place: Array) -> Array:
    """Put a thing that is in the ground at a place onto it; return where that is."""
    root = rig.assembly.root(name)
    rotation = rig.places.state.bodies[root]["rotation"].copy()
    ground = float(rig.scene.ground_below(middle_of(rig, root)[None])[0])  # not below its frame
    rows = rig.scene.mover_rows[rig.scene.mover_rows["body"] == root]
    corners = np.where(_CORNERS[None], rows["high"][:, None], rows["low"][:, None]).reshape(-1, 3)
    lowest = float((corners @ matrix_from_quaternion(rotation).T)[:, 2].min(initial=0.0))
    higher = np.array([*place[:2], math.ceil((ground - lowest) * 100.0) / 100.0])
    rig.places.place(root, Pose(higher, rotation), _STILL, _STILL)
    return higher
