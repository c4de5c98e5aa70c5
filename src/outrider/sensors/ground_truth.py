"""Where a robot really is: its root link in the world, with the speed in its own axes."""

import numpy as np

from outrider.core.frames import matrix_from_quaternion
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
from outrider.sensors.sensor import Writer
from outrider.world.state import WorldState

WORLD_FRAME = "map"
_EXACT = np.zeros(36)


class GroundTruth:
    """Reads one body of the state, without error."""

    def __init__(self, body: int, state: WorldState, child_frame: str) -> None:
        self._body = body
        self._state = state
        self._child = child_frame

    @property
    def outputs(self) -> dict[str, Writer]:
        """What it says."""
        return {"ground_truth": self.message}

    def sample(self, now_ns: int) -> None:
        """Do nothing: the state is read when the message is written."""

    def message(self, now_ns: int) -> Odometry:
        """Return the true pose in the world and the true speed in the body's axes."""
        body = self._state.bodies[self._body]
        to_body = matrix_from_quaternion(body["rotation"]).T
        pose = Pose(Point(*body["position"].tolist()), Quaternion(*body["rotation"].tolist()))
        twist = Twist(
            Vector3(*(to_body @ body["velocity"]).tolist()),
            Vector3(*(to_body @ body["angular_velocity"]).tolist()),
        )
        return Odometry(
            header(now_ns, WORLD_FRAME),
            self._child,
            PoseWithCovariance(pose, _EXACT),
            TwistWithCovariance(twist, _EXACT),
        )

    def reset(self) -> None:
        """Do nothing: there is nothing to forget."""
