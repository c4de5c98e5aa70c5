"""The protocol of a physics engine, and the events it reports."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import AnyArray, Array, Pose
from outrider.core.registry import Registry
from outrider.core.state import State
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


NO_CONTACT = Contact(0, 0, np.zeros(3), np.zeros(3), 0.0)  # what one looks like


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two bodies inside one another, by a depth in metres; names as in a contact."""

    first: int  # body numbers, or WORLD
    second: int
    depth: float
    first_name: str = ""
    second_name: str = ""


class Kinematics(Protocol):
    """The commands of an engine without forces: vehicles move exactly as commanded."""

    follow: Callable[[int, Pose], Pose] | None  # from a root body's level pose to that on ground
    joint_speed: Array  # rad/s or m/s, until changed

    def drive(self, body: int, speed: float, yaw_rate: float) -> None:
        """Set the motion of the vehicle with this root body from now on."""

    def turn(self, joint: int, angle: float | None = None, speed: float | None = None) -> None:
        """Set a joint's angle (at the next step) or its speed until changed; limits apply."""


class PhysicsEngine(Protocol):
    """Moves the bodies of an assembly; the only writer of its state."""

    assembly: Assembly
    state: WorldState
    loads: Loads
    watch_contacts: bool  # False: contacts() need only be fresh when their number changed

    @property
    def kinematics(self) -> "Kinematics | None":
        """How vehicles are commanded, if loads are ignored; None if forces drive them."""

    def step(self) -> None:
        """Advance by one step under the loads, refresh the state, set the loads to zero."""

    def place(self, body: int, pose: Pose, velocity: Array, angular_velocity: Array) -> None:
        """Set pose and velocity of a model's root body; its joints keep their angles."""

    def contacts(self) -> list[Contact]:
        """Return the contacts of the last step, except tyres."""

    def overlaps(self) -> list[Overlap]:
        """Return what is inside what as all stands now, tyres apart; nothing is changed by it."""

    def set_joints(self, joints: NDArray[np.intp], positions: Array, velocities: Array) -> None:
        """Set joint positions (angles or lengths) and speeds; attached links follow."""

    def arrays(self) -> tuple[AnyArray, ...]:
        """Return further arrays of the state besides bodies and joints, for hashes."""

    def get_state(self) -> State:
        """Return everything that the next steps depend on."""

    def set_state(self, state: State) -> None:
        """Restore the state of an engine for an equal assembly, bit for bit."""


class EngineFactory(Protocol):
    """The constructor of every engine."""

    def __call__(self, assembly: Assembly, step_s: float) -> PhysicsEngine:
        """Make an engine for an assembly with a fixed step."""
