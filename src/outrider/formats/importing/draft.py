"""A first robot file for a model that has none: which joints drive and steer, and with what.

What a plugin says is taken. The rest is guessed from the model: wheels from their shape and axle,
tyres and motors from weight and size by the rules that the library's robots follow.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from outrider.core.errors import near_match
from outrider.core.structure import Data, plain
from outrider.formats.gazebo.plugins import DriveFigures
from outrider.formats.gazebo.sensors import STEPS_HZ
from outrider.formats.importing.clearance import with_room
from outrider.formats.importing.wheels import (
    WheelJoint,
    castors,
    crosswise_wheels,
    find_wheels,
    shared_axles,
)
from outrider.formats.notes import Notes
from outrider.specs.robot import Limits, MotorSpec, TyreSpec
from outrider.specs.robot_figures import (
    effective_track,
    motor_figures,
    rounded,
    steering_motor_figures,
    tyre_figures,
)
from outrider.specs.sensor import LOWEST_RATE_HZ, SensorEntry
from outrider.world.model import Joint, Model

_LEAST_KG = 1e-3  # on a wheel of a model without masses


def draft_robot(
    model: Model,
    drive: DriveFigures | None,
    sensors: Sequence[SensorEntry],
    notes: Notes,
    topics: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Model, Data | None]:
    """Return the data of a robot file, and the model with all wheels turning the same way."""
    drive = _with_joints_that_are_there(model, drive or DriveFigures(), notes)
    wheels = find_wheels(model, (*drive.left, *drive.right))
    wheels, rolling, drive = with_room(model, wheels, castors(model, wheels), drive, notes)
    drivetrain = _drivetrain(wheels, drive, notes, _centre_of_mass(model))
    if drivetrain is None:
        notes.add("guessed", f"'{model.name}' {why_not_driving(model)}: it is not a driving robot")
        return model, None
    model = _facing_forward(model, wheels, notes)
    driven = _driven(drivetrain)
    model = _without_drag(model, driven, notes)
    mass = sum(link.inertial.mass for link in model.links if link.inertial)
    data: Data = {
        "name": model.name,
        "urdf": "",
        "drivetrain": drivetrain,
        "description": f"drafted from the description of '{model.name}'",
        "tyre": _tyre(max(mass / (len(wheels) + len(rolling)), _LEAST_KG), wheels),
        "motor": motor_figures(max(mass / len(driven), _LEAST_KG), wheels[0].radius, drive.torque),
    }
    if drivetrain["type"] == "ackermann":
        data["steering_motor"] = _servo(model, wheels, mass / len(wheels))
    told = {
        "idle_wheels": [w.joint for w in wheels if w.joint not in driven],
        "castors": rolling,
        "limits": plain(_limits(drive, drivetrain)),
        "command_timeout_s": drive.command_timeout,
        "odometry": _odometry(drive),
        "sensors": sensors,
        "topics": {**topics, **_topics(drive)},
        "rates": _rates(drive, notes),
    }
    notes.add("guessed", "tyres, motors and brakes: from weight and size; see the robot's file")
    return model, plain(data | {name: value for name, value in told.items() if value})


def _with_joints_that_are_there(model: Model, drive: DriveFigures, notes: Notes) -> DriveFigures:
    """Return what a plugin says; without its wheels, with a note, if one is no joint."""
    known = [joint.name for joint in model.joints]
    absent = [name for name in (*drive.left, *drive.right) if name not in known]
    if not absent:
        return drive
    names = ", ".join(f"'{name}'{near_match(name, known)}" for name in absent[:4])
    notes.add("guessed", f"the drive plugin names joints that '{model.name}' lacks: {names}")
    return replace(drive, left=(), right=())


def why_not_driving(model: Model) -> str:
    """Return why a model is no robot, and what would make it one that can be told."""
    if axles := shared_axles(model):
        names = ", ".join(f"'{name}'" for name in axles[:4])
        return (
            f"turns wheels on both sides with one joint ({names}) and robots have one for each; "
            "give each wheel a link and a joint of its own"
        )
    crosswise = crosswise_wheels(model)
    if len(crosswise) < 2:
        return "has no wheels on both sides"
    names = ", ".join(f"'{name}'" for name in crosswise[:4])
    return (
        f"looks along y (its wheels {names} turn about x) and robots look along x; "
        "turn it by 90 degrees about z below a root link of its own"
    )


def _limits(drive: DriveFigures, drivetrain: Data) -> Limits:
    """Return the limits; those of the wheels hold for driving straight and for turning in place."""
    wheels = drive.wheel_acceleration
    apart = drivetrain.get("track", 0.0) * drivetrain.get("track_multiplier", 1.0)
    turning = 2.0 * wheels / apart if drivetrain["type"] == "differential" else 0.0
    return Limits(
        drive.speed,
        drive.acceleration or wheels,
        drive.yaw_rate,
        drive.yaw_acceleration or rounded(turning, 4),
    )


def _odometry(drive: DriveFigures) -> Data:
    told: Data = {"frame": drive.odometry_frame, "child_frame": drive.base_frame}
    silent = {} if drive.publish_tf else {"publish_tf": False}
    return {key: name for key, name in told.items() if name} | silent


def _rates(drive: DriveFigures, notes: Notes) -> Data:
    """Return how often odometry comes, as far as a run's usual steps allow."""
    rate = drive.odometry_hz
    if rate > STEPS_HZ:
        notes.add("guessed", f"odometry: {rate:g} Hz were lowered to {STEPS_HZ:g}, a run's steps")
    return {"odometry": min(max(rate, LOWEST_RATE_HZ), STEPS_HZ)} if rate else {}


def _driven(drivetrain: Data) -> list[str]:
    return [name for key in ("left", "right", "driven") for name in drivetrain.get(key, [])]


