"""Magnetometer, and the compass derived from it."""

import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from outrider.core.frames import (
    Array,
    matrix_from_quaternion,
    quaternion_from_rpy,
    rpy_from_quaternion,
)
from outrider.core.structure import number
from outrider.messages.types import Float64, Int16, MagneticField, Vector3, header
from outrider.sensors.magnetism import earth_field
from outrider.sensors.sensor import Sensor, Writer
from outrider.sensors.site import Site
from outrider.sensors.triad import Triad

Row = tuple[float, float, float]
_SQUARE: tuple[Row, Row, Row] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class CompassParameters:
    """Errors in tesla, and how the heading is derived from the field."""

    magnetometer: Triad = field(default_factory=Triad)
    hard_iron: Row = (0.0, 0.0, 0.0)  # T: magnets that rotate with the robot
    soft_iron: tuple[Row, Row, Row] = _SQUARE  # iron that distorts the field
    year: float = 2026.0  # decimal year
    tilt_compensated: bool = False  # false: two axes in its own plane, as in the HMC6352
    reference: Literal["magnetic", "true"] = "magnetic"
    heading_sigma_deg: float = number(0.0, least=0.0)
    heading_step_deg: float = number(0.1, above=0.0, most=360.0)


class Compass(Sensor):
    """Measures the Earth's field in its own axes; headings increase clockwise from north."""

    Parameters: ClassVar[type] = CompassParameters
    types: ClassVar[dict[str, str]] = {
        "field": "sensor_msgs/msg/MagneticField",
        "heading": "std_msgs/msg/Float64",
        "raw": "std_msgs/msg/Int16",
    }
    state_fields = (
        "_errors",
        "_noise",
        "_last_ns",
        "field",
        "heading_deg",
    )

    def __init__(self, parameters: CompassParameters, site: Site) -> None:
        self._parameters = parameters
        self._site = site
        self._earth = earth_field(site.world.origin, parameters.year)
        self._soft = np.array(parameters.soft_iron)
        self._hard = np.array(parameters.hard_iron)
        magnetometer, heading = site.random.spawn(2)
        self._errors = parameters.magnetometer.errors(magnetometer)
        self._noise = Triad(noise_sigma=parameters.heading_sigma_deg).errors(heading, 1)
        self._covariance = np.diag([parameters.magnetometer.sigma(site.rate_hz) ** 2] * 3).ravel()
        self._period_s = 1.0 / site.rate_hz
        self._last_ns = -1
        self.field: Array = np.zeros(3)
        self.heading_deg = 0.0

    @property
    def declination_deg(self) -> float:
        """How far magnetic north is east of true north."""
        return math.degrees(math.atan2(self._earth[0], self._earth[1]))

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {"field": self.message, "heading": self.heading_message, "raw": self.raw_message}

    def sample(self, now_ns: int) -> None:
        """Measure the field, and make a heading of it."""
        dt = (now_ns - self._last_ns) * 1e-9 if self._last_ns >= 0 else self._period_s
        self._last_ns = now_ns
        rotation = self._site.pose.rotation
        true = matrix_from_quaternion(rotation).T @ self._earth
        self.field = self._errors.apply(self._soft @ true + self._hard, dt)
        north = self._bearing(rotation) + float(self._noise.apply(np.zeros(1), dt)[0])
        if self._parameters.reference == "true":
            north += self.declination_deg
        step = self._parameters.heading_step_deg
        self.heading_deg = step * (round(north / step) % round(360 / step))

    def _bearing(self, rotation: Array) -> float:
        """Return the heading against the measured field, in degrees."""
        field = self.field
        if self._parameters.tilt_compensated:
            roll, pitch, _ = rpy_from_quaternion(rotation)
            field = matrix_from_quaternion(quaternion_from_rpy(roll, pitch, 0.0)) @ field
        return math.degrees(math.atan2(field[1], field[0]))

    def message(self, now_ns: int) -> MagneticField:
        """Return the field in the sensor's axes."""
        top = header(now_ns, self._site.frame_id)
        return MagneticField(top, Vector3(*self.field.tolist()), self._covariance)

    def heading_message(self, _now_ns: int) -> Float64:
        """Return the heading in degrees."""
        return Float64(self.heading_deg)

    def raw_message(self, _now_ns: int) -> Int16:
        """Return the heading in tenths of degrees, 0 to 3599."""
        return Int16(round(self.heading_deg * 10) % 3600)
