"""All that decides how a simulation goes on and what it will say: for saving and carrying over."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from outrider.physics.engine import PhysicsEngine
from outrider.physics.tyres.data import Records
from outrider.sensors.history import History
from outrider.sensors.sampling import Sampler
from outrider.sim.collisions import CollisionLog, CollisionWatch
from outrider.sim.commands import CommandTopics
from outrider.sim.robot_handle import RobotHandle
from outrider.vehicles.vehicle import Vehicle


@dataclass(slots=True, eq=False)
class Parts:
    """The changing parts of a simulation, each where the simulation itself has it."""

    engine: PhysicsEngine
    tyres: Records
    motors: Records
    predicted: Records
    vehicles: list[Vehicle]
    collisions: CollisionLog
    watch: CollisionWatch
    history: History
    sampler: Sampler
    robots: dict[str, RobotHandle]
    inputs: list[CommandTopics]
    wake: threading.Event
    drivers: list[Callable[..., Any]]
    conditions: list[Callable[..., Any]]
