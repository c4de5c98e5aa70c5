"""SDF links and joints as Outrider models: trees with one root each.

In SDF a joint's frame may lie anywhere, joints may point either way, and a model may fall into
pieces. Here every model is one tree whose joints lie in the frames of the links they carry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.formats.notes import Notes
from outrider.formats.sdf.joint import FlatJoint
from outrider.formats.sdf.link import FlatLink
from outrider.world.model import Inertial, Joint, Link, Mobility, Model

FRAME = "__model__"  # the link that stands for a model's own frame where no link lies in it
WORLD = "world"
_HERE = 1e-12


def build_model(
    name: str,
    links: Sequence[FlatLink],
    joints: Sequence[FlatJoint],
    static: bool,
    where: str,
    notes: Notes,
) -> Model:
    """Return a model at the origin; pieces that nothing joins to it are its children."""
    if not links:
        return Model(name, (Link(FRAME),), mobility="static")
    if static:
        return _still(name, links)
    held = {j.child if j.parent == WORLD else j.parent for j in joints if _to_world(j)}
    trees = [_Tree(links, joints, root, where, notes) for root in _roots(links, joints)]
    models = [tree.model(name if i == 0 else "", held) for i, tree in enumerate(trees)]
    return replace(models[0], children=tuple(models[1:]))


def _to_world(joint: FlatJoint) -> bool:
    return WORLD in (joint.parent, joint.child)


def _still(name: str, links: Sequence[FlatLink]) -> Model:
    """Return a model that never moves: all its links are fixed in its frame."""
    root = links[0] if _is_here(links[0].pose) else FlatLink(Link(FRAME), Pose())
    others = [flat for flat in links if flat is not root]
    joints = [
        Joint(f"{flat.link.name}_fixed", "fixed", root.link.name, flat.link.name, flat.pose)
        for flat in others
    ]
    held = tuple(flat.link for flat in (root, *others))
    return Model(name, held, tuple(joints), mobility="static")


def _roots(links: Sequence[FlatLink], joints: Sequence[FlatJoint]) -> list[str]:
    """Return one link for each piece: the first of the file that no joint carries, if any."""
    carried = {joint.child for joint in joints if not _to_world(joint)}
    piece = {flat.link.name: flat.link.name for flat in links}

    def find(name: str) -> str:
        while piece[name] != name:
            piece[name] = piece[piece[name]]
            name = piece[name]
        return name

    for joint in joints:
        if not _to_world(joint):
            piece[find(joint.child)] = find(joint.parent)
    roots: dict[str, str] = {}
    for flat in sorted(links, key=lambda flat: flat.link.name in carried):
        roots.setdefault(find(flat.link.name), flat.link.name)
    order = {flat.link.name: i for i, flat in enumerate(links)}
    first = find(links[0].link.name)  # the piece of the first link keeps the model's name
    return sorted(roots.values(), key=lambda name: (find(name) != first, order[name]))


class _Tree:
    """One piece of a model, walked from its root along joints in either direction."""

    def __init__(
        self,
        links: Sequence[FlatLink],
        joints: Sequence[FlatJoint],
        root: str,
        where: str,
        notes: Notes,
    ) -> None:
        self.flat = {flat.link.name: flat for flat in links}
        self.where = where
        self.notes = notes
        self.root = root
        self.order = [root]
        self.links: list[Link] = [self.flat[root].link]
        self.joints: list[Joint] = []
        self._walk([joint for joint in joints if not _to_world(joint)])

    def model(self, name: str, held: set[str]) -> Model:
        """Return the piece as a model; its pose is the root's, or its own frame is a link."""
        flats = [self.flat[link] for link in self.order]
        mobility = self._mobility(flats, held)
        if mobility == "dynamic":
            self._weigh()
        pose = flats[0].pose
        if name and not _is_here(pose):
            hold = Joint(f"{self.root}_fixed", "fixed", FRAME, self.root, pose)
            links, joints = (Link(FRAME), *self.links), (hold, *self.joints)
            return Model(name, links, joints, mobility=mobility)
        return Model(name or self.root, tuple(self.links), tuple(self.joints), pose, mobility)

    def _walk(self, joints: list[FlatJoint]) -> None:
        seen, todo = {self.root}, [self.root]
        used: set[str] = set()
        while todo:
            here = todo.pop(0)
            for joint in joints:
                if joint.name in used or here not in (joint.parent, joint.child):
                    continue
                used.add(joint.name)
                there = joint.child if here == joint.parent else joint.parent
                if there in seen:
                    self.notes.add(
                        "ignored",
                        f"{self.where}: joint '{joint.name}' closes a loop and was left out",
                    )
                    continue
                seen.add(there)
                todo.append(there)
                self._add(joint, here, there)

    def _add(self, joint: FlatJoint, here: str, there: str) -> None:
        """Add a link that a joint leads to; a joint off its origin gets a frame of its own."""
        T_here = self.flat[here].pose.inverse()
        T_there = self.flat[there].pose
        link = self.flat[there].link
        self.order.append(there)
        sign = 1.0 if here == joint.parent else -1.0
        T_joint_there = joint.pose.inverse() @ T_there
        if joint.kind == "fixed" or np.abs(T_joint_there.position).max() < _HERE:
            axis = sign * matrix_from_quaternion(T_joint_there.rotation).T @ np.array(joint.axis)
            self.joints.append(_joint(joint, here, there, T_here @ T_there, axis))
            self.links.append(link)
            return
        frame = f"{joint.name}_frame"
        axis = sign * np.array(joint.axis)
        self.joints.append(_joint(joint, here, frame, T_here @ joint.pose, axis))
        self.joints.append(Joint(f"{joint.name}_hold", "fixed", frame, there, T_joint_there))
        self.links += [Link(frame), link]

    def _mobility(self, flats: Sequence[FlatLink], held: set[str]) -> Mobility:
        if held & set(self.order):
            if any(joint.kind != "fixed" for joint in self.joints):
                self.notes.add(
                    "ignored",
                    f"{self.where}: models joined to the world do not move; their joints are fixed",
                )
            return "static"
        if all(flat.static for flat in flats):
            return "static"
        return "scripted" if flats[0].scripted else "dynamic"

    def _weigh(self) -> None:
        """Give a part that moves by itself and has no mass the kilogram that SDF gives it."""
        groups: dict[str, str] = {self.links[0].name: self.links[0].name}
        for joint in self.joints:
            groups[joint.child] = groups[joint.parent] if joint.kind == "fixed" else joint.child
        heavy = {groups[link.name] for link in self.links if link.inertial}
        for i, link in enumerate(self.links):
            if groups[link.name] not in heavy:
                heavy.add(groups[link.name])
                self.links[i] = replace(link, inertial=Inertial(1.0, np.eye(3)))
                self.notes.add(
                    "guessed",
                    f"{self.where}: link '{link.name}' has no mass; SDF's own 1 kg is used",
                )


def _joint(joint: FlatJoint, parent: str, child: str, origin: Pose, axis: Array) -> Joint:
    if joint.kind == "fixed":
        return Joint(joint.name, "fixed", parent, child, origin)
    x, y, z = (float(value) for value in axis)
    return Joint(
        joint.name,
        joint.kind,
        parent,
        child=child,
        origin=origin,
        axis=(x, y, z),
        lower=joint.lower,
        upper=joint.upper,
        damping=joint.damping,
        friction=joint.friction,
        stiffness=joint.stiffness,
        rest=joint.rest,
    )


def _is_here(pose: Pose) -> bool:
    return bool(np.abs(pose.position).max() < _HERE and np.abs(pose.rotation[:3]).max() < _HERE)
