"""Wheel encoders: counters of the wheel's own angle, so slip shows."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from outrider.core.clock import to_s
from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Array
from outrider.core.state import State
from outrider.core.structure import number
from outrider.messages.types import Message, header, message_class
from outrider.sensors.sensor import Sensor
from outrider.sensors.site import Site
from outrider.vehicles.vehicle import Vehicle

Ticks = NDArray[np.int64]
Counter = Literal["int64", "int32", "int16", "uint16"]
_TYPE = "outrider_msgs/msg/WheelEncoders"


@dataclass(frozen=True, slots=True)
class EncoderParameters:
    """Resolution per revolution or per metre, and the width of the counter."""

    ticks_per_revolution: float = number(0.0, least=0.0, most=1e9)
    ticks_per_metre: float = number(0.0, least=0.0, most=1e9)  # with the nominal wheel radius
    wheels: tuple[str, ...] = ()  # joints; empty: all driven ones
    counter: Counter = "int64"

    def __post_init__(self) -> None:
        if (self.ticks_per_revolution > 0) == (self.ticks_per_metre > 0):
            raise ValueError("give either ticks_per_revolution or ticks_per_metre, above 0")


class WheelEncoders(Sensor):
    """Counts the encoder edges of each wheel."""

    Parameters: ClassVar[type] = EncoderParameters
    types: ClassVar[dict[str, str]] = {"encoders": _TYPE}
    state_fields = ("_total", "_speeds", "_last_ns")

    def __init__(self, parameters: EncoderParameters, site: Site) -> None:
        robot = site.robot
        self._site = site
        self._names = list(parameters.wheels or robot.robot.drivetrain.driven)
        self._joints = _joints(robot, self._names, site.name)
        per_radian = parameters.ticks_per_revolution / (2 * math.pi)
        self.ticks_per_radian = per_radian or parameters.ticks_per_metre * rolling_radius(robot)
        self._counter = np.dtype(parameters.counter)
        self._class = message_class(_TYPE)
        self._angles: Array = site.state.joints["position"]
        self._total = count(self._angles[self._joints], self.ticks_per_radian)
        self._speeds: Array = np.zeros(len(self._names))
        self._last_ns = -1  # never
        self._due: list[tuple[int, Array]] = []  # the last samples that are not counted yet

    @property
    def total(self) -> Ticks:
        """The ticks since the start, in 64 bits."""
        self._catch_up()
        return self._total

    @property
    def ticks(self) -> Ticks:
        """The counters as the hardware shows them, rolled over to their width."""
        return self.total.astype(self._counter).astype(np.int64)

    def sample(self, now_ns: int) -> None:
        """Note where the wheels are: they are counted when somebody reads, from the last two."""
        self._due = [*self._due[-1:], (now_ns, self._angles[self._joints])]

    def _catch_up(self) -> None:
        for now_ns, angles in self._due:
            total = count(angles, self.ticks_per_radian)
            if 0 <= self._last_ns < now_ns:
                turned = (total - self._total) / self.ticks_per_radian
                self._speeds = turned / to_s(now_ns - self._last_ns)
            self._total, self._last_ns = total, now_ns
        self._due.clear()

    def get_state(self) -> State:
        """Return what is counted."""
        self._catch_up()
        return super().get_state()

    def set_state(self, state: State) -> None:
        """Count on from there."""
        self._due.clear()
        super().set_state(state)

    def message(self, now_ns: int) -> Message:
        """Return the counters."""
        return self._class(
            header(now_ns, self._site.frame_id),
            self._names,
            self.ticks,
            self.total / self.ticks_per_radian,
            self._speeds,
        )


def count(angles: Array, ticks_per_radian: float) -> Ticks:
    """Return whole ticks; the first edge is half a tick away, so that a wheel at rest is stable."""
    ticks: Ticks = np.floor(angles * ticks_per_radian + 0.5).astype(np.int64)
    return ticks


def rolling_radius(robot: Vehicle) -> float:
    """Return how far the robot believes it goes for one radian of all its wheels."""
    drivetrain = robot.robot.drivetrain
    turned, straight = (1.0,) * len(drivetrain.driven), (0.0,) * len(drivetrain.steered)
    return drivetrain.motion(turned, straight)[0]


def _joints(robot: Vehicle, names: list[str], sensor: str) -> NDArray[np.intp]:
    known = dict(zip(robot.joint_names, robot.joints.tolist(), strict=True))
    for name in names:
        if name not in known:
            raise ConfigError(
                f"robot '{robot.name}': sensor '{sensor}': there is no joint '{name}'"
                f"{near_match(name, known)}"
            )
    return np.array([known[name] for name in names], np.intp)
