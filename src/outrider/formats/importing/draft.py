"""A first robot file for a model that has none: which joints drive and steer, and with what.

What a plugin says is taken. The rest is guessed from the model: wheels from their shape and axle,
tyres and motors from weight and size by the rules that the library's robots follow.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from outrider.core.structure import plain
from outrider.formats.gazebo.plugins import Drive
from outrider.formats.gazebo.surface import Surface
from outrider.formats.importing.wheels import Wheel, castors, find_wheels
from outrider.formats.notes import Notes
from outrider.specs.sensor import SensorEntry
from outrider.world.model import Joint, Model

_GRAVITY = 9.81
_GRIP = 0.8
_SAG = 0.015  # of the radius, under the robot's own weight
_DAMPING_RATIO = 0.25
_SKID = 1.5  # effective over geometric track of four-wheeled robots (Jackal's own figure)
_POWER_PER_KG = 27.0  # W: 500 W on a Jackal


def draft_robot(
    model: Model,
    drive: Drive | None,
    surfaces: Mapping[str, Surface],
    sensors: Sequence[SensorEntry],
    notes: Notes,
) -> tuple[Model, dict[str, Any] | None]:
    """Return the data of a robot file, and the model with all wheels turning the same way."""
    named = () if drive is None else (*drive.left, *drive.right)
    wheels = find_wheels(model, named)
    drivetrain = _drivetrain(wheels, drive, notes) if wheels else None
    if drivetrain is None:
        notes.add(
            "guessed", f"'{model.name}' has no wheels on both sides: it is no robot that drives"
        )
        return model, None
    model = _facing_forward(model, wheels, notes)
    rolling = _castors(model, wheels, surfaces)
    data: dict[str, Any] = {
        "name": model.name,
        "description": f"drafted from the description of '{model.name}'",
        "urdf": "",
        "drivetrain": drivetrain,
        **_parts(model, wheels, drive, len(wheels) + len(rolling)),
    }
    idle = [w.joint for w in wheels if w.joint not in _driven(drivetrain)]
    if idle:
        data["idle_wheels"] = idle
    if rolling:
        data["castors"] = rolling
    data |= _limits(drive) | _topics(drive)
    if sensors:
        data["sensors"] = [plain(entry) for entry in sensors]
    notes.add("guessed", "tyres, motors and brakes: from weight and size; see the robot's file")
    return model, data


def _driven(drivetrain: Mapping[str, Any]) -> list[str]:
    return [name for key in ("left", "right", "driven") for name in drivetrain.get(key, [])]


def _drivetrain(
    wheels: Sequence[Wheel], drive: Drive | None, notes: Notes
) -> dict[str, Any] | None:
    steered = [wheel for wheel in wheels if wheel.steering]
    if len(steered) >= 2:
        return _ackermann(wheels, steered, drive, notes)
    named = set() if drive is None else {*drive.left, *drive.right}
    rolling = [
        w for w in wheels if not w.steering and not w.swivels and (not named or w.joint in named)
    ]
    left = [w for w in rolling if w.y > 0]
    right = [w for w in rolling if w.y < 0]
    if not left or not right:
        return None
    track = _mean(w.y for w in left) - _mean(w.y for w in right)
    skids = len({round(w.x, 3) for w in rolling}) > 1
    if not named:
        notes.add("guessed", f"the drive: differential, by the places of {len(rolling)} wheels")
    if skids:
        notes.add("guessed", f"the effective track: {_SKID:g} times the geometric one")
    return {
        "type": "differential",
        "left": [w.joint for w in left],
        "right": [w.joint for w in right],
        "track": (drive.separation if drive else 0.0) or track,
        "track_multiplier": _SKID if skids else 1.0,
        "wheel_radius": (drive.radius if drive else 0.0) or rolling[0].radius,
    }


def _ackermann(
    wheels: Sequence[Wheel], steered: Sequence[Wheel], drive: Drive | None, notes: Notes
) -> dict[str, Any] | None:
    straight = [w for w in wheels if not w.steering and not w.swivels]
    if len(steered) != 2 or len(straight) < 2:
        return None
    left, right = sorted(steered, key=lambda w: -w.y)
    wheelbase = abs(_mean(w.x for w in steered) - _mean(w.x for w in straight))
    drive_track = max(w.y for w in straight) - min(w.y for w in straight)
    if wheelbase <= 0 or left.y <= right.y or drive_track <= 0:
        return None
    limit = min(left.steering_limit, right.steering_limit, 1.5)
    notes.add("guessed", "the drive: a car, steered by the joints that carry its wheels")
    return {
        "type": "ackermann",
        "driven": [w.joint for w in straight],
        "steer_left": left.steering,
        "steer_right": right.steering,
        "wheelbase": (drive.wheelbase if drive else 0.0) or wheelbase,
        "steer_track": left.y - right.y,
        "drive_track": drive_track,
        "wheel_radius": (drive.radius if drive else 0.0) or straight[0].radius,
        "max_steering_rad": (drive.steering_limit if drive else 0.0) or limit,
    }


def _parts(model: Model, wheels: Sequence[Wheel], drive: Drive | None, feet: int) -> dict[str, Any]:
    mass = sum(link.inertial.mass for link in model.links if link.inertial)
    radius, width = wheels[0].radius, wheels[0].width
    share = max(mass / max(feet, 1), 1e-3)
    stiffness = share * _GRAVITY / (_SAG * radius)
    torque = (drive.torque if drive else 0.0) or 2 * _GRIP * share * _GRAVITY * radius
    tyre = {
        "stiffness": stiffness,
        "damping": 2 * _DAMPING_RATIO * math.sqrt(stiffness * share),
        "bristle_stiffness": 2 * stiffness,
        "bristle_damping": 2 * _DAMPING_RATIO * math.sqrt(2 * stiffness * share),
        "relaxation_length": radius / 2,
    }
    if not all(wheel.cylinder for wheel in wheels):
        tyre |= {"radius": radius, "width": width}
    motor = {
        "power_w": max(_POWER_PER_KG * share, 1.0),
        "torque_nm": torque,
        "gain": 1.2 * torque,
        "integral": 12 * torque,
        "time_constant_s": 0.05,
        "inertia": share * radius**2 / 2,
        "brake_nm": torque / 2,
    }
    return {"tyre": _rounded(tyre), "motor": _rounded(motor)}


def _castors(
    model: Model, wheels: Sequence[Wheel], surfaces: Mapping[str, Surface]
) -> list[dict[str, Any]]:
    slippery = {name for name, surface in surfaces.items() if surface.mu == 0}
    return [
        {"link": link, "radius": radius}
        for link, radius in castors(model, wheels, slippery).items()
    ]


def _limits(drive: Drive | None) -> dict[str, Any]:
    if drive is None:
        return {}
    names = ("speed", "acceleration", "yaw_rate", "yaw_acceleration")
    told = {name: getattr(drive, name) for name in names if getattr(drive, name)}
    return {"limits": told} if told else {}


def _topics(drive: Drive | None) -> dict[str, Any]:
    if drive is None:
        return {}
    told = {"cmd_vel": drive.command_topic, "odometry": drive.odometry_topic}
    topics = {key: name for key, name in told.items() if name}
    found: dict[str, Any] = {"topics": topics} if topics else {}
    if drive.base_frame:
        found["odometry"] = {"child_frame": drive.base_frame}
    return found


def _facing_forward(model: Model, wheels: Sequence[Wheel], notes: Notes) -> Model:
    """Turn axles round that point to the right: forward must be positive for every wheel."""
    backward = {wheel.joint for wheel in wheels if wheel.backward}
    if not backward:
        return model
    notes.add("applied", f"the axle was turned round of {', '.join(sorted(backward))}")
    joints = tuple(_turned_round(j) if j.name in backward else j for j in model.joints)
    return replace(model, joints=joints)


def _turned_round(joint: Joint) -> Joint:
    """Return the same joint that counts the other way."""
    x, y, z = (-value for value in joint.axis)
    return replace(joint, axis=(x, y, z), lower=-joint.upper, upper=-joint.lower, rest=-joint.rest)


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: float(f"{value:.3g}") for name, value in values.items()}


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)
