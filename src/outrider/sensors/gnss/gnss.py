"""Satellite positioning: a fix from the satellites that the antenna can see."""

import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, matrix_from_quaternion
from outrider.core.state import State
from outrider.core.structure import number
from outrider.messages import types as ros
from outrider.sensors.gnss.error import Accuracy, FixError, Spread
from outrider.sensors.gnss.geodesy import LocalFrame
from outrider.sensors.gnss.quality import SPATIAL_FIX, Quality, RtkLock
from outrider.sensors.gnss.sky import Sky, above, cofactors
from outrider.sensors.noise import White
from outrider.sensors.sensor import Sensor, Writer
from outrider.sensors.site import Site
from outrider.sensors.work import Work
from outrider.world.assembly import WORLD

Constellation = Literal["gps", "glonass", "beidou", "galileo"]
_SERVICE = {"gps": 1, "glonass": 2, "beidou": 4, "galileo": 8}
_FIRST_NUMBER = {"gps": 1, "glonass": 65, "beidou": 201, "galileo": 301}  # as NMEA counts
_UNKNOWN, _KNOWN = 0, 3  # of NavSatFix.position_covariance_type


@dataclass(frozen=True, slots=True)
class GnssParameters:
    """A receiver's accuracy under an open sky, and the satellites above it."""

    single: Accuracy = field(default_factory=Accuracy)
    rtk_float: Accuracy | None = None
    rtk_fixed: Accuracy | None = None
    augmented: bool = False  # SBAS: the single fix counts as augmented
    float_satellites: int = number(5, least=4)
    fixed_satellites: int = number(6, least=4)
    fix_time_s: float = number(10.0, least=0.0)  # until a fixed solution is regained
    velocity_sigma: Spread = (0.0, 0.0)  # m/s, each horizontal axis and vertical
    velocity_axes: Literal["enu", "nwu"] = "enu"  # nwu: as in hector_gazebo_plugins
    constellations: tuple[Constellation, ...] = ("gps",)
    satellites: int = number(31, least=4, most=120)  # of all constellations together
    mask_deg: float = number(10.0, least=0.0, most=80.0)  # satellites below it are not used
    worst_pdop: float = number(20.0, above=1.0)  # no fix above
    occlusion: bool = True  # whether walls and trees hide satellites
    sight_m: float = number(1000.0, above=0.0)  # m within which objects hide satellites
    sky_seed: int = number(1, least=0)  # the same for all receivers of a world
    sky_start_s: float = number(0.0, least=0.0)  # the sky's time at the start

    def __post_init__(self) -> None:
        if not self.constellations:
            raise ValueError("constellations: expected at least one")