def _drivetrain(
    wheels: Sequence[WheelJoint], drive: DriveFigures, notes: Notes, centre_of_mass: float | None
) -> Data | None:
    steered = [wheel for wheel in wheels if wheel.steering]
    if len(steered) >= 2:
        return _ackermann(wheels, steered, drive, notes)
    return _differential(wheels, drive, notes, centre_of_mass)


def _differential(
    wheels: Sequence[WheelJoint], drive: DriveFigures, notes: Notes, centre_of_mass: float | None
) -> Data | None:
    named = {*drive.left, *drive.right}
    rolling = [
        w for w in wheels if not w.steering and not w.swivels and (not named or w.joint in named)
    ]
    left = [w for w in rolling if w.y > 0]
    right = [w for w in rolling if w.y < 0]
    if not left or not right:
        return None
    if not named:
        notes.add(
            "guessed", f"the drivetrain: differential, from the positions of {len(rolling)} wheels"
        )
    geometric = _mean(w.y for w in left) - _mean(w.y for w in right)
    track = drive.separation or geometric
    multiplier = drive.track_multiplier
    if not multiplier:
        effective = effective_track([w.x for w in rolling], geometric, centre_of_mass)
        multiplier = rounded(effective / track, 4)
        if len({round(w.x, 3) for w in rolling}) > 1:
            notes.add("guessed", f"the effective track: {multiplier:g} times {track:.4g} m")
    return {
        "type": "differential",
        "left": [w.joint for w in left],
        "right": [w.joint for w in right],
        "track": track,
        "track_multiplier": multiplier,
        "wheel_radius": drive.radius or rolling[0].radius,
    }


def _ackermann(
    wheels: Sequence[WheelJoint], steered: Sequence[WheelJoint], drive: DriveFigures, notes: Notes
) -> Data | None:
    straight = [w for w in wheels if not w.steering and not w.swivels]
    if len(steered) != 2 or len(straight) < 2:
        return None
    left, right = sorted(steered, key=lambda w: -w.y)
    wheelbase = abs(_mean(w.x for w in steered) - _mean(w.x for w in straight))
    drive_track = max(w.y for w in straight) - min(w.y for w in straight)
    if wheelbase <= 0 or left.y <= right.y or drive_track <= 0:
        return None
    limit = min(left.steering_limit, right.steering_limit, 1.5)
    notes.add("guessed", "the drivetrain: a car, steered by the joints that carry its wheels")
    return {
        "type": "ackermann",
        "driven": [w.joint for w in straight],
        "steer_left": left.steering,
        "steer_right": right.steering,
        "wheelbase": drive.wheelbase or wheelbase,
        "steer_track": left.y - right.y,
        "drive_track": drive_track,
        "wheel_radius": drive.radius or straight[0].radius,
        "max_steering_rad": drive.steering_limit or limit,
    }


def _centre_of_mass(model: Model) -> float | None:
    """Return the x of a model's centre of mass in its root link, joints at zero."""
    poses = model.link_poses()
    masses = [
        (k.inertial.mass, (poses[k.name] @ k.inertial.pose).position[0])
        for k in model.links
        if k.inertial
    ]
    total = sum(mass for mass, _ in masses)
    return float(sum(mass * x for mass, x in masses) / total) if total > 0 else None


def _tyre(load: float, wheels: Sequence[WheelJoint]) -> TyreSpec:
    tyre = tyre_figures(load, wheels[0].radius)
    if all(wheel.cylinder for wheel in wheels):
        return tyre
    return replace(tyre, radius=rounded(wheels[0].radius), width=rounded(wheels[0].width))


def _servo(model: Model, wheels: Sequence[WheelJoint], load: float) -> MotorSpec:
    steered = next(wheel for wheel in wheels if wheel.steering)
    child = next(joint.child for joint in model.joints if joint.name == steered.joint)
    masses = [model.link(name).inertial for name in model.fixed_to(child)]
    wheel_kg = sum(inertial.mass for inertial in masses if inertial) or _LEAST_KG
    return steering_motor_figures(max(load, _LEAST_KG), steered.width, wheel_kg)


def _topics(drive: DriveFigures) -> dict[str, str]:
    told = {"cmd_vel": drive.command_topic, "odometry": drive.odometry_topic}
    return {key: name for key, name in told.items() if name}


def _facing_forward(model: Model, wheels: Sequence[WheelJoint], notes: Notes) -> Model:
    """Turn axles round that point to the right: forward must be positive for every wheel."""
    backward = {wheel.joint for wheel in wheels if wheel.backward}
    if not backward:
        return model
    notes.add("applied", f"the axle direction was reversed for {', '.join(sorted(backward))}")
    joints = tuple(_reversed(j) if j.name in backward else j for j in model.joints)
    return replace(model, joints=joints)


def _without_drag(model: Model, driven: Sequence[str], notes: Notes) -> Model:
    """Take damping and friction off driven joints: they are part of the drafted motors.

    What brakes a wheel inside the engine is not seen by the tyres, which look a step ahead.
    """
    slow = {j.name for j in model.joints if j.name in driven and (j.damping or j.friction)}
    if not slow:
        return model
    notes.add(
        "applied", f"the motors replace the damping and friction of {', '.join(sorted(slow))}"
    )
    free = (replace(j, damping=0.0, friction=0.0) if j.name in slow else j for j in model.joints)
    return replace(model, joints=tuple(free))


def _reversed(joint: Joint) -> Joint:
    """Return the same joint that counts the other way."""
    x, y, z = (-value for value in joint.axis)
    return replace(joint, axis=(x, y, z), lower=-joint.upper, upper=-joint.lower, rest=-joint.rest)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)
