"""Frames of a robot for /tf and /tf_static."""

import math

import numpy as np

from outrider.core import frames
from outrider.messages.types import (
    Header,
    Quaternion,
    TFMessage,
    Time,
    Transform,
    TransformStamped,
    Vector3,
    header,
    time,
)
from outrider.sensors.sensor import Sensor, Writer
from outrider.vehicles.vehicle import Vehicle
from outrider.world.assembly import Assembly
from outrider.world.model import Joint
from outrider.world.state import WorldState

Numbers = tuple[float, ...]


class Transforms(Sensor):
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
        self._T_child_root = _PlainPose(child.T_body_link.inverse() if child else frames.Pose())

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {"tf": self.message}

    def sample(self, now_ns: int) -> None:
        """Do nothing: the state is read when the message is written."""

    def message(self, now_ns: int) -> TFMessage:
        """Return all moving frames as they are."""
        values, stamp = self._state.joints["position"][self._joints].tolist(), time(now_ns)
        transforms = [
            move.stamped(value, stamp) for move, value in zip(self._moves, values, strict=True)
        ]
        if self._vehicle.robot.spec.odometry.publish_tf:
            transforms.append(self._odometry(stamp))
        return TFMessage(transforms)

    def _odometry(self, stamp: Time) -> TransformStamped:
        at_x, at_y, yaw = self._vehicle.odometry_now(self._state)
        sin, cos = math.sin(yaw), math.cos(yaw)
        T = self._T_child_root
        x, y, z = T.position
        place = Vector3(at_x + cos * x - sin * y, at_y + sin * x + cos * y, z)
        half = yaw / 2
        turn = _product((0.0, 0.0, math.sin(half), math.cos(half)), T.rotation)
        parent, child = self._odometry_frames
        return TransformStamped(Header(stamp, parent), child, Transform(place, turn))


class _PlainPose:
    """A pose in plain numbers: these messages are written 50 times a second for each wheel."""

    def __init__(self, pose: frames.Pose) -> None:
        self.position: Numbers = tuple(pose.position.tolist())
        self.rotation: Numbers = tuple(pose.rotation.tolist())


def _product(a: Numbers, b: Numbers) -> Quaternion:
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return Quaternion(
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


class _JointFrame:
    """One joint's transform."""

    def __init__(self, joint: Joint, prefix: str) -> None:
        self._parent, self._child = prefix + joint.parent, prefix + joint.child
        self._slides = joint.kind == "prismatic"
        self._origin = _PlainPose(joint.origin)
        axis = frames.unit(np.array(joint.axis, np.float64))
        self._axis: Numbers = tuple(axis.tolist())
        along = frames.matrix_from_quaternion(joint.origin.rotation) @ axis
        self._along: Numbers = tuple(along.tolist())
        self._place = Vector3(*self._origin.position)
        self._turn = Quaternion(*self._origin.rotation)

    def stamped(self, value: float, stamp: Time) -> TransformStamped:
        """Return the transform for a joint angle or travel."""
        place, turn = self._place, self._turn
        if self._slides:
            ends = zip(self._origin.position, self._along, strict=True)
            place = Vector3(*(start + value * along for start, along in ends))
        else:
            x, y, z = self._axis
            sin = math.sin(value / 2)
            spin = (x * sin, y * sin, z * sin, math.cos(value / 2))
            turn = _product(self._origin.rotation, spin)
        return TransformStamped(Header(stamp, self._parent), self._child, Transform(place, turn))


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
