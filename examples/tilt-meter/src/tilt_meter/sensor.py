"""TiltMeter: the tilt of what it is mounted on."""

import math
from dataclasses import dataclass, field
from typing import ClassVar

from outrider.core.frames import matrix_from_quaternion
from outrider.messages.types import Float64
from outrider.sensors.gauge import Gauge
from outrider.sensors.sensor import Sensor
from outrider.sensors.site import Site
from outrider.sensors.triad import Triad


@dataclass(frozen=True, slots=True)
class TiltMeterParameters:
    """What a model's file and an entry's ``set`` may say."""

    tilt: Triad = field(default_factory=Triad)  # noise, bias, range and resolution, in degrees


class TiltMeter(Sensor):
    """Measures the angle between its own z axis and the vertical."""

    Parameters: ClassVar[type] = TiltMeterParameters
    types: ClassVar[dict[str, str]] = {"tilt": "std_msgs/msg/Float64"}
    state_fields = ("_gauge",)  # all that it remembers: so runs can be saved and repeated

    def __init__(self, parameters: TiltMeterParameters, site: Site) -> None:
        self._site = site
        self._gauge = Gauge(parameters.tilt, site.random, site.rate_hz)

    def sample(self, now_ns: int) -> None:
        """Measure, at every due time."""
        upright = float(matrix_from_quaternion(self._site.pose.rotation)[2, 2])
        self._gauge.show(math.degrees(math.acos(min(max(upright, -1.0), 1.0))), now_ns)

    def message(self, _now_ns: int) -> Float64:
        """Return the tilt in degrees."""
        return Float64(self._gauge.value)
