"""From a world of models to what engines and rays need: rigid bodies, joints, fixed frames.

Links that are fixed to each other become one body. Every link stays known as a frame of its body,
and masses and inertias are combined exactly.
"""

from dataclasses import dataclass, field

import numpy as np

from outrider.core.errors import WorldError, near_match
from outrider.core.frames import Pose
from outrider.world.inertia import check_inertial, combine
from outrider.world.model import Geometry, Inertial, Joint, Link, Mobility, Model, World

WORLD = -1  # the body number of everything that never moves


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """One rigid body; geometry and centre of mass are given in the frame of its first link."""

    name: str
    model: int
    parent: int
    joint: int  # the joint that carries it, or -1 for the root of a model
    mobility: Mobility
    inertial: Inertial
    pose: Pose  # at the start: in the world for roots, else in the parent body
    visuals: tuple[Geometry, ...]
    colliders: tuple[Geometry, ...]
    apart: bool = False  # as in the model


@dataclass(frozen=True, slots=True, eq=False)
class BodyJoint:
    """A movable joint between two bodies; its frame is the child body's."""

    name: str
    child: int
    joint: Joint


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A link seen as a frame fixed in a body (or in the world)."""

    body: int
    T_body_link: Pose


@dataclass(frozen=True, slots=True, eq=False)
class StaticPart:
    """Geometry that never moves, posed in the world."""

    name: str
    visuals: tuple[Geometry, ...]
    colliders: tuple[Geometry, ...]
    apart: bool = False  # as in the model


def seen(part: Body | StaticPart) -> tuple[Geometry, ...]:
    """Return what sensors and images show of a part."""
    return part.visuals or (() if part.apart else part.colliders)


def felt(part: Body | StaticPart) -> tuple[Geometry, ...]:
    """Return what wheels feel of a part."""
    return part.colliders if part.apart else part.visuals or part.colliders


@dataclass(frozen=True, slots=True, eq=False)
class Assembly:
    """Rows of bodies and joints, in the order of the state's arrays; parents come first."""

    world: World
    models: tuple[str, ...]
    bodies: tuple[Body, ...]
    joints: tuple[BodyJoint, ...]
    frames: dict[str, Frame]
    static: tuple[StaticPart, ...]

    def frame(self, name: str) -> Frame:
        """Return where the link ``model/link`` is fixed."""
        if name not in self.frames:
            raise WorldError(f"there is no link '{name}'{near_match(name, self.frames)}")
        return self.frames[name]

    def joint_index(self, name: str) -> int:
        """Return the number of the joint ``model/joint``."""
        names = [joint.name for joint in self.joints]
        if name not in names:
            raise WorldError(
                f"there is no joint '{name}'{near_match(name, names)}{_beside(name, names)}"
            )
        return names.index(name)

    def root(self, model: str) -> int:
        """Return the number of a model's first body."""
        if model not in self.models:
            raise WorldError(f"there is no model '{model}'{near_match(model, self.models)}")
        number = self.models.index(model)
        for index, body in enumerate(self.bodies):
            if body.model == number:
                return index
        raise WorldError(f"'{model}' is static: none of it moves")

    def body_name(self, index: int) -> str:
        """Return a body's name; everything that never moves is the world."""
        return "world" if index == WORLD else self.bodies[index].name


def assemble(world: World) -> Assembly:
    """Flatten a world into rigid bodies and joints."""
    return _Assembler(world).finish()


@dataclass(slots=True)
class _Cluster:
    """Links fixed to one another, with their poses in the first one."""

    links: list[tuple[Link, Pose]] = field(default_factory=list)

    def geometry(self, kind: str) -> tuple[Geometry, ...]:
        return tuple(
            Geometry(g.shape, T @ g.pose, g.material, g.name or link.name)
            for link, T in self.links
            for g in getattr(link, kind)
        )

    def inertials(self) -> list[Inertial]:
        return [
            Inertial(link.inertial.mass, link.inertial.inertia, T @ link.inertial.pose)
            for link, T in self.links
            if link.inertial is not None
        ]


