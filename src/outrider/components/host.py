"""What a simulation is to the components in it."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from outrider.bus.bus import Bus
from outrider.core.frames import Array, Pose
from outrider.physics.engine import Contact, PhysicsEngine
from outrider.scene.scene import Scene
from outrider.world.assembly import Assembly


class RobotAccess(Protocol):
    """A robot as a component sees it."""

    name: str
    topics: dict[str, str]

    def drive(self, speed: float, yaw_rate: float = 0.0) -> None:
        """Send a speed (m/s) and a yaw rate (rad/s), like any program."""

    def steer(self, speed: float, steering_rad: float) -> None:
        """Set a car's speed (m/s) and steering angle (rad, positive to the left)."""

    def stop(self) -> None:
        """Send a zero command."""

    @property
    def pose(self) -> Pose:
        """The true pose of its root link."""

    @property
    def velocity(self) -> Array:
        """The true velocity (m/s) in its own axes."""


class Host(Protocol):
    """The simulation, as far as components need it."""

    seed: int
    bus: Bus

    @property
    def engine(self) -> PhysicsEngine:
        """What moves the bodies."""

    @property
    def assembly(self) -> Assembly:
        """What the bodies are called."""

    @property
    def scene(self) -> Scene:
        """What rays are cast into."""

    @property
    def step_s(self) -> float:
        """The length of a step."""

    def hold(self, joints: NDArray[np.intp], positions: Array) -> None:
        """Let robots hold joints that were set to positions there."""

    @property
    def robots(self) -> Mapping[str, RobotAccess]:
        """The robots by name."""

    @property
    def sensors(self) -> Mapping[str, tuple[int, Pose, str]]:
        """Mounted sensors by name: body, pose in it, and topic of the first output."""

    def contacts(self) -> list[Contact]:
        """Return what touches what; from now on that is read in every step."""
