"""Sensors for tests: standing before some things, or on a robot in a small world."""

from typing import Any

import numpy as np

from outrider.core.frames import Pose
from outrider.core.structure import from_data
from outrider.loader.world import build_world
from outrider.scene.scene import Scene
from outrider.sensors.catalogue import plan_sensor
from outrider.sensors.history import History
from outrider.sensors.site import Site
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import WorldSpec
from outrider.vehicles.robot import load_robot
from outrider.weather.spec import WeatherSpec
from outrider.weather.weather import Weather
from outrider.world.assembly import WORLD, assemble
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Mobility, Model, World
from outrider.world.shapes import Box, Shape
from outrider.world.state import WorldState

SMOOTH = Material(friction=0.8)


def thing(
    name: str,
    shape: Shape,
    x: float,
    y: float = 0.0,
    z: float = 0.0,
    yaw_deg: float = 0.0,
    mobility: Mobility = "static",
    material: Material = SMOOTH,
) -> Model:
    geometry = Geometry(shape, Pose(), material)
    pose = Pose.from_rpy([x, y, z], [0.0, 0.0, np.radians(yaw_deg)])
    link = Link("link", None, (geometry,), (geometry,))
    return Model(name, (link,), pose=pose, mobility=mobility)


def wall(distance: float, yaw_deg: float = 0.0) -> Model:
    """Return a large wall whose front goes through (distance, 0), turned about that point."""
    back = Pose.from_rpy([distance, 0, 0], [0, 0, np.radians(yaw_deg)]).apply(np.array([0.5, 0, 0]))
    return thing("wall", Box((1.0, 40.0, 40.0)), *back, yaw_deg=yaw_deg)


def site_before(
    *models: Model,
    pose: Pose | None = None,
    body: int = WORLD,
    seed: int = 1,
    weather: WeatherSpec | None = None,
) -> Site:
    """Return a place at the origin that looks along x, in a world of some things."""
    assembly = assemble(World("test", models))
    state = WorldState.zeros(len(assembly.bodies), len(assembly.joints))
    for row, made in zip(state.bodies, assembly.bodies, strict=True):
        row["position"], row["rotation"] = made.pose.position, made.pose.rotation
    return Site(
        name="eye",
        frame_id="eye",
        body=body,
        T_body_sensor=pose or Pose(),
        state=state,
        history=History(state, 2_500_000, 0),
        scene=Scene(assembly),
        world=assembly.world,
        step_ns=2_500_000,
        rate_hz=20.0,
        random=np.random.default_rng(seed),
        weather=Weather(weather),
    )


def looking(model: str, *models: Model, site: Site | None = None, **parameters: Any) -> Any:
    """Return a sensor of the library with some parameters set, which has measured once."""
    ready = plan_sensor(SensorEntry("eye", model, set=parameters), "test")
    sensor = ready.kind(ready.parameters, site or site_before(*models))
    sensor.sample(0)
    return sensor


def simulate(
    robot: str,
    *sensors: SensorEntry,
    world: dict[str, Any] | None = None,
    at: tuple[float, float, float] = (0.0, 0.0, 0.0),
    seed: int = 1,
) -> Simulation:
    """Return a robot with sensors at x, y and heading (degrees) of a world."""
    spec = from_data(WorldSpec, world or {}, "test")
    pose = Pose.from_rpy([at[0], at[1], 0.0], [0.0, 0.0, np.radians(at[2])])
    who = Participant(load_robot(robot).bare(), "robot", pose, sensors=sensors)
    return Simulation(build_world(spec), [who], seed=seed)


def sensor_of(sim: Simulation, name: str) -> Any:
    """Return a robot's sensor by the name of its entry."""
    sensors = [s.sensor for s in sim._mounting.sensors]
    return next(s for s in sensors if getattr(s, "_site", None) and s._site.name == name)


def drive(sim: Simulation, speed: float, yaw_rate: float = 0.0, seconds: float = 1.0) -> None:
    """Drive a robot for a while, commanding often enough for its watchdog."""
    end_ns = sim.time_ns + round(seconds * 1e9)
    while sim.time_ns < end_ns:
        if sim.steps % 20 == 0:
            sim.robots["robot"].drive(speed, yaw_rate)
        sim.step()


def listen(sim: Simulation, topic: str) -> Any:
    return sim.bus.subscribe(topic, kept="all", depth=10**6)


def heard(box: Any) -> list[Any]:
    """Return all messages that came in, oldest first."""
    messages = []
    while (item := box.poll()) is not None:
        messages.append(item[1])
    return messages
