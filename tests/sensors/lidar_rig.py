"""A LiDAR on a body that moves by a formula, among shapes: no engine, no bus."""

from collections.abc import Callable
from typing import Any

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.core.seeds import generator
from outrider.messages.point_cloud import cloud_records
from outrider.scene.scene import Scene
from outrider.sensors.history import History
from outrider.sensors.lidar.lidar import Lidar
from outrider.sensors.lidar.parameters import LidarParameters
from outrider.sensors.site import Site
from outrider.weather.spec import WeatherSpec
from outrider.weather.weather import Weather
from outrider.world.assembly import assemble
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Shape
from outrider.world.state import WorldState

Motion = Callable[[float], Pose]
RATE_HZ = 10.0


def static(name: str, shape: Shape, pose: Pose | None = None, **material: Any) -> Model:
    geometry = Geometry(shape, pose or Pose(), Material(name=name, **material))
    return Model(name, (Link("link", None, (geometry,)),), mobility="static")


def scripted(name: str, *shapes: Shape, **material: Any) -> Model:
    visuals = tuple(Geometry(shape, material=Material(name=name, **material)) for shape in shapes)
    return Model(name, (Link("link", None, visuals),), mobility="scripted")


def at(x: float = 0.0, y: float = 0.0, z: float = 0.0, yaw: float = 0.0) -> Pose:
    return Pose.from_rpy([x, y, z], [0, 0, yaw])


class LidarRig:
    """Body 0 carries the sensor; further models move by formulas of their own."""

    def __init__(
        self,
        parameters: LidarParameters,
        models: list[Model],
        carrier: Motion = lambda _: at(),
        movers: dict[str, Motion] | None = None,
        *,
        mount: Pose | None = None,
        step_s: float = 0.0025,
        seed: int = 1,
        rate_hz: float = RATE_HZ,
        carrier_shapes: tuple[Shape, ...] = (),
        weather: WeatherSpec | None = None,
    ) -> None:
        world = World("test", (scripted("carrier", *carrier_shapes), *models))
        assembly = assemble(world)
        self.scene = Scene(assembly)
        self.state = WorldState.zeros(len(assembly.bodies), 0)
        self._motions = {0: carrier}
        for name, motion in (movers or {}).items():
            self._motions[assembly.root(name)] = motion
        self._step_ns = round(step_s * 1e9)
        self._place(0)
        self.history = History(self.state, self._step_ns, 300_000_000)
        site = Site(
            name="lidar",
            frame_id="lidar",
            body=0,
            T_body_sensor=mount or Pose(),
            state=self.state,
            history=self.history,
            scene=self.scene,
            world=world,
            step_ns=self._step_ns,
            rate_hz=rate_hz,
            random=generator(seed, "sensor", "robot", "lidar"),
            weather=Weather(weather),
        )
        self.lidar = Lidar(parameters, site)

    def _place(self, time_ns: int) -> None:
        self.state.time_ns = time_ns
        for body, motion in self._motions.items():
            pose = motion(time_ns * 1e-9)
            self.state.bodies[body]["position"] = pose.position
            self.state.bodies[body]["rotation"] = pose.rotation

    def run(self, duration_s: float = 0.1) -> "LidarRig":
        """Move on and end with a scan."""
        end_ns = self.state.time_ns + round(duration_s * 1e9)
        while self.state.time_ns < end_ns:
            self._place(self.state.time_ns + self._step_ns)
            self.history.record()
        self.lidar.sample(self.state.time_ns)
        return self

    def points(self) -> Any:
        message = self.lidar.points(self.state.time_ns)
        points = cloud_records(message)
        return points if message.height == 1 else points.reshape(message.height, message.width)

    def ranges(self) -> Array:
        """The ranges of an organised cloud, (channels, columns)."""
        points = self.points()
        return np.linalg.norm([points[axis].astype(np.float64) for axis in "xyz"], axis=0)

    def scan(self) -> Any:
        return self.lidar.scan(self.state.time_ns)


def directions(rig: LidarRig) -> Array:
    return rig.lidar._beams.rays


def room_ranges(origins: Array, directions: Array, half: Array) -> Array:
    """Analytic ranges from inside a box about the world's origin."""
    with np.errstate(divide="ignore", invalid="ignore"):
        walls = np.where(directions > 0, half, -half)
        ranges = np.where(directions != 0, (walls - origins) / directions, np.inf)
    found: Array = ranges.min(axis=-1)
    return found
