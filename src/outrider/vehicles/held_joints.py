"""How joints without a motor of their own are held: turrets, arms, lifts.

A controller of speed within one of angle. It must be stable for what the joint moves when all else
is free, when it carries everything behind it, when that end lies on the ground and the rest of the
robot swings, and beside the controllers of other joints, whose torques it learns of a step late.
The integral takes on the weight behind the joint, its friction and its spring, and no more: who
stands on an arm or a gun is propped up by a spring and a damper, which no lever makes swing for
ever.
"""

import math
from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.specs.robot import MotorSpec
from outrider.world.assembly import Assembly
from outrider.world.model import Joint
from outrider.world.state import WorldState

HOLD_RATE = 25.0  # 1/s: of the angle's controller
_GAIN = 100.0  # 1/s: of the speed's
_LIGHT = 3.0  # how much more it may carry than it moves at once, for the full gain
_TOGETHER = 6.0  # of the gain that makes joints swing that pull at each other, three quarters
_MARGIN = 0.5  # of the largest stable integral, by Routh's rule
_SPARE = 2.0  # how much more the integral pushes at most than it has to
_LEAST = 1e-6  # N or N m, of what is balanced


@dataclass(frozen=True, slots=True)
class Moved:
    """What a joint moves at its zero, in kg or kg m^2."""

    at_once: float  # with all other joints free
    carried: float  # with all behind it stiff, the rest held
    rest: float  # with all behind it held
    resists: float  # N or N m, the most that weight, friction and a spring do
    coupled: float = 1.0  # how much faster it moves if all joints push at once, each its own way


def holding(moved: Moved) -> MotorSpec:
    """Return a motor that holds a joint still."""
    light = min(_LIGHT, _TOGETHER / max(1e-9, 3.0 * moved.coupled - 4.0))
    gain = _GAIN * min(moved.carried, light * moved.at_once)
    slack = HOLD_RATE * max(moved.carried, moved.rest) / gain - 1.0
    integral = HOLD_RATE if slack <= _MARGIN else HOLD_RATE * _MARGIN / slack
    most = max(_LEAST, _SPARE * moved.resists)
    return MotorSpec(1e12, 1e9, gain=gain, integral=gain * integral, brake_nm=most)


def moved_by_joints(assembly: Assembly, root: int) -> dict[int, Moved]:
    """Return what the joints of a robot move, by their numbers.

    Twists are a velocity and a spin, of what is at the origin of the robot's root, its root free.
    """
    poses = _poses(assembly, root)
    carried = _carried(assembly, poses)
    joints = [j for j, held in enumerate(assembly.joints) if held.child in poses]
    column = {assembly.joints[j].child: n for n, j in enumerate(joints)}
    twists = np.array([_twist(assembly, j, poses) for j in joints]).reshape(-1, 6)
    behind = np.array([carried[child] for child in column]).reshape(-1, 6, 6)
    momenta = np.einsum("nij,nj->ni", behind, twists)
    whole = np.zeros((6 + len(joints), 6 + len(joints)))
    whole[:6, :6], whole[6:, :6], whole[:6, 6:] = carried[root], momenta, momenta.T
    for child, n in column.items():
        body = child
        while body in poses:
            if body in column:
                m = column[body]
                whole[6 + n, 6 + m] = whole[6 + m, 6 + n] = twists[m] @ momenta[n]
            body = assembly.bodies[body].parent
    armature = [assembly.joints[j].joint.armature for j in joints]
    own = np.arange(6, 6 + len(joints))
    whole[own, own] += armature
    inverse = np.linalg.inv(whole)[6:, 6:]
    at_once = 1.0 / np.diag(inverse)
    coupled = np.abs(inverse) @ np.sqrt(at_once) * np.sqrt(at_once)
    rest = np.einsum("ni,nij,nj->n", twists, carried[root] - behind, twists)
    gravity = float(np.linalg.norm(assembly.world.gravity))
    resists = gravity * np.linalg.norm(momenta[:, :3], axis=1)
    resists += [_friction_and_spring(assembly.joints[j].joint) for j in joints]
    figures = np.column_stack([at_once, whole[own, own], rest, resists, coupled]).tolist()
    return {joint: Moved(*row) for joint, row in zip(joints, figures, strict=True)}


def held_torque(assembly: Assembly, state: WorldState, joint: int) -> float:
    """Return what holds a joint at rest against the weight behind it and its spring."""
    own = assembly.joints[joint]
    row = state.bodies[own.child]
    axis = matrix_from_quaternion(row["rotation"]) @ np.asarray(own.joint.axis)
    gravity, behind, weight = np.asarray(assembly.world.gravity), {own.child}, 0.0
    for number, body in enumerate(assembly.bodies):  # parents come first
        if body.parent in behind:
            behind.add(number)
        if number in behind:
            here = state.bodies[number]
            centre = Pose(here["position"], here["rotation"]).apply(body.inertial.pose.position)
            way = (
                axis if own.joint.kind == "prismatic" else np.cross(axis, centre - row["position"])
            )
            weight += body.inertial.mass * float(way @ gravity)
    stretched = float(state.joints["position"][joint]) - own.joint.rest
    return own.joint.stiffness * stretched - weight


def _friction_and_spring(joint: Joint) -> float:
    """Return the most that they resist with, within half a turn or a few metres."""
    return joint.friction + joint.stiffness * (abs(joint.rest) + math.pi)


def _poses(assembly: Assembly, root: int) -> dict[int, Pose]:
    """Return where all bodies of a robot are, seen from its root, joints at zero."""
    poses = {root: Pose()}
    for number, body in enumerate(assembly.bodies):  # parents come first
        if body.parent in poses:
            poses[number] = poses[body.parent] @ body.pose
    return poses


def _carried(assembly: Assembly, poses: dict[int, Pose]) -> dict[int, Array]:
    """Return the inertia (6, 6) of each body with all that it carries, joints stiff."""
    carried = {}
    for number, pose in poses.items():
        inertial = assembly.bodies[number].inertial
        centre = pose @ inertial.pose
        axes, arm = matrix_from_quaternion(centre.rotation), _cross_matrix(centre.position)
        turning = axes @ inertial.inertia @ axes.T - inertial.mass * arm @ arm
        mass = inertial.mass * np.eye(3)
        carried[number] = np.block([[mass, -inertial.mass * arm], [inertial.mass * arm, turning]])
    for number in reversed(poses):
        parent = assembly.bodies[number].parent
        if parent in carried:
            carried[parent] = carried[parent] + carried[number]
    return carried


def _twist(assembly: Assembly, joint: int, poses: dict[int, Pose]) -> Array:
    own = assembly.joints[joint]
    pose = poses[own.child]
    axis = matrix_from_quaternion(pose.rotation) @ np.asarray(own.joint.axis)
    if own.joint.kind == "prismatic":
        return np.concatenate([axis, np.zeros(3)])
    return np.concatenate([np.cross(pose.position, axis), axis])


def _cross_matrix(point: Array) -> Array:
    x, y, z = point.tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
