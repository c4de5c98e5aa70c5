"""The weather of a simulation, as sensors and physics ask for it."""

from outrider.core.clock import to_s
from outrider.core.frames import Array
from outrider.weather.air import density
from outrider.weather.atmosphere import Air, air_above, standard_air
from outrider.weather.spec import FAIR, WeatherSpec
from outrider.weather.timeline import weather_at
from outrider.weather.wind import Wind


class Weather:
    """What the weather is at a time; without a ``weather:`` section it is fair and still.

    >>> site.weather.air(now_ns, height_m).temperature_c    # a thermometer
    >>> site.weather.air(now_ns, height_m).pressure_pa      # a barometer
    """

    def __init__(
        self, spec: WeatherSpec | None = None, seed: int = 1, altitude_m: float = 0.0
    ) -> None:
        """``altitude_m`` is that of the world's origin above the sea."""
        self._altitude_m = altitude_m
        self._standard = standard_air(altitude_m)
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

    def air(self, time_ns: int, height_m: float = 0.0) -> Air:
        """Return the air at a height (z) of the world: as given, else the standard air."""
        now, standard = self.at(time_ns), self._standard
        ground = Air(
            standard.temperature_c if now.temperature_c is None else now.temperature_c,
            standard.pressure_pa if now.pressure_hpa is None else 100.0 * now.pressure_hpa,
        )
        return air_above(ground, self._altitude_m, height_m)

    def density(self, time_ns: int, height_m: float = 0.0) -> float:
        """Return the air's density at a height (z) of the world, kg/m^3."""
        air = self.air(time_ns, height_m)
        return density(air.pressure_pa, air.temperature_c, self.at(time_ns).humidity)

    def wind_velocity(self, time_ns: int) -> Array:
        """Return the air's velocity now, m/s: x east, y north, z up."""
        return self.wind.velocity(self.at(time_ns))
