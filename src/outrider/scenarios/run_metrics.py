"""The figures that a run is evaluated by, measured for every robot from ground truth at 50 Hz."""

import math
from dataclasses import dataclass, field

import numpy as np

from outrider.core.frames import Pose, yaw_of
from outrider.scenarios.conditions import robots_hit, tilt_deg
from outrider.sim.simulation import Simulation

FIGURES = (
    "distance_m",  # length of the way
    "displacement_m",  # from the start to the end
    "drift_m",  # the farthest from the start
    "lateral_m",  # to the left of the line it began on
    "yaw_turned_deg",
    "yaw_rate_mean_deg_s",
    "max_tilt_deg",
    "collisions",  # with anything but the ground
    "x",
    "y",
    "z",
    "yaw_deg",
    "final_speed",
)

_RATE_HZ = 50.0
_PER_CHORD = 10  # samples per chord of the way: shorter ones would add up the shaking, too


@dataclass(slots=True)
class _Track:
    """What one robot has done so far."""

    root: int
    start: tuple[float, ...] = ()
    start_yaw: float = 0.0
    position: tuple[float, ...] = ()
    yaw: float = 0.0
    distance: float = 0.0
    corner: tuple[float, ...] = ()  # where the last chord of the way ended ...
    corner_turned: float = 0.0  # ... and how far the robot had turned by then
    drift: float = 0.0
    turned: float = 0.0
    tilt: float = 0.0

    def begin(self, pose: Pose) -> None:
        self.start = self.position = tuple(pose.position.tolist())
        self.start_yaw = self.yaw = yaw_of(pose.rotation)
        self.corner = self.start
        self.distance = self.drift = self.turned = self.corner_turned = 0.0
        self.tilt = tilt_deg(pose.rotation.tolist())

    def sample(self, simulation: Simulation) -> None:
        body = simulation.state.bodies[self.root]
        position = tuple(body["position"].tolist())
        yaw = yaw_of(body["rotation"])
        self.drift = max(self.drift, math.dist(position, self.start))
        self.turned += math.remainder(yaw - self.yaw, 2 * math.pi)
        self.tilt = max(self.tilt, tilt_deg(body["rotation"].tolist()))
        self.position, self.yaw = position, yaw

    def jump(self, pose: Pose) -> None:
        """Continue from where it was moved to: that distance was not driven."""
        self.distance = self.way()
        self.position = self.corner = tuple(pose.position.tolist())
        self.yaw, self.corner_turned = yaw_of(pose.rotation), self.turned

    def way(self) -> float:
        """Return the path length, with the last chord replaced by its arc."""
        half = abs(self.turned - self.corner_turned) / 2
        bend = half / math.sin(half) if 1e-6 < half < 1.5 else 1.0
        return self.distance + math.dist(self.position, self.corner) * bend

    def add_chord(self) -> None:
        """End a chord of the way here."""
        self.distance = self.way()
        self.corner, self.corner_turned = self.position, self.turned


@dataclass(slots=True)
class RunMetrics:
    """Follows all robots; update it after every step, and read the figures at the end."""

    simulation: Simulation
    _tracks: dict[str, _Track] = field(init=False)
    _every: int = field(init=False)

    def __post_init__(self) -> None:
        simulation = self.simulation
        root = simulation.rig.assembly.root
        self._tracks = {name: _Track(root(name)) for name in simulation.robots}
        self._every = max(1, round(1.0 / _RATE_HZ / simulation.rig.step_s))
        self._begin()
        simulation.conditions.insert(0, self._watch)

    def follow(self, simulation: Simulation) -> None:
        """Go on with a simulation that has taken the place of the one before."""
        self.simulation = simulation
        before, self._tracks = self._tracks, {}
        for name, robot in simulation.robots.items():
            root = simulation.rig.assembly.root(name)
            self._tracks[name] = track = before.get(name) or _Track(root)
            track.root = root
            if name in before:
                track.jump(robot.pose)
            else:
                track.begin(robot.pose)

    def _begin(self) -> None:
        for name, track in self._tracks.items():
            track.begin(self.simulation.robots[name].start)

    def _watch(self, simulation: Simulation) -> None:
        if simulation.steps == 1:  # the first since a reset
            self._begin()
        if simulation.steps % self._every == 0:
            for track in self._tracks.values():
                track.sample(simulation)
                if simulation.steps % (_PER_CHORD * self._every) == 0:
                    track.add_chord()

    def figures(self, robot: str) -> dict[str, float]:
        """Return all figures of a robot up to now."""
        simulation, track = self.simulation, self._tracks[robot]
        track.sample(simulation)
        x, y, z = track.position
        ahead, aside = x - track.start[0], y - track.start[1]
        c, s = math.cos(track.start_yaw), math.sin(track.start_yaw)
        time_s = simulation.time_s
        velocity = simulation.state.bodies["velocity"][track.root]
        hits = [1 for event in simulation.collisions if robot in robots_hit(simulation, event)]
        values = (
            track.way(),
            math.dist(track.position, track.start),
            track.drift,
            c * aside - s * ahead,
            math.degrees(track.turned),
            math.degrees(track.turned) / time_s if time_s else 0.0,
            track.tilt,
            float(len(hits)),
            x,
            y,
            z,
            math.degrees(track.yaw),
            float(np.linalg.norm(velocity)),
        )
        return dict(zip(FIGURES, values, strict=True))
