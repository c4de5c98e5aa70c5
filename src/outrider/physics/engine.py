"""The protocol of a physics engine, and the events it reports."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import AnyArray, Array, Pose
from outrider.core.registry import Registry
from outrider.core.state import State
from outrider.world.assembly import Assembly
from outrider.world.state import Loads, Placement, WorldState

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


@dataclass(frozen=True, slots=True, eq=False)
class ContactRows:
    """The same contacts as arrays: a row each, names as numbers in a table."""

    table: tuple[str, ...]
    names: NDArray[np.int64]  # (n, 2)
    bodies: NDArray[np.int64]  # (n, 2)
    points: Array  # (n, 3)
    normals: Array  # (n, 3)
    impulses: Array  # (n,)
    wrenches: Array | None = None  # (n, 6): N and N m on the second, friction included, if watched

    @classmethod
    def of(cls, contacts: Sequence[Contact], table: tuple[str, ...] = ()) -> "ContactRows":
        """Return the rows of some contacts; ``table`` are names that have their numbers."""
        if not contacts:
            return NO_CONTACTS
        named = [(c.first_name, c.second_name) for c in contacts]
        numbers = {name: k for k, name in enumerate(dict.fromkeys(chain(table, *named)))}
        return cls(
            tuple(numbers),
            np.array([(numbers[a], numbers[b]) for a, b in named], np.int64).reshape(-1, 2),
            np.array([(c.first, c.second) for c in contacts], np.int64).reshape(-1, 2),
            np.array([c.point for c in contacts]).reshape(-1, 3),
            np.array([c.normal for c in contacts]).reshape(-1, 3),
            np.array([c.impulse for c in contacts], np.float64),
        )

    def __len__(self) -> int:
        return len(self.impulses)

    def where(self, chosen: NDArray[np.bool_]) -> "ContactRows":
        """Return some of the rows."""
        return ContactRows(self.table, *(column[chosen] for column in self._columns()))

    def followed_by(self, others: "ContactRows") -> "ContactRows":
        """Return these rows and others after them: one table of names must begin the other."""
        table = max(self.table, others.table, key=len)
        columns = zip(self._columns(), others._columns(), strict=True)
        return ContactRows(table, *(np.concatenate(pair) for pair in columns))

    def _columns(self) -> "tuple[AnyArray, ...]":
        return self.names, self.bodies, self.points, self.normals, self.impulses

    def pairs(self) -> frozenset[tuple[str, str]]:
        """Return the names of those that touch."""
        return frozenset((self.table[a], self.table[b]) for a, b in self.names.tolist())

    def contacts(self) -> list[Contact]:
        """Return them one by one."""
        names = [(self.table[a], self.table[b]) for a, b in self.names.tolist()]
        bodies, impulses = self.bodies.tolist(), self.impulses.tolist()
        rows = zip(bodies, self.points, self.normals, impulses, names, strict=True)
        return [
            Contact(first, second, point.copy(), normal.copy(), impulse, *pair)
            for (first, second), point, normal, impulse, pair in rows
        ]

    def by_pair(self) -> Iterator[tuple[tuple[str, str], int, list[float]]]:
        """Return each pair of names with its first row and all its impulses.

        Pairs come in the order in which they appear, impulses in that of their rows.
        """
        keys = self.names[:, 0] * len(self.table) + self.names[:, 1]
        _, first, group = np.unique(keys, return_index=True, return_inverse=True)
        impulses = self.impulses[np.argsort(group, kind="stable")].tolist()
        ends = [0, *np.cumsum(np.bincount(group)).tolist()]
        names, firsts = self.names[first].tolist(), first.tolist()
        for k in np.argsort(first).tolist():
            a, b = names[k]
            yield (self.table[a], self.table[b]), firsts[k], impulses[ends[k] : ends[k + 1]]


NO_CONTACT = Contact(0, 0, np.zeros(3), np.zeros(3), 0.0)  # what one looks like
_NONE = np.zeros((0, 2), np.int64)
NO_CONTACTS = ContactRows((), _NONE, _NONE, np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0))


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


class Places(Protocol):
    """Where all is: in an engine, or tried without one."""

    state: WorldState

    def place(self, body: int, pose: Pose, velocity: Array, angular_velocity: Array) -> None:
        """Set pose and velocity of a model's root body; its joints keep their angles."""

    def place_all(self, placed: Placement) -> None:
        """Set those of many, and joints, in the time of one."""

    def set_joints(self, joints: NDArray[np.intp], positions: Array, velocities: Array) -> None:
        """Set joint positions (angles or lengths) and speeds; attached links follow."""

    def overlaps(self, least: float = 0.0, model: int | None = None) -> list[Overlap]:
        """Return what is deeper inside what than this (m) as all stands now, tyres apart.

        With a ``model``'s number only what its bodies take part in. Nothing is changed by it.
        """


class PhysicsEngine(Places, Protocol):
    """Moves the bodies of an assembly; the only writer of its state."""

    assembly: Assembly
    loads: Loads
    watch_contacts: bool  # False: contacts() need only be fresh when their number changed
    resting: frozenset[tuple[str, str]]  # names of those that touch and are left out of steps
    watch_forces: bool  # True: contact_rows() are fresh after every step and have wrenches
    in_parts: bool  # the last step was taken in several: what moved did not move at its last speed

    @property
    def kinematics(self) -> "Kinematics | None":
        """How vehicles are commanded, if loads are ignored; None if forces drive them."""

    def step(self) -> None:
        """Advance by one step under the loads, refresh the state, set the loads to zero."""

    def lead(self, bodies: NDArray[np.intp], twists: Array) -> None:
        """Set the velocities of scripted bodies (n, 6) from the next step on, in world axes."""

    def contacts(self) -> list[Contact]:
        """Return the contacts of the last step, except tyres."""

    def contact_rows(self) -> ContactRows:
        """Return the same as arrays but for resting ones; one object until they are read anew."""

    def overlaps(
        self, least: float = 0.0, model: int | None = None, state: WorldState | None = None
    ) -> list[Overlap]:
        """Return the same, or what would be inside what in another ``state``, in any thread."""

    def arrays(self) -> tuple[AnyArray, ...]:
        """Return further arrays of the state besides bodies and joints, for hashes."""

    def get_state(self) -> State:
        """Return everything that the next steps depend on."""

    def set_state(self, state: State) -> None:
        """Restore the state of an engine for an equal assembly, bit for bit."""

    def prepare(self, state: State) -> None:
        """Do in any thread what would take long in ``set_state`` of this very state."""


class EngineFactory(Protocol):
    """The constructor of every engine."""

    def __call__(self, assembly: Assembly, step_s: float) -> PhysicsEngine:
        """Make an engine for an assembly with a fixed step."""