class Gnss(Sensor):
    """Measures the position of its antenna on Earth."""

    Parameters: ClassVar[type] = GnssParameters
    types: ClassVar[dict[str, str]] = {
        "fix": "sensor_msgs/msg/NavSatFix",
        "vel": "geometry_msgs/msg/Vector3Stamped",
        "status": "outrider_msgs/msg/GnssStatus",
    }

    @staticmethod
    def work(_parameters: GnssParameters, _rate_hz: float) -> Work:
        """Return what a sky of satellites behind a scene costs."""
        return Work(measurements=10)

    def __init__(self, parameters: GnssParameters, site: Site) -> None:
        self._parameters = parameters
        self._site = site
        self._frame = LocalFrame(site.world.origin)
        self._sky = Sky(site.world.origin, parameters.satellites, parameters.sky_seed)
        self._lock = RtkLock(parameters.fixed_satellites, parameters.fix_time_s)
        single, floating, fixed, velocity = site.random.spawn(4)
        self._errors = {
            Quality.SINGLE: FixError(parameters.single, single),
            Quality.RTK_FLOAT: FixError(parameters.rtk_float or Accuracy(), floating),
            Quality.RTK_FIXED: FixError(parameters.rtk_fixed or Accuracy(), fixed),
        }
        self._velocity_noise = White(velocity, 3, 1.0)
        self._period_s = 1.0 / site.rate_hz
        self._service = sum(_SERVICE[name] for name in set(parameters.constellations))
        self._last_ns = -1
        self.velocity: Array = np.zeros(3)
        self.covariance: Array = np.zeros((3, 3))
        self._second = -1  # what the sky was worked out for: ``_up`` and ``_ideal`` follow from it
        self._up: Array = np.zeros((0, 3))
        self._numbers = _numbers(parameters)
        self._up_numbers: NDArray[np.uint16] = np.zeros(0, np.uint16)
        self._seen: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._ideal: Array | None = None
        self.satellites = (0, 0)  # above the mask, and in sight
        self.dilution = (math.nan, math.nan, math.nan)
        self.quality = Quality.NONE
        self.position = (math.nan, math.nan, math.nan)

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {"fix": self.message, "vel": self.velocity_message, "status": self.status_message}

    def sample(self, now_ns: int) -> None:
        """Look which satellites are in sight, and take a fix from them."""
        dt = (now_ns - self._last_ns) * 1e-9 if self._last_ns >= 0 else self._period_s
        self._last_ns = now_ns
        place = self._site.pose.position
        self._look_up(now_ns * 1e-9 + self._parameters.sky_start_s)
        self._seen = self._in_sight(place)
        seen = self._up[self._seen]
        spread = self._ideal if len(seen) == len(self._up) else cofactors(seen)
        self.satellites = (len(self._up), len(seen))
        self.dilution = _dilution(spread)
        self.quality = self._judge(len(seen), dt)
        self._update(dt)
        if self.quality and spread is not None and self._ideal is not None:
            self._take_fix(place, spread[:3, :3], self._ideal[:3, :3])

    def _look_up(self, sky_s: float) -> None:
        """Find the satellites that are up, once a second: they move slowly."""
        if int(sky_s) != self._second:
            self._second = int(sky_s)
            directions = self._sky.directions(self._second)
            up = above(directions, self._parameters.mask_deg)
            self._up, self._up_numbers = directions[up], self._numbers[up]
            self._ideal = cofactors(self._up)

    def _in_sight(self, place: Array) -> NDArray[np.bool_]:
        """Return which satellites nothing hides."""
        if not self._parameters.occlusion or not len(self._up):
            return np.ones(len(self._up), np.bool_)
        origins = np.tile(place, (len(self._up), 1))
        site = self._site
        hits = site.scene.cast(origins, self._up, self._parameters.sight_m, site.state, site.model)
        return np.asarray(hits.shape < 0)

    def _judge(self, seen: int, dt: float) -> Quality:
        """Return the best kind of fix to be had."""
        wanted = self._parameters
        fixed = self._lock.update(seen, dt)
        if seen < SPATIAL_FIX or not self.dilution[2] <= wanted.worst_pdop:
            return Quality.NONE
        if fixed and wanted.rtk_fixed:
            return Quality.RTK_FIXED
        if wanted.rtk_float and seen >= wanted.float_satellites:
            return Quality.RTK_FLOAT
        return Quality.AUGMENTED if wanted.augmented else Quality.SINGLE

    def _update(self, dt: float) -> None:
        for error in self._errors.values():
            error.update(dt)
        h, v = self._parameters.velocity_sigma
        noise = self._velocity_noise.apply(np.zeros(3), dt)
        self.velocity = _velocity(self._site) + np.array([h, h, v]) * noise

    def _take_fix(self, place: Array, spread: Array, ideal: Array) -> None:
        kind = Quality.SINGLE if self.quality == Quality.AUGMENTED else self.quality
        error, self.covariance = self._errors[kind].error(spread, ideal)
        self.position = self._frame.geodetic(place + error)

    def get_state(self) -> State:
        """Return its errors and the last fix."""
        return State(
            errors=[error.get_state() for error in self._errors.values()],
            velocity_noise=self._velocity_noise.get_state(),
            held_s=self._lock.held_s,
            last_ns=self._last_ns,
            quality=int(self.quality),
            satellites=State(up=self.satellites[0], seen=self.satellites[1]),
            dilution=self.dilution,
            position=self.position,
            covariance=self.covariance,
            velocity=self.velocity,
        )

    def set_state(self, state: State) -> None:
        """Go on with the same errors."""
        for error, own in zip(self._errors.values(), state.parts("errors"), strict=True):
            error.set_state(own)
        self._velocity_noise.set_state(state.part("velocity_noise"))
        self._lock.held_s = state.number("held_s")
        self._last_ns = state.integer("last_ns")
        self.quality = Quality(state.integer("quality"))
        satellites = state.part("satellites")
        self.satellites = (satellites.integer("up"), satellites.integer("seen"))
        self.dilution = state.triple("dilution")
        self.position = state.triple("position")
        self.covariance = state.array("covariance", self.covariance)
        self.velocity = state.array("velocity", self.velocity)

    def message(self, now_ns: int) -> ros.NavSatFix:
        """Return the fix; without one all is not a number and the covariance unknown."""
        top = ros.header(now_ns, self._site.frame_id)
        status: ros.Message = ros.NavSatStatus(self.quality.status, self._service)
        if not self.quality:
            return ros.NavSatFix(top, status, math.nan, math.nan, math.nan, np.zeros(9), _UNKNOWN)
        return ros.NavSatFix(top, status, *self.position, self.covariance.ravel(), _KNOWN)

    def velocity_message(self, now_ns: int) -> ros.Vector3Stamped:
        """Return the velocity of the antenna, east, north, up (or as set)."""
        east, north, up = self._known_velocity
        axes = (east, north, up) if self._parameters.velocity_axes == "enu" else (north, -east, up)
        return ros.Vector3Stamped(ros.header(now_ns, self._site.frame_id), ros.Vector3(*axes))

    @property
    def _known_velocity(self) -> tuple[float, float, float]:
        """The velocity east, north and up; not a number without a fix."""
        if not self.quality:
            return math.nan, math.nan, math.nan
        east, north, up = self.velocity.tolist()
        return east, north, up

    def status_message(self, now_ns: int) -> ros.Message:
        """Return how the fix came about."""
        status = ros.message_class("outrider_msgs/msg/GnssStatus")
        top = ros.header(now_ns, self._site.frame_id)
        seen = self._seen if len(self._seen) == len(self._up) else np.zeros(len(self._up), bool)
        east, north, up = self._up.T
        hdop, vdop, pdop = self.dilution
        return status(
            header=top,
            quality=int(self.quality),
            satellites_up=self.satellites[0],
            satellites=self.satellites[1],
            hdop=hdop,
            vdop=vdop,
            pdop=pdop,
            velocity=ros.Vector3(*self._known_velocity),
            numbers=self._up_numbers,
            elevations=np.degrees(np.arcsin(np.clip(up, -1.0, 1.0))).astype(np.float32),
            azimuths=(np.degrees(np.arctan2(east, north)) % 360.0).astype(np.float32),
            used=seen,
        )


def _numbers(parameters: GnssParameters) -> NDArray[np.uint16]:
    """Return the numbers of all satellites: the constellations take turns."""
    firsts = [_FIRST_NUMBER[name] for name in dict.fromkeys(parameters.constellations)]
    number = np.arange(parameters.satellites)
    return (np.array(firsts)[number % len(firsts)] + number // len(firsts)).astype(np.uint16)


def _dilution(spread: Array | None) -> tuple[float, float, float]:
    """Return horizontal, vertical and position dilution."""
    if spread is None:
        return math.nan, math.nan, math.nan
    h, v = spread[0, 0] + spread[1, 1], spread[2, 2]
    return math.sqrt(h), math.sqrt(v), math.sqrt(h + v)


def _velocity(site: Site) -> Array:
    """Return the true velocity of the sensor's place, in the world's axes."""
    if site.body == WORLD:
        return np.zeros(3)
    body = site.state.bodies[site.body]
    arm = matrix_from_quaternion(body["rotation"]) @ site.T_body_sensor.position
    return np.asarray(body["velocity"] + np.cross(body["angular_velocity"], arm))
