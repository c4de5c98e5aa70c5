"""The "GPS" of model-car labs: overhead cameras that report a car's pose in metres."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outrider.core.frames import Array, multiply, quaternion_from_rpy
from outrider.core.frames import matrix_from_quaternion as matrix
from outrider.core.structure import number
from outrider.messages import types as ros
from outrider.messages.topics import WORLD_FRAME
from outrider.sensors.noise import White
from outrider.sensors.sensor import Sensor
from outrider.sensors.site import Site

_NO_MOTION = ros.Twist(ros.Vector3(0.0, 0.0, 0.0), ros.Vector3(0.0, 0.0, 0.0))
_UNKNOWN = np.zeros(36)


@dataclass(frozen=True, slots=True)
class PoseParameters:
    """Its errors, and its axes: the world's, rotated and shifted."""

    position_sigma: float = number(0.0, least=0.0)  # m, each axis
    yaw_sigma_deg: float = number(0.0, least=0.0)
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)  # of its axes, in the world
    turn_deg: float = 0.0  # rotation of its axes about the vertical, relative to the world's
    yaw_turn_deg: float = 0.0  # added to the heading only
    frame_id: str = WORLD_FRAME
    child_frame_id: str = ""  # empty: the sensor's own frame


class PoseGps(Sensor):
    """Reports position and attitude; its twist is zero, as in the labs."""

    Parameters: ClassVar[type] = PoseParameters
    types: ClassVar[dict[str, str]] = {"pose": "nav_msgs/msg/Odometry"}
    state_fields = ("_noise", "position", "rotation")

    def __init__(self, parameters: PoseParameters, site: Site) -> None:
        self._parameters = parameters
        self._site = site
        self._noise = White(site.random, 4, 1.0)
        self._origin = np.array(parameters.origin)
        self._turn = quaternion_from_rpy(0.0, 0.0, -math.radians(parameters.turn_deg))
        sigma, yaw = parameters.position_sigma, math.radians(parameters.yaw_sigma_deg)
        self._sigmas = np.array([sigma, sigma, sigma, yaw])
        self._covariance = np.diag([sigma**2] * 3 + [0.0, 0.0, yaw**2]).ravel()
        self.position: Array = np.zeros(3)
        self.rotation: Array = np.array([0.0, 0.0, 0.0, 1.0])

    def sample(self, _now_ns: int) -> None:
        """See where the sensor's frame is."""
        *shift, swing = self._noise.apply(np.zeros(4), 1.0) * self._sigmas
        pose = self._site.pose
        self.position = matrix(self._turn) @ (pose.position - self._origin) + shift
        yaw = swing + math.radians(self._parameters.yaw_turn_deg)
        turn = multiply(quaternion_from_rpy(0.0, 0.0, yaw), self._turn)
        self.rotation = multiply(turn, pose.rotation)

    def message(self, now_ns: int) -> ros.Odometry:
        """Return the pose."""
        place, turn = ros.Point(*self.position.tolist()), ros.Quaternion(*self.rotation.tolist())
        return ros.Odometry(
            ros.header(now_ns, self._parameters.frame_id),
            self._parameters.child_frame_id or self._site.frame_id,
            ros.PoseWithCovariance(ros.Pose(place, turn), self._covariance),
            ros.TwistWithCovariance(_NO_MOTION, _UNKNOWN),
        )
