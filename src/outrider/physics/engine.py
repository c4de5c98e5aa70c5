"""What a physics engine must offer, and the events it reports."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, Pose
from outrider.core.registry import Registry
from outrider.world.assembly import Assembly
from outrider.world.state import Loads, WorldState

ENGINES = Registry(
    "engine",
    {
        "mujoco": "outrider.physics.mujoco.engine:MujocoEngine",
        "bullet": "outrider.physics.bullet.engine:BulletEngine",
        "kinematic": "outrider.physics.kinematic:KinematicEngine",
    },
)


@dataclass(frozen=True, slots=True, eq=False)
class Contact:
    """Two bodies touching: the normal points from the first to the second, impulse in N s."""

    first: int  # body numbers, or WORLD
    second: int
    point: Array
    normal: Array
    impulse: float
    first_name: str = ""
    second_name: str = ""


class PhysicsEngine(Protocol):
    """Moves the bodies of an assembly; the only writer of its state."""

    assembly: Assembly
    state: WorldState
    loads: Loads
    kinematic: bool  # True: loads are ignored, vehicles follow ``drive`` exactly
    watch_contacts: bool  # False: contacts() need only be fresh when their number changed

    def step(self) -> None:
        """Advance by one step under the loads, refresh the state, set the loads to zero."""

    def reset(self) -> None:
        """Go back to the start, to the last bit."""

    def place(self, body: int, pose: Pose, velocity: Array, angular_velocity: Array) -> None:
        """Put the root body of a model somewhere, moving as told; its joints keep their angles."""

    def drive(self, body: int, speed: float, yaw_rate: float) -> None:
        """Tell a kinematic engine how the vehicle with this root body moves; others ignore it."""

    def contacts(self) -> list[Contact]:
        """Return what touched in the last step, tyres apart."""

    def set_joints(self, joints: NDArray[np.intp], positions: Array, velocities: Array) -> None:
        """Turn joints to angles (or lengths), moving as told; what they carry goes along."""

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Return what belongs to the state beyond bodies and joints: for hashes."""

    def snapshot(self) -> dict[str, Any]:
        """Return all that the next steps depend on, as arrays and plain values."""

    def restore(self, saved: dict[str, Any]) -> None:
        """Go on from a snapshot of an engine for an equal assembly."""


class EngineFactory(Protocol):
    """How every engine is made."""

    def __call__(self, assembly: Assembly, step_s: float) -> PhysicsEngine:
        """Make an engine for an assembly with a fixed step."""
