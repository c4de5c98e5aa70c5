"""Ultrasonic rangers and sonars: the first echo's time of flight, converted to a distance."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from outrider.core.structure import number
from outrider.messages.types import Range
from outrider.sensors.distance.cone import BeamCone
from outrider.sensors.distance.echo import EchoCaster
from outrider.sensors.distance.output import NOWHERE, RangeOutput, check_limits
from outrider.sensors.distance.sound import Medium, echo_loss, speed_of_sound
from outrider.sensors.sensor import Sensor, Writer
from outrider.sensors.site import Site
from outrider.sensors.work import Work
from outrider.weather.air import sound_absorption
from outrider.weather.atmosphere import SEA_LEVEL_PA


@dataclass(frozen=True, slots=True)
class UltrasonicParameters:
    """Beam, limits, errors, and what the device reports without an echo."""

    cones: tuple[BeamCone, ...]
    min_range: float = number(0.02, least=0.0)  # dead zone, where the pulse hides the echo
    max_range: float = number(3.0, above=0.0)  # m
    incidence_limit_deg: float = number(
        30.0, above=0.0, most=90.0
    )  # smooth walls mirror sound away
    echo_rays: int = number(1, least=1)  # number of rays that make an echo strong enough ...
    echo_depth: float = number(0.04, least=0.0)  # ... if they end within this many metres
    noise: float = number(0.0, least=0.0)  # standard deviation, m
    noise_share: float = number(0.0, least=0.0)  # and as a fraction of the distance
    missed: float = number(0.0, least=0.0, most=1.0)  # fraction of echoes that are missed
    resolution: float = number(0.0, least=0.0)  # m; 0: not rounded
    medium: Medium = "air"
    frequency_hz: float = number(40_000.0, above=0.0)  # for absorption by the air
    temperature_c: float = number(20.0, least=-90.0, most=100.0)  # what it is
    assumed_temperature_c: float = number(20.0, least=-90.0, most=100.0)  # assumed by the device
    too_near: Literal["minus_infinity", "minimum"] = "minus_infinity"
    nothing: Literal["infinity", "maximum"] = "infinity"

    def __post_init__(self) -> None:
        check_limits(self.min_range, self.max_range, len(self.cones))


class Ultrasonic(Sensor):
    """Listens for the first echo that is loud enough."""

    Parameters: ClassVar[type] = UltrasonicParameters
    types: ClassVar[dict[str, str]] = {
        "range": "sensor_msgs/msg/Range",
        "hit": "geometry_msgs/msg/PointStamped",
    }
    state_fields = ("_random", "output")

    @staticmethod
    def work(parameters: UltrasonicParameters, _rate_hz: float) -> Work:
        """Return how many rays a pulse casts."""
        return Work(rays=sum(cone.rays for cone in parameters.cones))

    def __init__(self, parameters: UltrasonicParameters, site: Site) -> None:
        p = self._parameters = parameters
        self._random = site.random
        self._caster = EchoCaster(site, p.cones, p.incidence_limit_deg)
        limits = (p.min_range, p.max_range)
        self.beam = self._caster.beam  # for drawing
        fov_rad = self.beam.field_of_view_rad
        self.output = RangeOutput(site, Range.ULTRASOUND, fov_rad, limits)
        self._site = site

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {"range": self.output.range_message, "hit": self.output.hit_message}

    def sample(self, _now_ns: int) -> None:
        """Send a pulse and take the first echo."""
        p, output = self._parameters, self.output
        missed, error = self._random.random() < p.missed, self._random.standard_normal()
        echoes = self._caster.cast()
        found = echoes.first_group(p.echo_rays, p.echo_depth)
        if found >= 0 and self._lost(float(echoes.distance[found])):
            found = -1
        if found < 0 or missed:
            output.range, output.point = self._limited(math.inf), NOWHERE
            return
        distance = float(echoes.distance[found]) * self._scale()
        deviation = p.noise + p.noise_share * distance
        output.variance = deviation * deviation
        output.range = self._limited(self._rounded(distance + deviation * error))
        output.point = echoes.point(found)

    @property
    def _temperature_c(self) -> float:
        """The air's temperature: the weather's, or that of its parameters."""
        site, own = self._site, self._parameters.temperature_c
        now_ns = site.state.time_ns
        if self._parameters.medium != "air" or site.weather.at(now_ns).temperature_c is None:
            return own
        return site.air(now_ns).temperature_c

    def _scale(self) -> float:
        """Return how far too long distances come out, as the device takes another temperature."""
        p = self._parameters
        true = speed_of_sound(self._temperature_c, p.medium)
        return speed_of_sound(p.assumed_temperature_c, p.medium) / true

    def _lost(self, distance: float) -> bool:
        """Return whether the weather's air takes more of an echo than the device can miss.

        It hears what comes from max_range at 20 degrees C and 50 % humidity.
        """
        p, weather = self._parameters, self._site.weather
        if p.medium != "air" or not weather.given:
            return False
        now_ns = self._site.state.time_ns
        now, pascal = weather.at(now_ns), weather.air(now_ns).pressure_pa
        here = sound_absorption(p.frequency_hz, self._temperature_c, now.humidity, pascal)
        usual = sound_absorption(p.frequency_hz, 20.0, 0.5, SEA_LEVEL_PA)
        return echo_loss(distance, here) > echo_loss(p.max_range, usual)

    def _rounded(self, distance: float) -> float:
        step = self._parameters.resolution
        return round(distance / step) * step if step else distance

    def _limited(self, distance: float) -> float:
        p = self._parameters
        if distance > p.max_range:
            return p.max_range if p.nothing == "maximum" else math.inf
        if distance < p.min_range:
            return p.min_range if p.too_near == "minimum" else -math.inf
        return distance
