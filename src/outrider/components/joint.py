"""A joint as a component sees it."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from outrider.components.numbers import finite
from outrider.core.frames import Pose
from outrider.world.inertia import combine
from outrider.world.model import Inertial

if TYPE_CHECKING:
    from outrider.components.scope import ComponentScope

_APPROACH = 10.0  # 1/s: the speed of a servo is this times the way that is left
_FOR_EVER = float("inf")


class JointHandle:
    """A joint: rad and N m where it turns, m and N where it slides."""

    def __init__(self, scope: "ComponentScope", index: int) -> None:
        self._scope = scope
        self._index = index
        self._engine = scope.host.engine
        described = scope.host.assembly.joints[index]
        self.name = described.name
        self.lower, self.upper = described.joint.lower, described.joint.upper

    @property
    def position(self) -> float:
        """Its angle or length."""
        return float(self._engine.state.joints["position"][self._index])

    @property
    def velocity(self) -> float:
        """Its speed."""
        return float(self._engine.state.joints["velocity"][self._index])

    @property
    def effort(self) -> float:
        """The torque or force that was applied along it in the last step."""
        return float(self._engine.state.joints["effort"][self._index])

    def push(self, effort: float) -> None:
        """Apply a torque or force along it in this step."""
        self._scope.acting()
        self._engine.loads.joints[self._index] += finite(effort, f"{self.name}: push")

    def set(self, position: float, velocity: float = 0.0) -> None:
        """Set it at once, whatever is in the way."""
        self._scope.acting()
        joints = np.array([self._index], np.intp)
        positions = np.array([finite(position, f"{self.name}: position")])
        speeds = np.array([finite(velocity, f"{self.name}: velocity")])
        self._engine.set_joints(joints, positions, speeds)
        self._scope.host.hold(joints, positions)

    def move_to(self, position: float, speed: float = 1.0, effort: float = _FOR_EVER) -> None:
        """Move towards a position at up to a speed, with up to a torque or force, in this step."""
        way = finite(position, f"{self.name}: position") - self.position
        most = abs(finite(speed, f"{self.name}: speed"))
        self.turn(min(most, max(-most, _APPROACH * way)), effort)

    def turn(self, velocity: float, effort: float = _FOR_EVER) -> None:
        """Turn or slide at a speed, with up to a torque or force, in this step."""
        self._scope.acting()
        wanted = finite(velocity, f"{self.name}: velocity")
        if self._engine.kinematics is not None:
            self._engine.kinematics.turn(self._index, speed=wanted)
            return
        # solved for the speed at the end of the step: stiff, and stable at any step
        needed = 0.5 * self.inertia / self._scope.host.step_s * (wanted - self.velocity)
        self._engine.loads.joints[self._index] += min(effort, max(-effort, needed))

    @cached_property
    def inertia(self) -> float:
        """The inertia or mass that it moves, with all joints beyond it at zero."""
        assembly = self._scope.host.assembly
        described = assembly.joints[self._index]
        poses, parts = {described.child: Pose()}, []
        for number, body in enumerate(assembly.bodies):  # parents come first
            if body.parent in poses and number not in poses:
                poses[number] = poses[body.parent] @ body.pose
            if number in poses:
                own = body.inertial
                parts.append(Inertial(own.mass, own.inertia, poses[number] @ own.pose))
        whole = combine(parts)
        if described.joint.kind == "prismatic":
            return whole.mass + described.joint.armature
        axis = np.asarray(described.joint.axis)
        arm = np.cross(axis, whole.pose.position)
        about = axis @ whole.inertia @ axis + whole.mass * arm @ arm
        return float(about) + described.joint.armature
