"""The true pose of a robot: its root link in the world, with the twist in its own axes."""

import numpy as np

from outrider.messages import types as ros
from outrider.messages.topics import WORLD_FRAME
from outrider.sensors.sensor import Sensor, Writer
from outrider.world.state import WorldState

_EXACT = np.zeros(36)


class GroundTruth(Sensor):
    """Reads one body of the state, without error."""

    def __init__(self, body: int, state: WorldState, child_frame: str) -> None:
        self._numbers = state.bodies[body : body + 1].view(np.float64)
        self._child = child_frame

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {"ground_truth": self.message}

    def sample(self, now_ns: int) -> None:
        """Do nothing: the state is read when the message is written."""

    def message(self, now_ns: int) -> ros.Odometry:
        """Return the true pose in the world and the true speed in the body's axes."""
        numbers = self._numbers.tolist()
        rotation = numbers[3:7]
        pose = ros.Pose(ros.Point(*numbers[:3]), ros.Quaternion(*rotation))
        twist = ros.Twist(_in_axes(numbers[7:10], *rotation), _in_axes(numbers[10:], *rotation))
        return ros.Odometry(
            ros.header(now_ns, WORLD_FRAME),
            self._child,
            ros.PoseWithCovariance(pose, _EXACT),
            ros.TwistWithCovariance(twist, _EXACT),
        )


def _in_axes(vector: list[float], qx: float, qy: float, qz: float, qw: float) -> ros.Vector3:
    """Return a vector of the world in the axes of a rotated body: plain numbers are quickest."""
    x, y, z = vector
    tx, ty, tz = 2 * (y * qz - z * qy), 2 * (z * qx - x * qz), 2 * (x * qy - y * qx)
    return ros.Vector3(
        x + qw * tx + ty * qz - tz * qy,
        y + qw * ty + tz * qx - tx * qz,
        z + qw * tz + tx * qy - ty * qx,
    )
