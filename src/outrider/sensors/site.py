"""Where a sensor is mounted and what it can access."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Array, Pose
from outrider.physics.engine import Contact, PhysicsEngine
from outrider.scene.scene import Scene
from outrider.sensors.history import History
from outrider.vehicles.vehicle import Vehicle
from outrider.weather.atmosphere import Air
from outrider.weather.weather import Weather
from outrider.world.assembly import WORLD
from outrider.world.model import World
from outrider.world.state import WorldState


class Impact(Protocol):
    """A collision event of the simulation; the normal points from the first to the second."""

    time_ns: int
    first: str
    second: str
    bodies: tuple[int, int]
    point: Array
    normal: Array
    impulse: float


class ImpactLog(Protocol):
    """The simulation's record of collisions."""

    total: int

    def since(self, seen: int) -> Sequence[Impact]:
        """Return those after the first ``seen``."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Site:
    """A sensor's pose on a body (or in the world), and the parts of the simulation it can read."""

    name: str
    frame_id: str
    body: int  # WORLD for a sensor that stands somewhere
    T_body_sensor: Pose
    state: WorldState
    history: History
    scene: Scene
    world: World
    step_ns: int
    rate_hz: float
    random: np.random.Generator
    frame_prefix: str = ""  # of the robot's frames, where there are several robots
    link: str = ""  # model/link that it is mounted on; empty in the world
    vehicle: Vehicle | None = None
    contacts: ImpactLog | None = None  # collision events, for sensors that feel them
    touching: Callable[[], list[Contact]] = list  # what touches now, tyres apart
    weather: Weather = field(default_factory=Weather)
    engine: PhysicsEngine | None = None  # for sensors that feel its forces

    @property
    def model(self) -> int:
        """The index of the model it is mounted on, whose parts it may ignore."""
        return WORLD if self.body == WORLD else self.scene.assembly.bodies[self.body].model

    @property
    def robot(self) -> Vehicle:
        """The robot it is mounted on; for sensors that read wheels there must be one."""
        if self.vehicle is None:
            raise ConfigError(f"sensor '{self.name}' reads a robot's wheels: mount it on a robot")
        return self.vehicle

    def check_links(self, links: Iterable[str], key: str) -> None:
        """Refuse links, named by a parameter, that the sensor's robot does not have."""
        owner = self.robot.name
        frames = self.scene.assembly.frames
        known = [name.removeprefix(f"{owner}/") for name in frames if name.startswith(f"{owner}/")]
        for link in links:
            if link not in known:
                raise ConfigError(
                    f"robot '{owner}': sensor '{self.name}': {key}: there is no link '{link}'"
                    f"{near_match(link, known)}; it has: {', '.join(known)}"
                )

    @property
    def pose(self) -> Pose:
        """The true pose of the sensor in the world, now."""
        if self.body == WORLD:
            return self.T_body_sensor
        body = self.state.bodies[self.body]
        return Pose(body["position"], body["rotation"]) @ self.T_body_sensor

    def air(self, now_ns: int) -> Air:
        """Return the air where the sensor is."""
        return self.weather.air(now_ns, float(self.pose.position[2]))

    def poses(self, times_ns: NDArray[np.int64]) -> tuple[Array, Array]:
        """Return true positions (n, 3) and rotations (n, 4) of the sensor at recent times."""
        if self.body == WORLD:
            n = len(times_ns)
            place = self.T_body_sensor
            return np.tile(place.position, (n, 1)), np.tile(place.rotation, (n, 1))
        position, rotation = self.history.poses(self.body, times_ns)
        return mounted(position, rotation, self.T_body_sensor)


def mounted(position: Array, rotation: Array, mount: Pose) -> tuple[Array, Array]:
    """Compose many poses of a body with one pose relative to it."""
    qv, qw = rotation[:, :3], rotation[:, 3:]
    p = mount.position
    t = 2 * np.cross(qv, p)
    place = position + p + qw * t + np.cross(qv, t)
    mv, mw = mount.rotation[:3], mount.rotation[3]
    vector = qw * mv + mw * qv + np.cross(qv, mv)
    scalar = qw[:, 0] * mw - qv @ mv
    return place, np.column_stack([vector, scalar])