class _Assembler:
    def __init__(self, world: World) -> None:
        self.world = world
        self.models: list[str] = []
        self.bodies: list[Body] = []
        self.joints: list[BodyJoint] = []
        self.frames: dict[str, Frame] = {}
        self.static: list[StaticPart] = []

    def finish(self) -> Assembly:
        for model in self.world.models:
            self._add(model, Pose(), "")
        return Assembly(
            self.world,
            tuple(self.models),
            tuple(self.bodies),
            tuple(self.joints),
            self.frames,
            tuple(self.static),
        )

    def _add(self, model: Model, T_world_parent: Pose, prefix: str) -> None:
        name = prefix + model.name
        if name in self.models:
            raise WorldError(f"two models have the name '{name}'")
        self.models.append(name)
        T_world_model = T_world_parent @ model.pose
        self._add_links(model, name, T_world_model)
        for child in model.children:
            self._add(child, T_world_model, f"{name}/")

    def _add_links(self, model: Model, name: str, T_world_model: Pose) -> None:
        roots = model.roots
        if len(roots) != 1:
            found = ", ".join(link.name for link in roots) or "none"
            raise WorldError(f"model '{name}' needs exactly one root link, found {found}")
        self._add_body(model, name, roots[0], None, WORLD, T_world_model)

    def _add_body(
        self, model: Model, name: str, link: Link, joint: Joint | None, parent: int, pose: Pose
    ) -> None:
        cluster = _Cluster()
        movable: list[tuple[Joint, Pose]] = []
        self._collect(model, link, Pose(), cluster, movable)
        index = self._add_row(model, name, cluster, joint, parent, pose)
        for fixed, T in cluster.links:
            self.frames[f"{name}/{fixed.name}"] = Frame(index, pose @ T if index == WORLD else T)
        for next_joint, T in movable:
            child = model.link(next_joint.child)
            if model.mobility == "scripted":  # every part is moved by itself
                self._add_body(model, name, child, None, WORLD, pose @ T @ next_joint.origin)
            else:
                self._add_body(model, name, child, next_joint, index, T @ next_joint.origin)

    def _collect(
        self,
        model: Model,
        link: Link,
        T: Pose,
        cluster: _Cluster,
        movable: list[tuple[Joint, Pose]],
    ) -> None:
        cluster.links.append((link, T))
        for joint in model.joints:
            if joint.parent != link.name:
                continue
            if joint.kind == "fixed" or model.mobility == "static":  # whose joints never move
                child = model.link(joint.child)
                self._collect(model, child, T @ joint.origin, cluster, movable)
            else:
                movable.append((joint, T))

    def _add_row(
        self,
        model: Model,
        name: str,
        cluster: _Cluster,
        joint: Joint | None,
        parent: int,
        pose: Pose,
    ) -> int:
        first = f"{name}/{cluster.links[0][0].name}"
        visuals, colliders = cluster.geometry("visuals"), cluster.geometry("colliders")
        if model.mobility == "static":
            posed = _moved(visuals, pose), _moved(colliders, pose)
            self.static.append(StaticPart(name, *posed, model.apart))
            return WORLD
        inertial = self._inertial(model, cluster, first)
        index = len(self.bodies)
        number = -1
        if joint is not None:
            number = len(self.joints)
            self.joints.append(BodyJoint(f"{name}/{joint.name}", index, joint))
        self.bodies.append(
            Body(
                first,
                len(self.models) - 1,
                parent,
                joint=number,
                mobility=model.mobility,
                inertial=inertial,
                pose=pose,
                visuals=visuals,
                colliders=colliders,
                apart=model.apart,
            )
        )
        return index

    def _inertial(self, model: Model, cluster: _Cluster, name: str) -> Inertial:
        parts = cluster.inertials()
        if model.mobility == "scripted" and not parts:
            return Inertial(1.0, np.eye(3))  # moved by hand: its mass never matters
        if not parts:
            raise WorldError(f"body '{name}' moves but has no mass; give its link one")
        merged = combine(parts)
        check_inertial(merged, name)
        return merged


def _moved(geometry: tuple[Geometry, ...], pose: Pose) -> tuple[Geometry, ...]:
    return tuple(Geometry(g.shape, pose @ g.pose, g.material, g.name) for g in geometry)


def _beside(name: str, names: list[str]) -> str:
    """Return which joints the model of a joint that does not exist has."""
    model = name.partition("/")[0]
    own = [known for known in names if known.partition("/")[0] == model]
    return f"; '{model}' has: {', '.join(own)}" if own else ""
