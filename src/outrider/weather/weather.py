"""The weather of a simulation, as sensors and physics ask for it."""

from outrider.core.clock import to_s
from outrider.core.frames import Array
from outrider.weather.air import STANDARD_C, STANDARD_PA, density, pressure_at, temperature_at
from outrider.weather.course import weather_at
from outrider.weather.spec import FAIR, WeatherSpec
from outrider.weather.wind import Wind


class Weather:
    """What the weather is at a time; without a ``weather:`` section it is fair and still.

    >>> site.weather.temperature_c(now_ns, height_m)    # a thermometer
    >>> site.weather.pressure_pa(now_ns, height_m)      # a barometer
    """

    def __init__(
        self, spec: WeatherSpec | None = None, seed: int = 1, altitude_m: float = 0.0
    ) -> None:
        """``altitude_m`` is that of the world's origin above the sea."""
        self._standard_c = temperature_at(STANDARD_C, altitude_m)
        self._standard_pa = pressure_at(STANDARD_PA, STANDARD_C, altitude_m)
        self.given = spec is not None  # False: sensors keep to their own parameters
        self.spec = spec or FAIR
        self.wind = Wind(seed)
        self._last = (-1, self.spec)

    def at(self, time_ns: int) -> WeatherSpec:
        """Return what holds at a simulated time."""
        if not self.spec.changes:
            return self.spec
        if self._last[0] != time_ns:
            self._last = time_ns, weather_at(self.spec, to_s(time_ns))
        return self._last[1]

    def temperature_c(self, time_ns: int, height_m: float = 0.0) -> float:
        """Return the air's temperature at a height (z) of the world."""
        given = self.at(time_ns).temperature_c
        return temperature_at(self._standard_c if given is None else given, height_m)

    def pressure_pa(self, time_ns: int, height_m: float = 0.0) -> float:
        """Return the air's pressure at a height (z) of the world."""
        given = self.at(time_ns).pressure_hpa
        ground = self._standard_pa if given is None else 100.0 * given
        return pressure_at(ground, self.temperature_c(time_ns), height_m)

    def density(self, time_ns: int, height_m: float = 0.0) -> float:
        """Return the air's density at a height (z) of the world, kg/m^3."""
        warmth, pressure = (
            self.temperature_c(time_ns, height_m),
            self.pressure_pa(time_ns, height_m),
        )
        return density(pressure, warmth, self.at(time_ns).humidity)

    def wind_velocity(self, time_ns: int) -> Array:
        """Return the air's velocity now, m/s: x east, y north, z up."""
        return self.wind.velocity(self.at(time_ns))
