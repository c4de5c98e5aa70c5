"""LiDARs, from one spinning beam to 128: every firing at its own time and pose."""

from collections.abc import Mapping
from fractions import Fraction
from time import perf_counter
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from outrider.core.clock import NS_PER_S
from outrider.core.errors import ConfigError
from outrider.core.frames import matrix_from_quaternion
from outrider.core.process.helper_threads import helpers
from outrider.core.state import State
from outrider.messages.types import LaserScan, PointCloud2, header
from outrider.scene.past_poses import PastPoses
from outrider.scene.sensor_rays import NO_MODEL, SensorHits
from outrider.scene.surface import Floats32
from outrider.sensors.lidar.air import DRAWS, BeamAir, through_air
from outrider.sensors.lidar.beams import Beams, make_beams, ray_count, span_ns
from outrider.sensors.lidar.kernels import LIMITS, aim, gather, measure, pack, pack_rows, single
from outrider.sensors.lidar.parameters import LidarParameters
from outrider.sensors.lidar.point_cloud import POINT, cloud_message
from outrider.sensors.lidar.sweep import LEAST_RAYS, NEVER, LidarSweep
from outrider.sensors.lidar.sweep_kernels import LidarRays
from outrider.sensors.sensor import Sensor, Writer
from outrider.sensors.site import Site
from outrider.sensors.work import Work
from outrider.weather.spec import WeatherSpec
from outrider.world.assembly import WORLD

_DRAWS = 1 << 32  # random numbers set aside for each nanosecond: more than any scan draws
_WAYS = {"strongest": 0, "first": 1, "last": 2}


