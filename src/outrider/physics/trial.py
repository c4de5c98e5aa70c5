"""Places that are tried: where all would be, without an engine that moves."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, Pose
from outrider.physics.engine import Overlap, PhysicsEngine
from outrider.world.forward_kinematics import ForwardKinematics
from outrider.world.state import Placement, WorldState, body_row


class Trial:
    """A state of its own, in which things are put elsewhere; the engine is only asked about it.

    So whatever is tried leaves no trace in the engine, in any thread.
    """

    def __init__(
        self, engine: PhysicsEngine, kinematics: ForwardKinematics, state: WorldState
    ) -> None:
        self._engine, self._kinematics = engine, kinematics
        self.state = state.copy()

    def place(self, body: int, pose: Pose, velocity: Array, angular_velocity: Array) -> None:
        """Put a model's root body somewhere, with all that it carries."""
        row = body_row(pose, velocity, angular_velocity)
        self.place_all(Placement(np.array([body], np.intp), row))

    def place_all(self, placed: Placement) -> None:
        """Put root bodies and joints where rows of a state say."""
        self.state.bodies[placed.bodies] = placed.rows
        rows = placed.joint_rows
        self.set_joints(placed.joints, rows["position"], rows["velocity"])

    def set_joints(self, joints: NDArray[np.intp], positions: Array, velocities: Array) -> None:
        """Turn joints to positions."""
        self.state.joints["position"][joints] = positions
        self.state.joints["velocity"][joints] = velocities
        self._kinematics.apply(self.state)

    def overlaps(self, least: float = 0.0, model: int | None = None) -> list[Overlap]:
        """Return what would be inside what."""
        return self._engine.overlaps(least, model, self.state)
