"""How joints without a motor of their own are held: turrets, arms, lifts.

A controller of speed within one of angle. It must be stable for what the joint moves when all else
is free, when it carries everything behind it, and when that end lies on the ground and the rest of
the robot swings.
"""

from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.specs.robot import MotorSpec
from outrider.world.assembly import Assembly

HOLD_RATE = 25.0  # 1/s: of the angle's controller
_GAIN = 100.0  # 1/s: of the speed's
_LIGHT = 3.0  # how much more it may carry than it moves at once, for the full gain
_MARGIN = 0.5  # of the largest stable integral, by Routh's rule


@dataclass(frozen=True, slots=True)
class Moved:
    """What a joint moves at its zero, in kg or kg m^2."""

    at_once: float  # with all other joints free
    carried: float  # with all behind it stiff, the rest held
    rest: float  # with all behind it held


def holding(moved: Moved) -> MotorSpec:
    """Return a motor that holds a joint still."""
    gain = _GAIN * min(moved.carried, _LIGHT * moved.at_once)
    slack = HOLD_RATE * max(moved.carried, moved.rest) / gain - 1.0
    integral = HOLD_RATE if slack <= _MARGIN else HOLD_RATE * _MARGIN / slack
    return MotorSpec(1e12, 1e9, gain=gain, integral=gain * integral)


def moved_by(assembly: Assembly, joint: int) -> Moved:
    """Return what one joint of a robot moves."""
    row = assembly.joints[joint].child
    poses = _poses(assembly, row)
    joints = [j for j, held in enumerate(assembly.joints) if held.child in poses]
    behind = {j: _behind(assembly, assembly.joints[j].child) for j in joints}
    whole, rest = np.zeros((6 + len(joints), 6 + len(joints))), 0.0
    for number, pose in poses.items():
        inertial = assembly.bodies[number].inertial
        centre = pose @ inertial.pose
        axes = matrix_from_quaternion(centre.rotation)
        inertia = axes @ inertial.inertia @ axes.T
        ways = [_way(assembly, j, poses, centre.position) for j in joints]
        own = ways[joints.index(joint)]
        columns = [w if number in behind[j] else 0 * w for j, w in zip(joints, ways, strict=True)]
        jacobian = np.column_stack([_free(centre.position), *columns])
        mass = np.block(
            [[inertial.mass * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), inertia]]
        )
        whole += jacobian.T @ mass @ jacobian
        rest += 0.0 if number in behind[joint] else float(own @ mass @ own)
    whole[range(6, len(whole)), range(6, len(whole))] += [
        assembly.joints[j].joint.armature for j in joints
    ]
    place = 6 + joints.index(joint)
    at_once = 1.0 / float(np.linalg.inv(whole)[place, place])
    return Moved(at_once, float(whole[place, place]), rest)


def _poses(assembly: Assembly, row: int) -> dict[int, Pose]:
    """Return where all bodies of a robot are, seen from its root, joints at zero."""
    poses: dict[int, Pose] = {}
    for number, body in enumerate(assembly.bodies):
        if body.model == assembly.bodies[row].model:
            poses[number] = poses[body.parent] @ body.pose if body.parent in poses else Pose()
    return poses


def _behind(assembly: Assembly, child: int) -> set[int]:
    """Return a body and all that it carries."""
    found = {child}
    for number, body in enumerate(assembly.bodies):  # parents come first
        if body.parent in found:
            found.add(number)
    return found


def _way(assembly: Assembly, joint: int, poses: dict[int, Pose], point: Array) -> Array:
    """Return the velocity and spin that a joint gives to what is at a point."""
    own = assembly.joints[joint]
    pose = poses[own.child]
    axis = matrix_from_quaternion(pose.rotation) @ np.asarray(own.joint.axis)
    if own.joint.kind == "prismatic":
        return np.concatenate([axis, np.zeros(3)])
    return np.concatenate([np.cross(axis, point - pose.position), axis])


def _free(point: Array) -> Array:
    """Return the same for the six ways in which the robot's root is free."""
    turning = np.cross(np.eye(3), point).T
    return np.block([[np.eye(3), turning], [np.zeros((3, 3)), np.eye(3)]])
