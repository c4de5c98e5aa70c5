"""Barometers: the pressure of the air, its altitude, and the chip's temperature."""

from dataclasses import dataclass, field
from typing import ClassVar

from outrider.core.state import State, StateGroup
from outrider.core.structure import number
from outrider.messages.types import Float64, FluidPressure, Temperature, header
from outrider.sensors.air.atmosphere import SEA_LEVEL_PA, air_around, pressure_altitude
from outrider.sensors.gauge import Gauge
from outrider.sensors.imu.triad import Triad
from outrider.sensors.sensor import Sensor, Writer
from outrider.sensors.site import Site


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

    def __init__(self, parameters: BarometerParameters, site: Site) -> None:
        self._parameters = parameters
        self._site = site
        pressure, temperature = site.random.spawn(2)
        self._pressure = Gauge(parameters.pressure, pressure, site.rate_hz)
        self._temperature = Gauge(parameters.temperature, temperature, site.rate_hz)
        self._gauges = StateGroup({"pressure": self._pressure, "temperature": self._temperature})

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
        air = air_around(self._site)
        self._pressure.show(air.pressure_pa, now_ns)
        self._temperature.show(air.temperature_c, now_ns)

    def get_state(self) -> State:
        """Return its errors and the last measurement."""
        return self._gauges.get_state()

    def set_state(self, state: State) -> None:
        """Go on with the same errors."""
        self._gauges.set_state(state)

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
