"""One body, an engine and a sensor on it, without a robot around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from outrider.core.clock import Schedule, to_ns
from outrider.core.frames import Array, Pose
from outrider.core.seeds import generator
from outrider.core.state import StateGroup
from outrider.physics.mujoco.engine import MujocoEngine
from outrider.scene.scene import Scene
from outrider.sensors.history import History
from outrider.sensors.site import Site
from outrider.weather.weather import Weather
from outrider.world.assembly import WORLD, assemble
from outrider.world.model import GeoOrigin, Inertial, Link, Mobility, Model, World

G = 9.80665
DOWN = (0.0, 0.0, -G)
NOWHERE = Pose()


class Bench:
    """A body of 2 kg; ``mount`` puts a sensor on it, ``run`` moves it and collects what is read."""

    def __init__(
        self,
        *,
        step_s: float = 0.0025,
        mobility: Mobility = "dynamic",
        pose: Pose = NOWHERE,
        gravity: tuple[float, float, float] = DOWN,
        origin: GeoOrigin | None = None,
        models: tuple[Model, ...] = (),
    ) -> None:
        inertial = Inertial(2.0, np.diag([0.1, 0.2, 0.25]))
        body = Model("body", (Link("link", inertial),), pose=pose, mobility=mobility)
        world = World("test", (body, *models), gravity, origin or GeoOrigin())
        self.assembly = assemble(world)
        self.engine = MujocoEngine(self.assembly, step_s)
        self.step_ns = to_ns(step_s)
        self.history = History(self.engine.state, self.step_ns, 1_000_000_000)
        self.scene = Scene(self.assembly)
        self.push: Callable[[float], None] = lambda _time_s: None

    @property
    def body(self) -> Any:
        return self.engine.state.bodies[0]

    def mount(
        self,
        kind: Any,
        parameters: Any = None,
        *,
        pose: Pose = NOWHERE,
        rate_hz: float = 50.0,
        seed: int = 1,
        standing: bool = False,
    ) -> Any:
        site = Site(
            name="sensor",
            frame_id="frame",
            body=WORLD if standing else 0,
            T_body_sensor=pose,
            state=self.engine.state,
            history=self.history,
            scene=self.scene,
            world=self.assembly.world,
            step_ns=self.step_ns,
            rate_hz=rate_hz,
            random=generator(seed, "sensor"),
            weather=Weather(altitude_m=self.assembly.world.origin.altitude_m),
        )
        sensor = kind(kind.Parameters() if parameters is None else parameters, site)
        self.schedule = Schedule(rate_hz, to_ns(kind.looks_back(parameters, rate_hz)))
        return sensor

    def run(self, sensor: Any, duration_s: float, read: Callable[[Any], Any]) -> Array:
        rows = []
        for _ in range(round(duration_s * 1e9 / self.step_ns)):
            self.push(self.engine.state.time_ns * 1e-9)
            self.engine.step()
            self.history.record()
            if self.schedule.due(self.engine.state.time_ns):
                sensor.sample(self.engine.state.time_ns)
                rows.append(read(sensor))
        return np.array(rows)

    def parts(self, sensor: Any) -> StateGroup:
        """Return all that remembers something, for runs that are repeated."""
        return StateGroup(
            {
                "engine": self.engine,
                "history": self.history,
                "schedule": self.schedule,
                "sensor": sensor,
            }
        )


def inertial_reading(sensor: Any) -> Array:
    return np.concatenate([sensor.force, sensor.rate])
