"""Inertial measurement unit: accelerometer, gyroscope, and the attitude derived from them."""

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.core.state import State, StateGroup
from outrider.messages.types import Imu as ImuMessage
from outrider.messages.types import Quaternion, Vector3, Vector3Stamped, header
from outrider.sensors.imu.attitude import Attitude, AttitudeSpec, Numbers
from outrider.sensors.imu.motion import ImuMotion
from outrider.sensors.imu.reading import ImuReading
from outrider.sensors.sensor import Sensor, Writer
from outrider.sensors.site import Site
from outrider.sensors.triad import Triad


@dataclass(frozen=True, slots=True)
class ImuParameters:
    """The manufacturer's specifications: accelerometer in m/s^2, gyroscope in rad/s."""

    accelerometer: Triad = field(default_factory=Triad)
    gyroscope: Triad = field(default_factory=Triad)
    attitude: AttitudeSpec = field(default_factory=AttitudeSpec)


class Imu(Sensor):
    """Measures specific force (+9.8 upward at rest) and angular rate at its pose on the body."""

    Parameters: ClassVar[type] = ImuParameters
    types: ClassVar[dict[str, str]] = {
        "data": "sensor_msgs/msg/Imu",
        "accelerometer": "geometry_msgs/msg/Vector3Stamped",
        "gyroscope": "geometry_msgs/msg/Vector3Stamped",
    }

    def __init__(self, parameters: ImuParameters, site: Site) -> None:
        _check_rate(site)
        force, rate, attitude = site.random.spawn(3)
        self._site = site
        self._motion = ImuMotion(site)
        self._accelerometer = parameters.accelerometer.errors(force)
        self._gyroscope = parameters.gyroscope.errors(rate)
        gravity = math.hypot(*site.world.gravity)
        self._attitude = Attitude(
            parameters.attitude, parameters.accelerometer, gravity, site.rate_hz, attitude
        )
        self._force_covariance = _diagonal(parameters.accelerometer.sigma(site.rate_hz))
        self._rate_covariance = _diagonal(parameters.gyroscope.sigma(site.rate_hz))
        self._reading = ImuReading(
            self._motion, self._accelerometer, self._gyroscope, self._attitude
        )
        self._numbers: list[float] = self._reading.numbers.tolist()
        self._step_s = site.step_ns * 1e-9
        self._due: list[tuple[int, int]] = []  # samples not worked out yet: time and steps before
        self._most = _most_put_off(site)
        self._parts = StateGroup(
            {
                "motion": self._motion,
                "accelerometer": self._accelerometer,
                "gyroscope": self._gyroscope,
                "filter": self._attitude,
            }
        )

    @staticmethod
    def looks_back(_parameters: ImuParameters, rate_hz: float) -> float:
        """Return the time it measures over, in seconds."""
        return 1.0 / rate_hz

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {
            "data": self.message,
            "accelerometer": self.accelerometer_message,
            "gyroscope": self.gyroscope_message,
        }

    def sample(self, now_ns: int) -> None:
        """Note that it is time: what it measures then is worked out when somebody reads it."""
        self._due.append((now_ns, self._motion.steps_until(now_ns)))
        if len(self._due) >= self._most:
            self._catch_up()

    @property
    def force(self) -> Array:
        """The specific force of the last sample, m/s^2."""
        return np.array(self._shown[:3])

    @property
    def rate(self) -> Array:
        """The angular rate of the last sample, rad/s."""
        return np.array(self._shown[3:6])

    @property
    def attitude(self) -> Numbers:
        """The attitude of the last sample."""
        x, y, z, w = self._shown[6:]
        return x, y, z, w

    @property
    def _shown(self) -> list[float]:
        """Force, rate and attitude of the last sample, as plain numbers."""
        if self._due:
            self._catch_up()
        return self._numbers

    def _catch_up(self) -> None:
        """Measure the mean over the time before the last sample; errors wandered on until then."""
        self._motion.measure(self._due)
        *unread, dt = [steps * self._step_s for _, steps in self._due]
        if unread:
            self._reading.skip(unread)
        self._reading.update(dt)
        self._numbers = self._reading.numbers.tolist()
        self._due.clear()

    def get_state(self) -> State:
        """Return its errors and the last measurement."""
        own = State(force=self.force, rate=self.rate, attitude=self.attitude)
        return State(self._parts.get_state(), measured=own)

    def set_state(self, state: State) -> None:
        """Go on with the same errors."""
        self._due.clear()
        self._parts.set_state(state)
        own = state.part("measured")
        force, rate = own.array("force", np.zeros(3)), own.array("rate", np.zeros(3))
        x, y, z, w = own.numbers("attitude")
        self._numbers = [*force.tolist(), *rate.tolist(), x, y, z, w]

    def message(self, now_ns: int) -> ImuMessage:
        """Return everything in one message; covariances are those of the white noise."""
        fx, fy, fz, rx, ry, rz, x, y, z, w = self._shown
        return ImuMessage(
            header(now_ns, self._site.frame_id),
            Quaternion(x, y, z, w),
            self._attitude.covariance,
            Vector3(rx, ry, rz),
            self._rate_covariance,
            Vector3(fx, fy, fz),
            self._force_covariance,
        )

    def accelerometer_message(self, now_ns: int) -> Vector3Stamped:
        """Return the specific force alone."""
        return Vector3Stamped(header(now_ns, self._site.frame_id), Vector3(*self._shown[:3]))

    def gyroscope_message(self, now_ns: int) -> Vector3Stamped:
        """Return the angular rate alone."""
        return Vector3Stamped(header(now_ns, self._site.frame_id), Vector3(*self._shown[3:6]))


def _diagonal(sigma: float) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    return np.diag([sigma**2] * 3).ravel()


def _most_put_off(site: Site) -> int:
    """Return how many samples the history is sure to have all states of."""
    steps = math.ceil(1e9 / site.rate_hz / site.step_ns)
    return max(1, site.history.steps // steps - 1)


def _check_rate(site: Site) -> None:
    """Refuse a rate above the engine's: there is no motion within a step."""
    most = 1e9 / site.step_ns
    if site.rate_hz > most * (1 + 1e-9):
        raise ConfigError(
            f"sensor '{site.name}': an IMU measures at most once per physics step, which is"
            f" {most:g} Hz here, not {site.rate_hz:g}; lower rate_hz or the step"
        )
