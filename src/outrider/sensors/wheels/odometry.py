"""Wheel odometry as published by a robot's own controller: wrong where wheels slip."""

import math

import numpy as np

from outrider.core.clock import to_s
from outrider.messages import types as ros
from outrider.sensors.sensor import Sensor, Writer
from outrider.vehicles.vehicle import Vehicle
from outrider.world.state import WorldState


class OdometrySensor(Sensor):
    """Integrates wheel travel between its due times."""

    state_fields = ("_last_ns",)

    def __init__(self, vehicle: Vehicle, state: WorldState, prefix: str) -> None:
        spec = vehicle.robot.spec.odometry
        self._vehicle = vehicle
        self._state = state
        self._frames = (prefix + spec.frame, prefix + spec.child_frame)
        self._pose_covariance = np.diag(spec.pose_covariance).ravel()
        self._twist_covariance = np.diag(spec.twist_covariance).ravel()
        self._last_ns = -1  # never

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {"odometry": self.message}

    def sample(self, now_ns: int) -> None:
        """Read the wheels."""
        elapsed = to_s(now_ns - self._last_ns) if self._last_ns >= 0 else 0.0
        self._vehicle.measure_odometry(self._state, elapsed)
        self._last_ns = now_ns

    def message(self, now_ns: int) -> ros.Odometry:
        """Return pose and velocity from wheel odometry."""
        odometry = self._vehicle.odometry
        half = odometry.yaw / 2
        pose = ros.Pose(
            ros.Point(odometry.x, odometry.y, 0.0),
            ros.Quaternion(0.0, 0.0, math.sin(half), math.cos(half)),
        )
        twist = ros.Twist(
            ros.Vector3(odometry.speed, 0.0, 0.0), ros.Vector3(0.0, 0.0, odometry.yaw_rate)
        )
        frame, child = self._frames
        return ros.Odometry(
            ros.header(now_ns, frame),
            child,
            ros.PoseWithCovariance(pose, self._pose_covariance),
            ros.TwistWithCovariance(twist, self._twist_covariance),
        )