class Lidar(Sensor):
    """Scans only for subscribers; random numbers of skipped scans are skipped too."""

    looks_ahead: ClassVar[bool] = True
    Parameters: ClassVar[type] = LidarParameters
    types: ClassVar[dict[str, str]] = {
        "points": "sensor_msgs/msg/PointCloud2",
        "scan": "sensor_msgs/msg/LaserScan",
    }

    @staticmethod
    def looks_back(parameters: LidarParameters, rate_hz: float) -> float:
        """Return how long a scan takes."""
        try:
            return span_ns(parameters, rate_hz) / NS_PER_S
        except ValueError as error:
            raise ConfigError(f"lidar: {error}") from None

    @staticmethod
    def work(parameters: LidarParameters, rate_hz: float) -> Work:
        """Return how many rays a scan has."""
        try:
            return Work(rays=ray_count(parameters, rate_hz))
        except ValueError as error:
            raise ConfigError(f"lidar: {error}") from None

    def __init__(self, parameters: LidarParameters, site: Site) -> None:
        self._p = parameters
        self._site = site
        try:
            self._beams = make_beams(parameters, site.rate_hz)
        except ValueError as error:
            raise ConfigError(f"sensor '{site.name}': {error}") from None
        turn = NS_PER_S / Fraction(site.rate_hz).limit_denominator(1_000_000)
        self._turn_ns = (turn.numerator, turn.denominator)
        bias = site.random.standard_normal(parameters.channels, np.float32)
        self._bias = (bias * parameters.bias_sigma).astype(np.float32)
        if parameters.angle_sigma_deg > 0:
            turns = site.random.standard_normal((2, parameters.channels))
            off = np.radians(parameters.angle_sigma_deg) * turns
            self._beams = make_beams(parameters, site.rate_hz, off)
        self._random_start = site.random.bit_generator.state
        self._set_limits()
        self._make_buffers()
        self._end_ns = self._scanned_ns = -1
        self._sweep: LidarSweep | None = None  # made when it is first wanted
        self._ahead_ns = 0  # when there is something to cast ahead; 0: of a new revolution
        self._air: BeamAir | None = None
        self._air_of: WeatherSpec | None = None

    def get_state(self) -> State:
        """Return when the last scan ended: all else follows from that and the recent past."""
        return State(end_ns=self._end_ns)

    def set_state(self, state: State) -> None:
        """Know when the last scan ended; it is cast again if it is wanted."""
        self._end_ns, self._scanned_ns = state.integer("end_ns"), -1
        if self._sweep is not None:
            self._sweep.drop()
        self._ahead_ns = 0

    @property
    def outputs(self) -> Mapping[str, Writer]:
        """Its outputs."""
        writers: dict[str, Writer] = {"points": self.points, "scan": self.scan}
        return {name: writers[name] for name in self._p.outputs}

    def sample(self, now_ns: int) -> None:
        """Note when the scan ended; it is cast when somebody wants it."""
        over, under = self._turn_ns
        span_ns = self._beams.span_ns
        due_ns = span_ns + (now_ns - span_ns) * under // over * over // under
        # a scan that ended within the last step ended at its own time, not at the step's
        self._end_ns = due_ns if now_ns - due_ns < self._site.step_ns else now_ns
        if self._ahead_ns != NEVER or self._sweep is not None:
            self._ahead_ns = 0

    def look_ahead(self, now_ns: int) -> None:
        """Cast rays that were fired already, on another core, if there are many."""
        if now_ns < self._ahead_ns or not helpers().most:
            return
        sweep = self._sweep or self._make_sweep()
        if sweep is not None:
            if self._ahead_ns == 0:
                sweep.begin(self._next_start_ns(), self._site.history.changes)
            sweep.step(now_ns, self._own_past)
        self._ahead_ns = NEVER if sweep is None else sweep.due_ns

    def _make_sweep(self) -> LidarSweep | None:
        static_view = self._site.scene.static_view(self._ignored)
        if len(self._offsets_ns) >= LEAST_RAYS and static_view is not None:
            rays = LidarRays(
                self._rays, self._offsets_ns, self._lever, self._p.housing_m, self._reach
            )
            self._sweep = LidarSweep(rays, static_view)
        return self._sweep

    def _next_start_ns(self) -> int:
        """Return when the next revolution starts, if it is on time."""
        over, under = self._turn_ns
        turn = self._start_ns * under // over
        starts = (k * over // under for k in range(turn, turn + 3))
        return next(start for start in starts if start > self._start_ns)

    def points(self, _now_ns: int) -> PointCloud2:
        """Return the scan as points in the sensor's frame at each firing: bent if it moved."""
        self._scan()
        beams, p = self._beams, self._p
        cloud = np.empty(len(beams), POINT)
        common = (self._ranges, self._intensity, beams.directions, beams.ring)
        height = 1
        if p.organised:
            pack_rows(*common, beams.column, beams.columns, self._seconds, cloud)
            height = p.channels
        else:
            cloud = cloud[: pack(*common, self._seconds, cloud)]
        return cloud_message(cloud, height, not p.organised, self._stamp_ns, self._site.frame_id)

    def scan(self, _now_ns: int) -> LaserScan:
        """Return one ring as a scan with rising angles; REP 117 for what is out of range."""
        self._scan()
        rows, p = self._scan_rows, self._p
        azimuth = self._beams.azimuth[rows]
        offsets = self._beams.offsets_ns[rows]
        count = max(len(rows) - 1, 1)
        return LaserScan(
            header=header(self._start_ns + int(offsets[0]), self._site.frame_id),
            angle_min=float(azimuth[0]),
            angle_max=float(azimuth[-1]),
            angle_increment=abs(self._beams.step_rad),
            # negative if clockwise
            time_increment=float(offsets[-1] - offsets[0]) / count / NS_PER_S,
            scan_time=1.0 / self._site.rate_hz,
            range_min=p.range_min,
            range_max=p.range_max,
            ranges=self._ranges[rows],
            intensities=self._intensity[rows],
        )

    @property
    def rays(self) -> tuple[Floats32, Floats32]:
        """Origins and directions (n, 3) of the last scan's rays, channel by channel, in the world.

        They are not to be changed.
        """
        return self._origins, self._directions

    @property
    def _start_ns(self) -> int:
        return self._end_ns - self._beams.span_ns

    @property
    def _stamp_ns(self) -> int:
        return self._start_ns if self._p.stamp == "start" else self._end_ns

    def _scan(self) -> None:
        """Cast the rays of the last revolution and measure, once for all outputs."""
        if self._scanned_ns == self._end_ns:
            return
        self._scanned_ns = self._end_ns
        hits = self._swept()
        if hits is None:
            began = perf_counter()
            hits = self._look()
            if self._sweep is not None:
                self._sweep.quicker.note(False, perf_counter() - began)
        found = (hits.distance, hits.cosine, hits.reflectivity, hits.shape)
        if self._rays_each == 1:
            single(self._order, *found, self._ranges, self._intensity)
        else:
            measured = self._ranges, self._intensity
            gather(self._limits, self._rays_each, self._order, *found, *measured)
        self._weather()
        measure(
            limits=self._limits,
            noise_range=self._noise[0],
            noise_sigma=self._noise[1],
            bias=self._bias,
            channel=self._beams.channel,
            normal=self._normal,
            chance=self._chance,
            ranges=self._ranges,
            echoes=self._intensity,
        )

    @property
    def _ignored(self) -> int:
        return NO_MODEL if self._p.sees_own_robot else self._site.model

    def _look(self) -> SensorHits:
        """Cast all rays of the revolution now."""
        site = self._site
        self._draw()
        self._aim()
        self._far[:] = self._reach
        rays = (self._origins, self._directions, self._far, self._when)
        past, echo = site.history.past, self._p.echo
        return site.scene.look(*rays, past, self._ignored, by_light=True, alike=True, echo=echo)

    def _swept(self) -> SensorHits | None:
        """Return what the revolution saw if its rays are cast already, or most of them."""
        sweep, history = self._sweep, self._site.history
        if sweep is None or not sweep.fits(self._start_ns, history.changes):
            return None
        sweep.finish(self._own_past(), self._draw)
        if not sweep.static_view.alone:
            rays = (sweep.origins, sweep.directions, sweep.when)
            self._site.scene.look_before(sweep.hits, *rays, history.past, self._ignored)
        # those of the last scan may still be read while the next revolution is cast
        self._origins, sweep.origins = sweep.origins, self._origins
        self._directions, sweep.directions = sweep.directions, self._directions
        return sweep.hits

    def _weather(self) -> None:
        """Let fog, rain, snow and dust take from the echoes, and send some of their own."""
        weather = self._site.weather
        if not weather.given:
            return
        now = weather.at(self._end_ns)
        if self._air_of is not now:
            self._air, self._air_of = BeamAir(now, self._p), now
        if self._air is not None and not self._air.clear:
            draws = self._site.random.random((DRAWS, len(self._ranges)), np.float32)
            measured = self._chance, self._ranges, self._intensity
            through_air(self._air.row, self._air.places, draws, self._limits, *measured)

    def _draw(self) -> None:
        """Draw the scan's random numbers: they depend on its time, not on earlier subscribers."""
        random = self._site.random
        random.bit_generator.state = self._random_start
        random.bit_generator.advance(_DRAWS * (1 + self._end_ns))  # type: ignore[attr-defined]
        if len(self._normal):
            random.standard_normal(dtype=np.float32, out=self._normal)
        if len(self._chance):
            random.random(dtype=np.float32, out=self._chance)

    def _aim(self) -> None:
        past = self._own_past()
        aim(
            bodies=past.bodies,
            times=past.times,
            first=past.first,
            count=past.count,
            body=0,
            lever=self._lever,
            rays=self._rays,
            housing=self._p.housing_m,
            start_ns=self._start_ns,
            offsets=self._offsets_ns,
            scratch=self._scratch,
            origins=self._origins,
            directions=self._directions,
            when=self._when,
            begin_ray=0,
            end_ray=len(self._offsets_ns),
        )

    def _own_past(self) -> PastPoses:
        """Return the past of the sensor's own body alone."""
        site = self._site
        if site.body == WORLD:
            return self._still
        return site.history.past.only(site.body)

    def _set_limits(self) -> None:
        p = self._p
        row = np.zeros(1, LIMITS)
        row["range_min"], row["range_max"] = p.range_min, p.range_max
        row["resolution"], row["housing"] = p.resolution, p.housing_m
        ten_percent = p.range_at_10_percent
        if self._site.weather.given:
            ten_percent = ten_percent or p.range_max
        row["gain"], row["sharpness"] = ten_percent**2 / 0.1, p.sharpness
        row["kept"], row["white"] = 1.0 - p.dropout, p.intensity_of_white
        row["pulse"], row["choice"] = p.pulse_m, _WAYS[p.echo]
        self._limits = row[0]
        points = [(0.0, p.noise[0][1]), *p.noise] if p.noise else []
        if len(points) > 1 and points[1][0] == 0.0:
            points = points[1:] if len(points) > 2 else [points[0], (1.0, points[0][1])]
        table = np.array(points, np.float32).reshape(-1, 2)
        self._noise = (table[:, 0].copy(), table[:, 1].copy())
        # rays go on a little: noise brings some of what lies just beyond into range
        worst = max([0.0, *(sigma for _, sigma in p.noise)])
        self._reach = p.range_max + 5 * worst + float(np.abs(self._bias).max()) - p.housing_m

    def _make_buffers(self) -> None:
        beams, p, mount = self._beams, self._p, self._site.T_body_sensor
        n = len(beams)
        self._rays_each = 1 + p.sub_rays
        self._lever = mount.position.copy()
        # channel by channel, so that each ray is nearly like the next
        self._order = np.lexsort((beams.column, beams.channel)).astype(np.int32)
        turned = matrix_from_quaternion(mount.rotation) @ beams.rays.T
        if self._site.body == WORLD:  # the mount is the pose: nothing is left for the lever
            turned, self._lever = beams.rays.T, np.zeros(3)
        by_channel = turned.reshape(3, n, self._rays_each)[:, self._order].reshape(3, -1)
        self._rays = np.ascontiguousarray(by_channel, np.float32)
        self._still = PastPoses.still(mount)
        rays = len(beams.rays)
        self._origins, self._directions = np.empty((2, rays, 3), np.float32)
        self._offsets_ns = np.repeat(beams.offsets_ns[self._order], self._rays_each)
        self._scratch = np.empty((6, rays), np.float32)
        self._when = np.empty(rays, np.int64)
        self._far = np.empty(rays, np.float32)
        self._ranges, self._intensity = np.empty((2, n), np.float32)
        chance = p.range_at_10_percent > 0 or p.dropout > 0 or self._site.weather.given
        self._normal = np.empty(n if p.noise else 0, np.float32)
        self._chance = np.empty(n if chance else 0, np.float32)
        after_ns = beams.offsets_ns - (0 if p.stamp == "start" else beams.span_ns)
        self._seconds = (after_ns / NS_PER_S).astype(np.float32)
        self._scan_rows = _scan_rows(p, beams)


def _scan_rows(p: LidarParameters, beams: Beams) -> NDArray[np.int64]:
    """Return the firings of the ring that is published as a scan, by rising angle."""
    ring = p.scan_ring
    if ring < 0:
        flattest = int(np.argmin(np.abs(np.array(p.elevations_deg))))
        ring = int(beams.ring[beams.channel == flattest][0])
    rows = np.flatnonzero(beams.ring == ring)
    return rows if p.direction == "ccw" else rows[::-1].copy()
