"""Barometers: the pressure of the air, its altitude, and the chip's temperature."""

from dataclasses import dataclass, field
from typing import ClassVar

from outrider.core.structure import number
from outrider.messages.types import Float64, FluidPressure, Temperature, header
from outrider.sensors.gauge import Gauge
from outrider.sensors.sensor import Sensor, Writer
from outrider.sensors.site import Site
from outrider.sensors.triad import Triad
from outrider.weather.atmosphere import SEA_LEVEL_PA, pressure_altitude


@dataclass(frozen=True, slots=True)
class BarometerParameters:
    """Errors in Pa and K, the measuring range, and the reference pressure of altitudes."""

    pressure: Triad = field(default_factory=Triad)
    temperature: Triad = field(default_factory=Triad)
    lowest_pa: float = number(0.0, least=0.0)  # lower values are reported as this
    highest_pa: float = number(1e6, above=0.0)  # higher values are reported as this
    sea_level_pa: float = number(SEA_LEVEL_PA, above=0.0)  # what an altimeter is set to (QNH)


class Barometer(Sensor):
    """Measures the air where it is mounted."""

    Parameters: ClassVar[type] = BarometerParameters
    types: ClassVar[dict[str, str]] = {
        "pressure": "sensor_msgs/msg/FluidPressure",
        "temperature": "sensor_msgs/msg/Temperature",
        "altitude": "std_msgs/msg/Float64",
    }
    state_fields = ("_pressure", "_temperature")

    def __init__(self, parameters: BarometerParameters, site: Site) -> None:
        self._parameters = parameters
        self._site = site
        pressure, temperature = site.random.spawn(2)
        self._pressure = Gauge(parameters.pressure, pressure, site.rate_hz)
        self._temperature = Gauge(parameters.temperature, temperature, site.rate_hz)

    @property
    def pressure_pa(self) -> float:
        """The measured pressure."""
        p = self._parameters
        return min(max(self._pressure.value, p.lowest_pa), p.highest_pa)

    @property
    def altitude_m(self) -> float:
        """The altitude that the measured pressure stands for."""
        return pressure_altitude(self.pressure_pa, self._parameters.sea_level_pa)

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {
            "pressure": self.pressure_message,
            "temperature": self.temperature_message,
            "altitude": self.altitude_message,
        }

    def sample(self, now_ns: int) -> None:
        """Measure both."""
        air = self._site.air(now_ns)
        self._pressure.show(air.pressure_pa, now_ns)
        self._temperature.show(air.temperature_c, now_ns)

    def pressure_message(self, now_ns: int) -> FluidPressure:
        """Return the pressure in Pa; the variance is that of the white noise."""
        stamp = header(now_ns, self._site.frame_id)
        return FluidPressure(stamp, self.pressure_pa, self._pressure.variance)

    def temperature_message(self, now_ns: int) -> Temperature:
        """Return the temperature in degrees Celsius."""
        stamp = header(now_ns, self._site.frame_id)
        return Temperature(stamp, self._temperature.value, self._temperature.variance)

    def altitude_message(self, _now_ns: int) -> Float64:
        """Return the altitude in metres."""
        return Float64(self.altitude_m)
