"""The tick count of a model car: edges of one encoder on the motor, without direction."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outrider.core.structure import number
from outrider.messages.types import Message, header, message_class
from outrider.sensors.sensor import Sensor, Writer
from outrider.sensors.site import Site
from outrider.sensors.wheels.encoders import count, rolling_radius

_TYPE = "autominy_msgs/msg/Tick"
_PLAIN = "std_msgs/msg/UInt8"  # of older cars
_MOST = 255  # what fits into the message


@dataclass(frozen=True, slots=True)
class TickParameters:
    """Resolution per metre."""

    ticks_per_metre: float = number(above=0.0)
    plain: bool = False  # a plain number (output "count") instead of a message with a header


class TickCounter(Sensor):
    """Reports the edges since its last message; fractions of a tick are carried over."""

    Parameters: ClassVar[type] = TickParameters
    types: ClassVar[dict[str, str]] = {"ticks": _TYPE, "count": _PLAIN}
    state_fields = ("_at", "_waiting", "value")

    def __init__(self, parameters: TickParameters, site: Site) -> None:
        self._site = site
        self._driven = site.robot.driven
        # the motor drives the wheels through a differential: it turns with their mean
        self._ticks_per_radian = parameters.ticks_per_metre * rolling_radius(site.robot)
        self._class, self._number = message_class(_TYPE), message_class(_PLAIN)
        self._plain = parameters.plain
        self._at = self._position()
        self._waiting = 0
        self.value = 0

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {"count": self.count_message} if self._plain else {"ticks": self.message}

    def sample(self, _now_ns: int) -> None:
        """Count the edges since the last time, forward and backward alike."""
        at = self._position()
        self._waiting += abs(at - self._at)
        self._at = at
        self.value = min(self._waiting, _MOST)
        self._waiting -= self.value

    def message(self, now_ns: int) -> Message:
        """Return the ticks of the interval."""
        return self._class(header(now_ns, self._site.frame_id), self.value)

    def count_message(self, _now_ns: int) -> Message:
        """Return the ticks of the interval as older cars do."""
        return self._number(self.value)

    def _position(self) -> int:
        angles = self._site.state.joints["position"][self._driven]
        return int(count(np.mean(angles, keepdims=True), self._ticks_per_radian)[0])
