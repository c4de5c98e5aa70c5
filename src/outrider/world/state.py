"""The current state of the world: arrays that only the physics engine writes."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, Pose

Records: TypeAlias = NDArray[np.void]

BODY = np.dtype(
    [
        ("position", np.float64, (3,)),  # of the body frame's origin, in the world
        ("rotation", np.float64, (4,)),  # x y z w, body to world
        ("velocity", np.float64, (3,)),  # of the origin, world axes
        ("angular_velocity", np.float64, (3,)),  # world axes
    ]
)
JOINT = np.dtype([("position", np.float64), ("velocity", np.float64), ("effort", np.float64)])
LOAD = np.dtype([("force", np.float64, (3,)), ("torque", np.float64, (3,))])


class Placement(NamedTuple):
    """Where root bodies and joints are to be: their numbers, and a row each as in a state."""

    bodies: NDArray[np.intp]
    rows: Records  # dtype BODY
    joints: NDArray[np.intp] = np.empty(0, np.intp)
    joint_rows: Records = np.empty(0, JOINT)


def body_row(pose: Pose, velocity: Array, angular_velocity: Array) -> Records:
    """Return the state of one body, as a row."""
    row = np.zeros(1, BODY)
    row["position"], row["rotation"] = pose.position, pose.rotation
    row["velocity"], row["angular_velocity"] = velocity, angular_velocity
    return row


@dataclass(slots=True)
class WorldState:
    """Time, bodies and joints. Rows follow the assembly's ``bodies`` and ``joints``."""

    time_ns: int
    bodies: Records  # dtype BODY
    joints: Records  # dtype JOINT

    @classmethod
    def zeros(cls, bodies: int, joints: int) -> WorldState:
        """Make a state of so many bodies and joints, all at rest at the origin."""
        state = cls(0, np.zeros(bodies, BODY), np.zeros(joints, JOINT))
        state.bodies["rotation"][:, 3] = 1.0
        return state

    def copy(self) -> WorldState:
        """Return an independent copy."""
        return WorldState(self.time_ns, self.bodies.copy(), self.joints.copy())

    def hash(self, *more: NDArray[np.void]) -> str:
        """Return a hash of every bit of the state, and of further arrays that belong to it."""
        digest = blake2b(str(self.time_ns).encode(), digest_size=16)
        for array in (self.bodies, self.joints, *more):
            digest.update(array.tobytes())
        return digest.hexdigest()


@dataclass(slots=True)
class Loads:
    """Forces for the next step: on bodies (about their origin, world axes) and along joints."""

    bodies: Records  # dtype LOAD
    joints: NDArray[np.float64]
    last: Records | None = None  # on bodies in the last step, once someone has asked to keep them

    @classmethod
    def zeros(cls, bodies: int, joints: int) -> Loads:
        """Make loads of zero."""
        return cls(np.zeros(bodies, LOAD), np.zeros(joints))

    def keep(self) -> None:
        """Keep what acts on bodies in each step, for sensors that feel forces."""
        if self.last is None:
            self.last = np.zeros_like(self.bodies)

    def note(self) -> None:
        """Note what is about to act; engines call it at the beginning of a step."""
        if self.last is not None:
            self.last[:] = self.bodies

    def clear(self) -> None:
        """Let nothing push."""
        self.bodies[:] = np.zeros((), LOAD)
        self.joints[:] = 0.0
