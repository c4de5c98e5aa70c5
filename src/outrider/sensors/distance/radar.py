"""Radar: range, direction and radial speed of everything in its beam."""

import math
from dataclasses import dataclass
from typing import ClassVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, Pose
from outrider.core.seeds import generator_state, set_generator_state
from outrider.core.state import State
from outrider.core.structure import number
from outrider.messages.types import Message, Range, header, message_class
from outrider.sensors.distance.cone import BeamCone
from outrider.sensors.distance.echo import EchoCaster, Echoes
from outrider.sensors.distance.output import NOWHERE, RangeOutput, check_limits
from outrider.sensors.sensor import Sensor, Writer
from outrider.sensors.site import Site
from outrider.sensors.work import Work
from outrider.world.assembly import WORLD

_TYPE = "outrider_msgs/msg/RadarTracks"
_LIKE_RAYS = 4  # of other sensors, in time: what each hits and how fast that is
_GROUND, _GROUND_NUMBER = "ground", 0


@dataclass(frozen=True, slots=True)
class RadarParameters:
    """Beam, limits, errors and resolution."""

    cones: tuple[BeamCone, ...]
    min_range: float = number(0.2, least=0.0)  # m
    max_range: float = number(50.0, above=0.0)  # m
    incidence_limit_deg: float = number(90.0, above=0.0, most=90.0)
    range_noise: float = number(0.0, least=0.0)  # standard deviations: m
    speed_noise: float = number(0.0, least=0.0)  # m/s
    angle_noise_deg: float = number(0.0, least=0.0)
    range_resolution: float = number(0.0, least=0.0)  # m; 0: not rounded
    speed_resolution: float = number(0.0, least=0.0)  # m/s; 0: not rounded
    tracks: int = number(16, least=1, most=1000)  # maximum number of tracks
    sees_ground: bool = True  # whether the world's ground is an object, too

    def __post_init__(self) -> None:
        check_limits(self.min_range, self.max_range, len(self.cones))


@dataclass(frozen=True, slots=True)
class RadarTrack:
    """One object in the beam, by its nearest point; the speed is positive when it moves away."""

    id: int  # the same as long as the object is there
    range: float
    radial_speed: float
    azimuth_rad: float
    elevation_rad: float


_NO_TRACK = RadarTrack(0, 0.0, 0.0, 0.0, 0.0)  # what one looks like


