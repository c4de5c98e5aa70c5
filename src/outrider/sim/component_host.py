"""A simulation as its components see it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from outrider.bus.bus import Bus
from outrider.core.frames import Array, Pose
from outrider.physics.engine import Contact, PhysicsEngine
from outrider.scene.scene import Scene
from outrider.sim.robot_handle import RobotHandle
from outrider.world.assembly import Assembly

if TYPE_CHECKING:
    from outrider.sim.simulation import Simulation


class ComponentHost:
    """Hands on what components may use.

    It does not hold the simulation itself: two that hold each other are freed only by a collection.
    """

    def __init__(self, simulation: "Simulation") -> None:
        self._rig, self._watch = simulation.rig, simulation.watch
        self._mounted = simulation.mounted
        self.robots: Mapping[str, RobotHandle] = simulation.robots
        self.seed: int = simulation.seed
        self.bus: Bus = simulation.bus
        self.step_s: float = simulation.rig.step_s
        self.engine: PhysicsEngine = simulation.rig.engine
        self.assembly: Assembly = simulation.rig.assembly
        self.scene: Scene = simulation.rig.scene

    @property
    def sensors(self) -> Mapping[str, tuple[int, Pose, str]]:
        """Mounted sensors by name: body, pose in it, and topic of the first output."""
        return {
            one.name: (one.site.body, one.site.T_body_sensor, next(iter(one.topics.values()), ""))
            for one in self._mounted
        }

    def hold(self, joints: NDArray[np.intp], positions: Array) -> None:
        """Let robots hold joints that were set to positions there."""
        self._rig.hold(joints, positions)

    def contacts(self) -> list[Contact]:
        """Return what touches what; from now on that is read in every step."""
        self._watch.always = True
        self.engine.watch_contacts = True
        return self._rig.contacts()
