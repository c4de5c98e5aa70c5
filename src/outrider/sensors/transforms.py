"""Frames of a robot for /tf and /tf_static."""

import math

import numpy as np

from outrider.core import frames
from outrider.messages.types import (
    Quaternion,
    TFMessage,
    Transform,
    TransformStamped,
    Vector3,
    header,
)
from outrider.vehicles.vehicle import Vehicle
from outrider.world.assembly import Assembly
from outrider.world.model import Joint
from outrider.world.state import WorldState


class Transforms:
    """The moving frames: odometry to the robot, and every movable joint."""

    def __init__(
        self, vehicle: Vehicle, state: WorldState, assembly: Assembly, prefix: str
    ) -> None:
        self._vehicle = vehicle
        self._state = state
        self._joints = vehicle.joints
        self._moves = [_JointFrame(assembly.joints[i].joint, prefix) for i in self._joints.tolist()]
        spec = vehicle.robot.spec.odometry
        root = assembly.bodies[vehicle.root].name.removeprefix(f"{vehicle.name}/")
        self._odometry_frames = (prefix + spec.frame, prefix + root)
        child = assembly.frames.get(f"{vehicle.name}/{spec.child_frame}")
        self._T_child_root = child.T_body_link.inverse() if child else frames.Pose()

    def sample(self, now_ns: int) -> None:
        """Do nothing: the state is read when the message is written."""

    def reset(self) -> None:
        """Do nothing: there is nothing to forget."""

    def message(self, now_ns: int) -> TFMessage:
        """Return all moving frames as they are."""
        values = self._state.joints["position"][self._joints].tolist()
        transforms = [
            move.stamped(value, now_ns) for move, value in zip(self._moves, values, strict=True)
        ]
        if self._vehicle.robot.spec.odometry.publish_tf:
            transforms.append(self._odometry(now_ns))
        return TFMessage(transforms)

    def _odometry(self, now_ns: int) -> TransformStamped:
        odometry = self._vehicle.odometry
        T_odom_child = frames.Pose.from_rpy([odometry.x, odometry.y, 0.0], [0.0, 0.0, odometry.yaw])
        return stamped(*self._odometry_frames, T_odom_child @ self._T_child_root, now_ns)


class _JointFrame:
    """One joint's transform, in plain numbers: this is written 50 times a second for each wheel."""

    def __init__(self, joint: Joint, prefix: str) -> None:
        self._parent, self._child = prefix + joint.parent, prefix + joint.child
        self._slides = joint.kind == "prismatic"
        axis = frames.unit(np.array(joint.axis, np.float64))
        self._axis: list[float] = axis.tolist()
        self._position: list[float] = joint.origin.position.tolist()
        self._rotation: list[float] = joint.origin.rotation.tolist()
        turned = frames.matrix_from_quaternion(joint.origin.rotation) @ axis
        self._slide: list[float] = turned.tolist()

    def stamped(self, value: float, now_ns: int) -> TransformStamped:
        """Return the transform for a joint angle or travel."""
        place = Vector3(*self._position)
        turn = Quaternion(*self._rotation)
        if self._slides:
            place = Vector3(*(p + value * s for p, s in zip(self._position, self._slide, strict=True)))
        else:
            turn = self._turned(value)
        return TransformStamped(header(now_ns, self._parent), self._child, Transform(place, turn))

    def _turned(self, angle: float) -> Quaternion:
        sin, bw = math.sin(angle / 2), math.cos(angle / 2)
        x, y, z = self._axis
        bx, by, bz = x * sin, y * sin, z * sin
        ax, ay, az, aw = self._rotation
        return Quaternion(
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        )


def static_transforms(vehicle: Vehicle, prefix: str) -> list[TransformStamped]:
    """Return the frames that never move: all fixed joints."""
    fixed = [joint for joint in vehicle.robot.model.joints if joint.kind == "fixed"]
    return [stamped(prefix + j.parent, prefix + j.child, j.origin, 0) for j in fixed]


def stamped(parent: str, child: str, pose: frames.Pose, now_ns: int) -> TransformStamped:
    """Return one transform as a message."""
    return TransformStamped(
        header(now_ns, parent),
        child,
        Transform(Vector3(*pose.position.tolist()), Quaternion(*pose.rotation.tolist())),
    )
