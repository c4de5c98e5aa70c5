"""A robot read from its two files, with its model prepared for tyres."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.specs.robot import SuspensionSpec
from outrider.vehicles.drivetrain import Drivetrain, make_drivetrain
from outrider.vehicles.robot_file import read_robot
from outrider.vehicles.spec import RobotSpec
from outrider.world.model import Inertial, Joint, Link, Model
from outrider.world.shapes import Cylinder


@dataclass(frozen=True, slots=True)
class WheelSize:
    """A wheel's own size, from its collision cylinder unless the tyre says otherwise."""

    radius: float
    width: float


@dataclass(frozen=True, slots=True, eq=False)
class Robot:
    """A robot: its file, its drivetrain, and a model without the wheels' own contact."""

    spec: RobotSpec
    drivetrain: Drivetrain
    model: Model
    wheels: dict[str, WheelSize]  # by the joint that turns it
    urdf: str  # the text, for robot_description

    def bare(self) -> "Robot":
        """Return the robot without the sensors of its file."""
        return replace(self, spec=replace(self.spec, sensors=()))


def load_robot(
    name_or_path: str | Path,
    args: dict[str, str] | None = None,
    search: tuple[str, ...] = (),
    robot: str = "",
) -> Robot:
    """Read a robot of the library by name, or a user's file by path, as `read_robot` does."""
    files = read_robot(name_or_path, args, search, robot)
    return make_robot(files.spec, files.model, files.urdf)


def make_robot(spec: RobotSpec, model: Model, urdf: str = "") -> Robot:
    """Check a spec against its model, and take the colliders away that tyres replace."""
    drivetrain = make_drivetrain(spec.drivetrain)
    robot = Robot(spec, drivetrain, model, {}, urdf)
    belted = {belt.sprocket for belt in drivetrain.belts}
    turned = [*(j for j in drivetrain.driven if j not in belted), *spec.idle_wheels]
    joints = {joint.name: joint for joint in model.joints}
    for name in (*turned, *belted, *drivetrain.steered, *spec.suspension):
        if name not in joints:
            raise ConfigError(
                f"{spec.name}: no joint '{name}' in {spec.urdf}{near_match(name, joints)}"
            )
    wheels = {name: _wheel_size(spec, model, joints[name]) for name in turned}
    bare = {link for name in (*turned, *belted) for link in model.fixed_to(joints[name].child)}
    bare |= {castor.link for castor in spec.castors} | {belt.link for belt in drivetrain.belts}
    links = tuple(
        replace(link, colliders=()) if link.name in bare else link for link in model.links
    )
    ready = replace(
        model, links=links, joints=tuple(_armed(spec, j, drivetrain) for j in model.joints)
    )
    for name, strut in spec.suspension.items():
        ready = _suspended(ready, name, strut)
    return replace(robot, model=ready, wheels=wheels)


def _wheel_size(spec: RobotSpec, model: Model, joint: Joint) -> WheelSize:
    sizes = [
        (g.shape, T_wheel_link @ g.pose)
        for link, T_wheel_link in model.fixed_to(joint.child).items()
        for g in model.link(link).colliders
        if isinstance(g.shape, Cylinder)
    ]
    radius, width = spec.tyre.radius, spec.tyre.width
    for shape, pose in sizes:
        along = matrix_from_quaternion(pose.rotation)[:, 2]
        if abs(float(along @ np.asarray(joint.axis))) > 0.99:
            radius, width = radius or shape.radius, width or shape.length
    if not radius or not width:
        raise ConfigError(
            f"{spec.name}: wheel '{joint.name}' has no collision cylinder along its axle; "
            "give one in the URDF, or tyre.radius and tyre.width"
        )
    return WheelSize(radius, width)


def _armed(spec: RobotSpec, joint: Joint, drivetrain: Drivetrain) -> Joint:
    if joint.name in drivetrain.driven:
        return replace(joint, armature=joint.armature + spec.motor.inertia)
    if joint.name in drivetrain.steered:
        return replace(joint, armature=joint.armature + spec.steering_motor.inertia)
    return joint


def _suspended(model: Model, wheel: str, strut: SuspensionSpec) -> Model:
    """Put a sliding strut between the chassis and a wheel; it takes a tenth of the wheel's mass."""
    joint = next(j for j in model.joints if j.name == wheel)
    link = model.link(joint.child)
    if link.inertial is None:
        raise ConfigError(f"suspension.{wheel}: the wheel needs a mass")
    mass, inertia = link.inertial.mass, link.inertial.inertia
    share = Link(f"{wheel}_strut", Inertial(0.1 * mass, 0.1 * inertia))
    lighter = replace(link, inertial=Inertial(0.9 * mass, 0.9 * inertia, link.inertial.pose))
    slide = Joint(
        f"{wheel}_suspension",
        "prismatic",
        joint.parent,
        share.name,
        joint.origin,
        (0.0, 0.0, 1.0),
        lower=0.0,
        upper=strut.travel,
        damping=strut.damping,
        stiffness=strut.stiffness,
        rest=-strut.preload / strut.stiffness,
    )
    carried = replace(joint, parent=share.name, origin=Pose())
    links = tuple(lighter if item is link else item for item in model.links)
    joints = tuple(carried if item is joint else item for item in model.joints)
    return replace(model, links=(*links, share), joints=(*joints, slide))
