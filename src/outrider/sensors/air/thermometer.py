"""Thermometers, which follow the air's temperature after a while."""

import math
from dataclasses import dataclass, field
from typing import ClassVar

from outrider.core.state import State
from outrider.core.structure import number
from outrider.messages.types import Temperature, header
from outrider.sensors.gauge import Gauge
from outrider.sensors.sensor import Sensor
from outrider.sensors.site import Site
from outrider.sensors.triad import Triad


@dataclass(frozen=True, slots=True)
class ThermometerParameters:
    """Errors in K, how slow it is, and its range."""

    temperature: Triad = field(default_factory=Triad)
    time_constant_s: float = number(0.0, least=0.0)  # time to reach 63 % of a sudden change
    lowest_c: float = -273.15  # lower values are reported as this
    highest_c: float = 2000.0  # higher values are reported as this


class Thermometer(Sensor):
    """Measures the air where it is mounted; it starts as warm as that."""

    Parameters: ClassVar[type] = ThermometerParameters
    types: ClassVar[dict[str, str]] = {"temperature": "sensor_msgs/msg/Temperature"}

    def __init__(self, parameters: ThermometerParameters, site: Site) -> None:
        self._parameters = parameters
        self._site = site
        self._gauge = Gauge(parameters.temperature, site.random, site.rate_hz)
        self._probe_c: float | None = None  # how warm it is itself

    @property
    def temperature_c(self) -> float:
        """The measured temperature."""
        p = self._parameters
        return min(max(self._gauge.value, p.lowest_c), p.highest_c)

    def sample(self, now_ns: int) -> None:
        """Let the probe follow the air, and read it."""
        air_c = self._site.air(now_ns).temperature_c
        slow_s = self._parameters.time_constant_s
        if self._probe_c is None or not slow_s:
            self._probe_c = air_c
        else:
            kept = math.exp(-self._gauge.since_last(now_ns) / slow_s)
            self._probe_c = air_c + kept * (self._probe_c - air_c)
        self._gauge.show(self._probe_c, now_ns)

    def get_state(self) -> State:
        """Return its errors, how warm it is, and the last measurement."""
        return State(gauge=self._gauge.get_state(), probe_c=self._probe_c)

    def set_state(self, state: State) -> None:
        """Go on with the same errors."""
        self._gauge.set_state(state.part("gauge"))
        self._probe_c = state.number("probe_c") if state.has("probe_c") else None

    def message(self, now_ns: int) -> Temperature:
        """Return the temperature in degrees Celsius; the variance is that of the white noise."""
        stamp = header(now_ns, self._site.frame_id)
        return Temperature(stamp, self.temperature_c, self._gauge.variance)
