"""Frames of a robot for /tf and /tf_static."""

import math

import numpy as np

from outrider.core import frames
from outrider.core.frames import multiply
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

    def __init__(self, vehicle: Vehicle, state: WorldState, assembly: Assembly, prefix: str) -> None:
        self._vehicle = vehicle
        self._state = state
        self._prefix = prefix
        self._joints = [(i, assembly.joints[i].joint) for i in vehicle.joints.tolist()]
        spec = vehicle.robot.spec.odometry
        links = vehicle.robot.model.links
        self._root = next(
            link.name for link in links if link.name not in {j.child for j in vehicle.robot.model.joints}
        )
        child = assembly.frames.get(f"{vehicle.name}/{spec.child_frame}")
        self._T_child_root = child.T_body_link.inverse() if child else frames.Pose()

    def sample(self, now_ns: int) -> None:
        """Do nothing: the state is read when the message is written."""

    def reset(self) -> None:
        """Do nothing: there is nothing to forget."""

    def message(self, now_ns: int) -> TFMessage:
        """Return all moving frames as they are."""
        angles = self._state.joints["position"]
        transforms = [self._joint(j, float(angles[i]), now_ns) for i, j in self._joints]
        if self._vehicle.robot.spec.odometry.publish_tf:
            transforms.append(self._odometry(now_ns))
        return TFMessage(transforms)

    def _joint(self, joint: Joint, value: float, now_ns: int) -> TransformStamped:
        origin = joint.origin
        if joint.kind == "prismatic":
            moved = origin @ frames.Pose(value * frames.unit(_axis(joint)))
            return self._stamped(joint.parent, joint.child, moved, now_ns)
        half = value / 2
        x, y, z = frames.unit(_axis(joint)) * math.sin(half)
        spin = frames.Pose(origin.position, multiply(origin.rotation, _array(x, y, z, math.cos(half))))
        return self._stamped(joint.parent, joint.child, spin, now_ns)

    def _odometry(self, now_ns: int) -> TransformStamped:
        odometry = self._vehicle.odometry
        T_odom_child = frames.Pose.from_rpy([odometry.x, odometry.y, 0.0], [0.0, 0.0, odometry.yaw])
        spec = self._vehicle.robot.spec.odometry
        return self._stamped(spec.frame, self._root, T_odom_child @ self._T_child_root, now_ns)

    def _stamped(self, parent: str, child: str, pose: frames.Pose, now_ns: int) -> TransformStamped:
        return stamped(self._prefix + parent, self._prefix + child, pose, now_ns)


def static_transforms(vehicle: Vehicle, prefix: str) -> TFMessage:
    """Return the frames that never move: all fixed joints."""
    fixed = [joint for joint in vehicle.robot.model.joints if joint.kind == "fixed"]
    return TFMessage([stamped(prefix + j.parent, prefix + j.child, j.origin, 0) for j in fixed])


def stamped(parent: str, child: str, pose: frames.Pose, now_ns: int) -> TransformStamped:
    """Return one transform as a message."""
    return TransformStamped(
        header(now_ns, parent),
        child,
        Transform(Vector3(*pose.position.tolist()), Quaternion(*pose.rotation.tolist())),
    )


def _axis(joint: Joint) -> frames.Array:
    return _array(*joint.axis)


def _array(*values: float) -> frames.Array:
    return np.array(values, np.float64)
