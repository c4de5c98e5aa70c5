"""Distance and angle as an iRobot Create counts them: 16 bits, reset by reading."""

import math
from dataclasses import dataclass
from typing import ClassVar

from outrider.core.counter import Counter16
from outrider.core.state import State
from outrider.messages.types import Message, header, message_class
from outrider.sensors.sensor import Sensor
from outrider.sensors.site import Site

_TYPE = "outrider_msgs/msg/Odometer"


@dataclass(frozen=True, slots=True)
class OdometerParameters:
    """No parameters: wheels and track are the robot's."""


class Odometer(Sensor):
    """Integrates wheel travel; what is left of a millimetre or a degree goes into the next."""

    Parameters: ClassVar[type] = OdometerParameters
    types: ClassVar[dict[str, str]] = {"odometer": _TYPE}

    def __init__(self, _parameters: OdometerParameters, site: Site) -> None:
        self._site = site
        self._robot = site.robot
        self._class = message_class(_TYPE)
        self._distance, self._angle = Counter16(), Counter16()
        self._wheels, self._steering = self._angles()
        self._increment = (0, 0)

    def get_state(self) -> State:
        """Return the registers, and where the wheels were."""
        return State(
            registers=[self._distance.sum, self._angle.sum],
            wheels=self._wheels,
            steering=self._steering,
            increment=State(distance=self._increment[0], angle=self._increment[1]),
        )

    def set_state(self, state: State) -> None:
        """Count on from there."""
        self._distance.sum, self._angle.sum = state.numbers("registers")
        self._wheels = list(state.numbers("wheels"))
        self._steering = list(state.numbers("steering"))
        last = state.part("increment")
        self._increment = (last.integer("distance"), last.integer("angle"))

    def sample(self, _now_ns: int) -> None:
        """Add what the wheels turned since the last time."""
        wheels, steering = self._angles()
        travel = [now - last for now, last in zip(wheels, self._wheels, strict=True)]
        middle = [0.5 * (now + last) for now, last in zip(steering, self._steering, strict=True)]
        way_m, turn_rad = self._robot.robot.drivetrain.motion(travel, middle)
        self._distance.add(way_m * 1000.0)
        self._angle.add(math.degrees(turn_rad))
        self._wheels, self._steering = wheels, steering
        self._increment = (self._distance.read(), self._angle.read())

    def message(self, now_ns: int) -> Message:
        """Return millimetres and degrees since the last measurement."""
        return self._class(header(now_ns, self._site.frame_id), *self._increment)

    def _angles(self) -> tuple[list[float], list[float]]:
        angles = self._site.state.joints["position"]
        return angles[self._robot.driven].tolist(), angles[self._robot.steered].tolist()
