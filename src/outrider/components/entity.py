"""A model, link, joint or sensor as components see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from outrider.components.entity_frame import NO_JOINT, EntityFrame, Kind
from outrider.components.joint import JointHandle
from outrider.components.numbers import ZERO, Vector, finite, finite_pose, vector
from outrider.core.errors import ComponentError
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.physics.engine import Contact
from outrider.world.assembly import WORLD
from outrider.world.state import Records

if TYPE_CHECKING:
    from outrider.components.scope import ComponentScope


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """A contact: what is touched, where, the normal towards it, and the impulse (N s) of a step."""

    other: str
    point: Array
    normal: Array
    impulse: float


class Entity:
    """Something in the world. Positions, velocities and forces are in world axes."""

    def __init__(self, scope: "ComponentScope", place: EntityFrame) -> None:
        self._scope = scope
        self._place = place
        self._engine = scope.host.engine

    @property
    def on(self) -> str:
        """Its name: ``model``, ``model/link``, ``model/joint`` or ``robot/sensor``."""
        return self._place.name

    @property
    def kind(self) -> Kind:
        """What it is."""
        return self._place.kind

    @property
    def model(self) -> str:
        """The name of the model that it belongs to; empty for the world."""
        return self._place.model

    @property
    def pose(self) -> Pose:
        """Its true pose in the world."""
        if self._place.body == WORLD:
            return self._place.T_body_thing
        row = self._row()
        return Pose(row["position"].copy(), row["rotation"].copy()) @ self._place.T_body_thing

    @property
    def position(self) -> Array:
        """Its true position in the world."""
        return self.pose.position

    @property
    def velocity(self) -> Array:
        """Its true velocity (m/s)."""
        if self._place.body == WORLD:
            return np.zeros(3)
        row = self._row()
        arm = matrix_from_quaternion(row["rotation"]) @ self._place.T_body_thing.position
        moving: Array = row["velocity"] + np.cross(row["angular_velocity"], arm)
        return moving

    @property
    def angular_velocity(self) -> Array:
        """Its true angular velocity (rad/s)."""
        if self._place.body == WORLD:
            return np.zeros(3)
        turning: Array = self._row()["angular_velocity"].copy()
        return turning

    @property
    def joint(self) -> JointHandle:
        """The joint that it is, or that carries it."""
        if self._place.joint == NO_JOINT:
            raise ComponentError(f"'{self.on}' is not carried by a joint")
        return self._scope.joint(self._place.joint)

    @property
    def has_joint(self) -> bool:
        """Whether it is a joint, or carried by one."""
        return self._place.joint != NO_JOINT

    @property
    def joints(self) -> Mapping[str, JointHandle]:
        """All joints of its model, by their names in it."""
        start = f"{self.model}/"
        found = enumerate(self._scope.host.assembly.joints)
        return {
            joint.name.removeprefix(start): self._scope.joint(number)
            for number, joint in found
            if joint.name.startswith(start)
        }

    @property
    def contacts(self) -> list[Touch]:
        """What touches it now; for a model, any of its parts."""
        return [touch for c in self._scope.host.contacts() for touch in self._touches(c)]

    def push(self, force: Vector, torque: Vector = ZERO, at: Vector | None = None) -> None:
        """Apply a force (N) and a torque (N m) in this step.

        It acts at the body's centre of mass, or ``at`` a point in the thing's own frame.
        """
        self._scope.acting()
        body = self._moving("push")
        own = self._place.T_body_thing
        centre = self._scope.host.assembly.bodies[body].inertial.pose.position
        point = centre if at is None else own.apply(vector(at, "push: at"))
        arm = matrix_from_quaternion(self._row()["rotation"]) @ point
        load = self._engine.loads.bodies[body]
        pushed, turned = vector(force, "push: force"), vector(torque, "push: torque")
        load["force"] += pushed
        load["torque"] += turned + np.cross(arm, pushed)

    def move(self, velocity: Vector, angular_velocity: Vector = ZERO) -> None:
        """Move the whole model at a velocity from now on; free bodies are then moved by forces."""
        self.place(self.pose, velocity, angular_velocity)

    def place(self, pose: Pose, velocity: Vector = ZERO, angular_velocity: Vector = ZERO) -> None:
        """Put the whole model so that this thing is at a pose, whatever is in the way."""
        self._scope.acting()
        body = self._moving("place")
        if self._scope.host.assembly.bodies[body].joint >= 0:
            raise ComponentError(f"'{self.on}' is carried by a joint: move the joint, or the model")
        self._engine.place(
            body,
            finite_pose(pose, "place: pose") @ self._place.T_body_thing.inverse(),
            vector(velocity, "place: velocity"),
            vector(angular_velocity, "place: angular_velocity"),
        )

    def ray(self, direction: Vector, far: float = 100.0) -> float:
        """Return how far one sees in a direction of the thing's own frame, its model left out."""
        along = vector(direction, "ray: direction")
        pose, most = self.pose, finite(far, "ray: far")
        length = max(1e-12, float(np.linalg.norm(along)))
        turned = matrix_from_quaternion(pose.rotation) @ (along / length)
        assembly = self._scope.host.assembly
        own = assembly.models.index(self.model) if self.model else WORLD
        hits = self._scope.host.scene.cast(
            pose.position[None], turned[None], most, self._engine.state, own
        )
        return float(hits.distance[0])

    def _row(self) -> Records:
        row: Records = self._engine.state.bodies[self._place.body]
        return row

    def _moving(self, what: str) -> int:
        if self._place.body == WORLD:
            raise ComponentError(f"{what}: '{self.on or 'world'}' is static")
        return self._place.body

    def _touches(self, contact: Contact) -> list[Touch]:
        """Return a contact as this thing feels it, if it takes part."""
        sides = (
            (contact.first, contact.first_name, contact.second_name, 1.0),
            (contact.second, contact.second_name, contact.first_name, -1.0),
        )
        return [
            Touch(other, contact.point.copy(), sign * contact.normal, contact.impulse)
            for body, name, other, sign in sides
            if self._is(body, name)
        ]

    def _is(self, body: int, name: str) -> bool:
        if self._place.kind == "model":
            return name == self.on or name.startswith(f"{self.on}/")
        return body == self._place.body != WORLD
