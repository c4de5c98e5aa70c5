"""Infrared rangers that triangulate a spot of light: a voltage that falls with the distance."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outrider.core.frames import Array
from outrider.core.structure import number
from outrider.messages.types import Float32, Range
from outrider.sensors.distance.cone import BeamCone
from outrider.sensors.distance.echo import EchoCaster
from outrider.sensors.distance.output import NOWHERE, RangeOutput, check_limits
from outrider.sensors.sensor import Sensor, Writer
from outrider.sensors.site import Site
from outrider.sensors.work import Work


@dataclass(frozen=True, slots=True)
class VoltageCurve:
    """Volts over metres: a / (d + b) + offset, and falling again nearer than the peak."""

    a: float = number(above=0.0)  # V m
    b: float = number(least=0.0)  # m
    offset: float = 0.0  # V
    peak: float = number(0.06, above=0.0)  # m
    at_zero: float = number(0.0, least=0.0)  # V directly at the lens

    def voltage(self, distance: Array) -> Array:
        """Return what the device gives for true distances."""
        far = self.a / (np.maximum(distance, self.peak) + self.b) + self.offset
        share = np.minimum(distance / self.peak, 1.0)
        return self.at_zero + (far - self.at_zero) * share

    def distance(self, voltage: float) -> float:
        """Return what a driver reads from it; it takes the far side of the peak for granted."""
        above = voltage - self.offset
        return self.a / above - self.b if above > 0 else math.inf


@dataclass(frozen=True, slots=True)
class InfraredParameters:
    """Beam, limits, curve and errors."""

    cones: tuple[BeamCone, ...]
    curve: VoltageCurve
    min_range: float = number(0.1, least=0.0)  # m
    max_range: float = number(0.8, above=0.0)  # m
    incidence_limit_deg: float = number(80.0, above=0.0, most=90.0)
    least_share: float = number(0.2, above=0.0, most=1.0)  # fraction of the rays that must return
    noise_v: float = number(0.0, least=0.0)  # standard deviation
    step_v: float = number(0.0, least=0.0)  # quantisation step; 0: not rounded

    def __post_init__(self) -> None:
        check_limits(self.min_range, self.max_range, len(self.cones))


class Infrared(Sensor):
    """Measures where the returning light falls on its detector, as a mean over the spot."""

    Parameters: ClassVar[type] = InfraredParameters
    types: ClassVar[dict[str, str]] = {
        "range": "sensor_msgs/msg/Range",
        "voltage": "std_msgs/msg/Float32",
        "hit": "geometry_msgs/msg/PointStamped",
    }
    state_fields = ("_random", "output", "voltage")

    @staticmethod
    def work(parameters: InfraredParameters, _rate_hz: float) -> Work:
        """Return how many rays a pulse casts."""
        return Work(rays=sum(cone.rays for cone in parameters.cones))

    def __init__(self, parameters: InfraredParameters, site: Site) -> None:
        p = self._parameters = parameters
        self._random = site.random
        self._caster = EchoCaster(site, p.cones, p.incidence_limit_deg, light=True)
        beam = self.beam = self._caster.beam  # for drawing
        limits = (p.min_range, p.max_range)
        self._least = p.least_share * len(beam.directions)
        self.output = RangeOutput(site, Range.INFRARED, beam.field_of_view_rad, limits)
        self.voltage = p.curve.offset

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {
            "range": self.output.range_message,
            "voltage": self.voltage_message,
            "hit": self.output.hit_message,
        }

    def sample(self, _now_ns: int) -> None:
        """Look where the spot is."""
        p, output = self._parameters, self.output
        echoes = self._caster.cast()
        seen = len(echoes) >= self._least
        # places on the detector go with the voltage, so the mean is taken there, not in metres
        level = float(p.curve.voltage(echoes.distance).mean()) if seen else p.curve.offset
        level = max(0.0, level + p.noise_v * self._random.standard_normal())
        self.voltage = round(level / p.step_v) * p.step_v if p.step_v else level
        output.range = self._limited(p.curve.distance(self.voltage))
        output.point = echoes.point(0) if seen else NOWHERE

    def voltage_message(self, _now_ns: int) -> Float32:
        """Return the output in volts."""
        return Float32(self.voltage)

    def _limited(self, distance: float) -> float:
        p = self._parameters
        if distance > p.max_range:
            return math.inf
        return distance if distance >= p.min_range else -math.inf