class Radar(Sensor):
    """Reports the nearest point of each object in its beam."""

    Parameters: ClassVar[type] = RadarParameters
    types: ClassVar[dict[str, str]] = {
        "tracks": _TYPE,
        "range": "sensor_msgs/msg/Range",
        "hit": "geometry_msgs/msg/PointStamped",
    }

    @staticmethod
    def work(parameters: RadarParameters, _rate_hz: float) -> Work:
        """Return how many rays it casts, with what it finds out about each."""
        return Work(rays=_LIKE_RAYS * sum(cone.rays for cone in parameters.cones))

    def __init__(self, parameters: RadarParameters, site: Site) -> None:
        p = self._parameters = parameters
        self._site = site
        self._caster = EchoCaster(site, p.cones, p.incidence_limit_deg)
        self.beam = self._caster.beam  # for drawing
        fov_rad = self.beam.field_of_view_rad
        # the message knows sound and light only; light is nearer to radio
        self.output = RangeOutput(site, Range.INFRARED, fov_rad, (p.min_range, p.max_range))
        self._class, self._track = (
            message_class(_TYPE),
            message_class("outrider_msgs/msg/RadarTrack"),
        )
        self.tracks: list[RadarTrack] = []

    def get_state(self) -> State:
        """Return where its noise is, and the last measurement."""
        return State(
            random=generator_state(self._site.random),
            output=self.output.get_state(),
            tracks=[State.of(track) for track in self.tracks],
        )

    def set_state(self, state: State) -> None:
        """Go on with the same noise."""
        set_generator_state(self._site.random, state.part("random"))
        self.output.set_state(state.part("output"))
        self.tracks = [track.record(_NO_TRACK) for track in state.parts("tracks")]

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {
            "tracks": self.message,
            "range": self.output.range_message,
            "hit": self.output.hit_message,
        }

    def sample(self, _now_ns: int) -> None:
        """Look at everything in the beam."""
        p, output = self._parameters, self.output
        echoes = self._caster.cast()
        objects = self._objects(echoes)
        nearest = _nearest_of_each(objects)
        if not p.sees_ground:
            nearest = [index for index in nearest if objects[index] != _GROUND_NUMBER]
        nearest = nearest[: p.tracks]
        speeds = _radial_speeds(self._site, echoes, nearest)
        errors = self._site.random.standard_normal((p.tracks, 4))
        seen = [
            (index, self._measured(echoes, index, int(objects[index]), speed, error))
            for index, speed, error in zip(nearest, speeds, errors[: len(nearest)], strict=True)
        ]
        seen = [(i, track) for i, track in seen if p.min_range <= track.range <= p.max_range]
        self.tracks = [track for _, track in seen]
        output.range = self.tracks[0].range if seen else math.inf
        output.point = echoes.point(seen[0][0]) if seen else NOWHERE

    def message(self, now_ns: int) -> Message:
        """Return all tracks, nearest first."""
        tracks = [
            self._track(t.id, t.range, t.radial_speed, t.azimuth_rad, t.elevation_rad)
            for t in self.tracks
        ]
        return self._class(header(now_ns, self._site.frame_id), tracks)

    def _objects(self, echoes: Echoes) -> NDArray[np.int64]:
        """Return the number of the object of each echo, made of its name; 0 for the ground."""
        hit = np.column_stack([echoes.body, echoes.shape])
        kinds, which = np.unique(hit, axis=0, return_inverse=True)
        numbers = [self._number(body, shape) for body, shape in kinds.tolist()]
        return np.array(numbers, np.int64)[which.reshape(-1)]

    def _number(self, body: int, shape: int) -> int:
        """Return the number of a model with all its bodies, or of one shape that never moves."""
        scene = self._site.scene
        if body != WORLD:
            return crc32(scene.assembly.bodies[body].name.partition("/")[0].encode())
        assert scene.view.static
        name = scene.view.static.names[shape]
        return _GROUND_NUMBER if name == _GROUND else crc32(f"{name}/{shape}".encode())

    def _measured(
        self, echoes: Echoes, index: int, number: int, speed: float, error: Array
    ) -> RadarTrack:
        p = self._parameters
        x, y, z = echoes.direction[index].tolist()
        angle_noise = math.radians(p.angle_noise_deg)
        return RadarTrack(
            number,
            _rounded(float(echoes.distance[index] + p.range_noise * error[0]), p.range_resolution),
            _rounded(float(speed + p.speed_noise * error[1]), p.speed_resolution),
            math.atan2(y, x) + angle_noise * float(error[2]),
            math.asin(max(-1.0, min(1.0, z))) + angle_noise * float(error[3]),
        )


def _rounded(value: float, step: float) -> float:
    return round(value / step) * step if step else value


def _nearest_of_each(objects: NDArray[np.int64]) -> list[int]:
    """Return the first echo of every object hit, nearest first."""
    _, first = np.unique(objects, return_index=True)
    return sorted(first.tolist())


def _radial_speeds(site: Site, echoes: Echoes, rays: list[int]) -> Array:
    """Return how fast the points hit move away from the sensor, m/s."""
    pose = site.pose
    points = pose.apply(echoes.direction[rays] * echoes.distance[rays, None])
    away = Pose(rotation=pose.rotation).apply(echoes.direction[rays])
    theirs = np.array(
        [_velocity(site, b, p) for b, p in zip(echoes.body[rays], points, strict=True)]
    )
    relative = theirs.reshape(-1, 3) - _velocity(site, site.body, pose.position)
    speeds: Array = np.einsum("ij,ij->i", relative, away)
    return speeds


def _velocity(site: Site, body: int, point: Array) -> Array:
    """Return the velocity in the world of a point that moves with a body."""
    if body == WORLD:
        return np.zeros(3)
    row = site.state.bodies[body]
    velocity: Array = row["velocity"] + np.cross(row["angular_velocity"], point - row["position"])
    return velocity
