"""Wheel odometry as published by a robot's own controller: wrong where wheels slip."""

import math

import numpy as np

from outrider.core.clock import to_s
from outrider.core.state import State
from outrider.messages.types import (
    Odometry,
    Point,
    Pose,
    PoseWithCovariance,
    Quaternion,
    Twist,
    TwistWithCovariance,
    Vector3,
    header,
)
from outrider.sensors.sensor import Sensor, Writer
from outrider.vehicles.vehicle import Vehicle
from outrider.world.state import WorldState


class OdometrySensor(Sensor):
    """Integrates wheel travel between its due times."""

    def __init__(self, vehicle: Vehicle, state: WorldState, prefix: str) -> None:
        spec = vehicle.robot.spec.odometry
        self._vehicle = vehicle
        self._state = state
        self._frames = (prefix + spec.frame, prefix + spec.child_frame)
        self._pose_covariance = np.diag(spec.pose_covariance).ravel()
        self._twist_covariance = np.diag(spec.twist_covariance).ravel()
        self._last_ns = -1  # never

    def get_state(self) -> State:
        """Return when it last measured; the distance driven belongs to the robot's state."""
        return State(last_ns=self._last_ns)

    def set_state(self, state: State) -> None:
        """Restore that state."""
        self._last_ns = state.integer("last_ns")

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {"odometry": self.message}

    def sample(self, now_ns: int) -> None:
        """Read the wheels."""
        elapsed = to_s(now_ns - self._last_ns) if self._last_ns >= 0 else 0.0
        self._vehicle.measure_odometry(self._state, elapsed)
        self._last_ns = now_ns

    def message(self, now_ns: int) -> Odometry:
        """Return pose and velocity from wheel odometry."""
        odometry = self._vehicle.odometry
        half = odometry.yaw / 2
        pose = Pose(
            Point(odometry.x, odometry.y, 0.0),
            Quaternion(0.0, 0.0, math.sin(half), math.cos(half)),
        )
        twist = Twist(Vector3(odometry.speed, 0.0, 0.0), Vector3(0.0, 0.0, odometry.yaw_rate))
        frame, child = self._frames
        return Odometry(
            header(now_ns, frame),
            child,
            PoseWithCovariance(pose, self._pose_covariance),
            TwistWithCovariance(twist, self._twist_covariance),
        )
