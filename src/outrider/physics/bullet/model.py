"""An assembly as Bullet multibodies, and the mapping of Bullet's indices.

Every collider is a massless link of its own, fixed to its body: so each keeps its own material and
name. Bullet multiplies the friction and restitution of a pair; with the root of the material's
figure on each side, a pair has the geometric mean of its two materials. Of spinning friction it
takes each side's times the other's sliding friction, and adds the two.

Bullet rounds the edges of boxes and cylinders by its collision margin, and grows meshes by it: at
its own millimetre, what rests on an edge lies 0.4 mm too low, and on a mesh up to 2 mm too high.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from outrider.core.errors import PhysicsError
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.core.structure import Data
from outrider.physics.bullet.terrain import tiles
from outrider.physics.colliders.shapes import solid
from outrider.physics.joint_range import joint_range
from outrider.physics.torsional_friction import torsional_friction
from outrider.world.assembly import WORLD, Assembly, Body
from outrider.world.inertia import combine, moved
from outrider.world.materials import Material
from outrider.world.model import Geometry, Inertial
from outrider.world.shapes import (
    Box,
    Capsule,
    Cylinder,
    Faces,
    HeightField,
    MappedField,
    Mesh,
    Plane,
    Sphere,
)
from outrider.world.tessellate import bounds, tessellate

try:
    import pybullet as pybullet  # also for the engine, which uses the same client
except ImportError:  # an extra: told to whoever makes an engine, not to whoever imports this
    pybullet = None

_BASE = -1  # Bullet's number of a multibody's first link
# every triangle, and no bumps at the edges between two of them
_TRIANGLES = pybullet.GEOM_FORCE_CONCAVE_TRIMESH | pybullet.GEOM_CONCAVE_INTERNAL_EDGE
_MARGIN = 1e-4  # m: collision margin of what moves, enough for what a step of free fall goes in by
_FACES_PER_PIECE = 40_000  # Bullet takes at most 131 072 vertices in one shape
_BOUNDLESS = 1e9


@dataclass(frozen=True, slots=True)
class Owner:
    """What a link with a collision shape is part of."""

    body: int
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Collider:
    """A collision shape of something that moves, to be asked for without its body."""

    tree: int  # Bullet's number of the model
    body: int
    pose: Pose  # in the body
    shape: int  # Bullet's number of it
    low: Array  # of the box around it, in its own axes
    high: Array
    owner: Owner


@dataclass(slots=True)
class BodyTree:
    """One model: its number in Bullet, its rows of bodies, and the links and joints they are."""

    handle: int
    rows: list[int]  # of the assembly's bodies; the first is the base
    links: list[int]  # Bullet's numbers of all rows but the first
    joints: list[int]  # of the assembly, carrying those links
    scripted: bool


@dataclass(slots=True)
class _Links:
    """The lists that make a multibody, a row per link; parents are counted from the base as 0."""

    masses: list[float] = field(default_factory=list)
    shapes: list[int] = field(default_factory=list)
    poses: list[Pose] = field(default_factory=list)
    inertials: list[Pose] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    axes: list[tuple[float, float, float]] = field(default_factory=list)
    colliders: list[tuple[int, Owner, Material]] = field(default_factory=list)  # by link
    shaped: list[tuple[Owner, int, Geometry]] = field(default_factory=list)  # by Bullet's shape

    def add(
        self,
        mass: float,
        shape: int,
        pose: Pose,
        inertial: Pose,
        parent: int,
        kind: int,
        axis: tuple[float, float, float],
    ) -> int:
        """Append a link and return its number in these lists."""
        self.masses.append(mass)
        self.shapes.append(shape)
        self.poses.append(pose)
        self.inertials.append(inertial)
        self.parents.append(parent)
        self.kinds.append(kind)
        self.axes.append(axis)
        return len(self.masses) - 1

    def arguments(self) -> Data:
        """Return what createMultiBody calls them."""
        return {
            "linkMasses": self.masses,
            "linkCollisionShapeIndices": self.shapes,
            "linkVisualShapeIndices": [-1] * len(self.masses),
            "linkPositions": [pose.position for pose in self.poses],
            "linkOrientations": [pose.rotation for pose in self.poses],
            "linkInertialFramePositions": [pose.position for pose in self.inertials],
            "linkInertialFrameOrientations": [pose.rotation for pose in self.inertials],
            "linkParentIndices": self.parents,
            "linkJointTypes": self.kinds,
            "linkJointAxis": self.axes,
        }


class BulletModel:
    """Fills an empty client with an assembly."""

    def __init__(self, assembly: Assembly, client: int, step_s: float) -> None:
        self._assembly = assembly
        self._step_s = step_s
        self._client = client
        self.owners: dict[tuple[int, int], Owner] = {}
        self.still: list[int] = []  # Bullet's numbers of what never moves
        self.colliders: list[Collider] = []  # of all that moves
        self._hard: dict[int, list[int]] = {}
        self.principals = [principal_inertial(_armed(assembly, body)) for body in assembly.bodies]
        for part in assembly.static:
            for geometry in part.colliders:
                self._add_static(geometry, Owner(WORLD, part.name))
        self.trees = [self._add_tree(rows) for rows in _trees(assembly)]

    def _add_static(self, geometry: Geometry, owner: Owner) -> None:
        shape, pose = geometry.shape, geometry.pose
        if isinstance(shape, MappedField):
            raise PhysicsError("the engine 'bullet' does not support endless terrain; use 'mujoco'")
        if not isinstance(shape, Mesh | HeightField):
            self._add_fixed(self._shape(shape), pose, owner, geometry.material)
            return
        for vertices, faces in tiles(shape) if isinstance(shape, HeightField) else _pieces(shape):
            number = self._create_shape(
                shapeType=pybullet.GEOM_MESH,
                vertices=vertices.tolist(),
                indices=faces.ravel().tolist(),
                flags=_TRIANGLES,
            )
            handle = self._add_fixed(number, pose, owner, geometry.material)
            self._set(handle, _BASE, collisionMargin=0.0)  # triangles stay where they are

    def _add_fixed(self, shape: int, pose: Pose, owner: Owner, material: Material) -> int:
        handle: int = pybullet.createMultiBody(
            0.0, shape, -1, pose.position, pose.rotation, physicsClientId=self._client
        )
        self.owners[handle, _BASE] = owner
        self.still.append(handle)
        self._set_surface(handle, _BASE, material)
        return handle

    def _add_tree(self, rows: list[int]) -> BodyTree:
        bodies = self._assembly.bodies
        base = bodies[rows[0]]
        scripted = base.mobility == "scripted"
        if scripted and len(rows) > 1:
            raise PhysicsError(f"'{base.name}' is scripted and cannot have joints")
        links = _Links()
        numbers = {rows[0]: _BASE}
        for row in rows[1:]:
            numbers[row] = self._add_link(links, bodies[row], numbers[bodies[row].parent], row)
        for row in rows:
            self._add_colliders(links, bodies[row], numbers[row], row)
        handle = self._create(base, rows[0], links, scripted)
        joints = [bodies[row].joint for row in rows[1:]]
        given = self._given_numbers(handle)
        if len(given) < len(links.masses):
            raise PhysicsError(
                f"model '{self._assembly.models[base.model]}' has {len(links.masses)} links and"
                f" collision shapes: the engine 'bullet' takes {len(given)}; use 'mujoco'"
            )
        links.colliders = [(given[n], owner, material) for n, owner, material in links.colliders]
        tree = BodyTree(handle, rows, [given[numbers[row]] for row in rows[1:]], joints, scripted)
        self.colliders += [
            Collider(handle, owner.body, g.pose, shape, *bounds(g.shape), owner)
            for owner, shape, g in links.shaped
        ]
        self._finish(tree, links)
        return tree

    def _given_numbers(self, handle: int) -> dict[int, int]:
        """Return Bullet's numbers of links by ours.

        It counts all that a link carries before the next one, and names joints by the order in
        which they were told to it, from 1 on.
        """
        count = pybullet.getNumJoints(handle, physicsClientId=self._client)
        joints = [pybullet.getJointInfo(handle, n, self._client) for n in range(count)]
        return {int(joint[1].removeprefix(b"joint")) - 1: joint[0] for joint in joints}

    def _add_link(self, links: _Links, body: Body, parent: int, row: int) -> int:
        joint = self._assembly.joints[body.joint].joint
        kind = pybullet.JOINT_PRISMATIC if joint.kind == "prismatic" else pybullet.JOINT_REVOLUTE
        principal = self.principals[row]
        return links.add(
            principal.mass, -1, body.pose, principal.pose, parent + 1, kind, joint.axis
        )

    def _add_colliders(self, links: _Links, body: Body, parent: int, row: int) -> None:
        pieces = [piece for g in body.colliders for piece in solid(g)]
        for geometry in pieces:
            shape = self._shape(geometry.shape)
            number = links.add(
                0.0, shape, geometry.pose, Pose(), parent + 1, pybullet.JOINT_FIXED, (0, 0, 1)
            )
            owner = Owner(row, f"{body.name}/{geometry.name}".rstrip("/"))
            links.colliders.append((number, owner, geometry.material))
            links.shaped.append((owner, shape, geometry))

    def _create(self, base: Body, row: int, links: _Links, scripted: bool) -> int:
        principal = self.principals[row]
        handle: int = pybullet.createMultiBody(
            0.0 if scripted else principal.mass,
            -1,
            -1,
            base.pose.position,
            base.pose.rotation,
            principal.pose.position,
            principal.pose.rotation,
            physicsClientId=self._client,
            **links.arguments(),
        )
        return handle

    def _finish(self, tree: BodyTree, links: _Links) -> None:
        for number, owner, material in links.colliders:
            self.owners[tree.handle, number] = owner
            self._set_surface(tree.handle, number, material)
        for number, joint in zip(tree.links, tree.joints, strict=True):
            self._set_joint(tree.handle, number, joint)
        for number, row in zip([_BASE, *tree.links], tree.rows, strict=True):
            self._set(tree.handle, number, linearDamping=0, angularDamping=0, jointDamping=0)
            self._set(tree.handle, number, maxJointVelocity=_BOUNDLESS)  # of the base, too: 100
            if not tree.scripted:
                # in a call of its own: together with other figures Bullet forgets it for links
                moments = np.diag(self.principals[row].inertia).tolist()
                self._set(tree.handle, number, localInertiaDiagonal=moments)

    def _set_joint(self, handle: int, link: int, number: int) -> None:
        joint = self._assembly.joints[number].joint
        pybullet.setJointMotorControl2(
            handle,
            link,
            pybullet.VELOCITY_CONTROL,
            targetVelocity=0.0,
            force=joint.friction,
            physicsClientId=self._client,
        )
        if math.isfinite(joint.lower) or math.isfinite(joint.upper):
            lower, upper = joint_range(joint)
            self._set(
                handle,
                link,
                jointLowerLimit=lower,
                jointUpperLimit=upper,
                jointLimitForce=_BOUNDLESS,
            )

    def _set_surface(self, handle: int, link: int, material: Material) -> None:
        sliding = math.sqrt(material.friction)
        self._set(
            handle,
            link,
            lateralFriction=sliding,
            restitution=math.sqrt(material.restitution),
            rollingFriction=0.0,
            spinningFriction=torsional_friction(sliding) / 2,
        )
        if material.restitution > 0:
            self._set(handle, link, **_bounce(self._step_s))
        else:
            self._hard.setdefault(handle, []).append(link)

    def hard_links(self, handle: int) -> list[int]:
        """Return the colliders of a body that do not bounce: depth counts for those."""
        return self._hard.get(handle, [])

    def _set(self, handle: int, link: int, **figures: object) -> None:
        pybullet.changeDynamics(handle, link, physicsClientId=self._client, **figures)

    def _shape(self, shape: object) -> int:
        """Return Bullet's number of a convex shape; a piece of a mesh becomes its hull."""
        match shape:
            case Plane():
                return self._create_shape(
                    shapeType=pybullet.GEOM_PLANE, planeNormal=[0.0, 0.0, 1.0]
                )
            case Sphere(radius=radius):
                return self._create_shape(shapeType=pybullet.GEOM_SPHERE, radius=radius)
            case Capsule(radius=radius, length=length):
                kind = pybullet.GEOM_CAPSULE
                return self._create_shape(shapeType=kind, radius=radius, height=length)
        return self._edged_shape(shape)

    def _edged_shape(self, shape: object) -> int:
        """Return the same of a shape whose edges Bullet rounds."""
        match shape:
            case Box(size=size):
                half = [edge / 2 for edge in size]
                number = self._create_shape(shapeType=pybullet.GEOM_BOX, halfExtents=half)
            case Cylinder(radius=radius, length=length):
                kind = pybullet.GEOM_CYLINDER
                number = self._create_shape(shapeType=kind, radius=radius, height=length)
            case _:
                points = tessellate(shape).vertices.tolist()  # type: ignore[arg-type]
                number = self._create_shape(shapeType=pybullet.GEOM_MESH, vertices=points)
        self._set_margin(number)
        return number

    def _set_margin(self, shape: int) -> None:
        """Give a shape our margin: as a base, for links cannot be given one.

        The body goes again, and the links that share the shape find it so.
        """
        handle = pybullet.createMultiBody(0.0, shape, physicsClientId=self._client)
        self._set(handle, _BASE, collisionMargin=_MARGIN)
        pybullet.removeBody(handle, physicsClientId=self._client)

    def _create_shape(self, **figures: object) -> int:
        number: int = pybullet.createCollisionShape(physicsClientId=self._client, **figures)
        if number < 0:
            raise PhysicsError("Bullet cannot build one of the world's collision shapes")
        return number


def _bounce(step_s: float) -> dict[str, float]:
    """Return what lets a body bounce with its own speed.

    Bullet brakes what is about to touch by the gap that is left, and throws back what has gone in
    by a fifth of the depth in every step. Here contacts begin at zero, and depth hardly counts.
    """
    return {"contactProcessingThreshold": 0.0, **contact_share(0.002, step_s)}


def contact_share(share: float, step_s: float) -> dict[str, float]:
    """Return what lets a hard contact take back a share of its depth in every step."""
    damping = 1e9  # so large that it leaves the contact hard
    stiffness = damping * share / ((1 - share) * step_s)
    return {"contactStiffness": stiffness, "contactDamping": damping}


def principal_inertial(inertial: Inertial) -> Inertial:
    """Return the same mass seen in its principal axes: the inertia is diagonal there."""
    moments, axes = np.linalg.eigh(inertial.inertia)
    axes *= np.sign(np.linalg.det(axes))
    turned = np.eye(4)
    turned[:3, :3] = axes
    pose = inertial.pose @ Pose.from_matrix(turned)
    return Inertial(inertial.mass, np.diag(np.maximum(moments, 1e-12)), pose)


def joint_inertias(assembly: Assembly) -> Array:
    """Return what each joint moves at its zero: kg, or kg m^2 about its axis, parents at rest."""
    carried = [_armed(assembly, body) for body in assembly.bodies]
    for row in range(len(assembly.bodies) - 1, -1, -1):
        body = assembly.bodies[row]
        if body.parent != WORLD:
            parts = [carried[body.parent], moved(carried[row], body.pose)]
            carried[body.parent] = combine(parts)
    return np.array([_along(carried[j.child], j.joint.axis, j.joint.kind) for j in assembly.joints])


def _along(inertial: Inertial, axis: tuple[float, float, float], kind: str) -> float:
    if kind == "prismatic":
        return inertial.mass
    across = np.cross(axis, inertial.pose.position)
    own = _turned_back(inertial.pose, np.asarray(axis))
    return float(own @ inertial.inertia @ own + inertial.mass * (across @ across))


def _armed(assembly: Assembly, body: Body) -> Inertial:
    """Add the rotor of a turning joint to its body's inertia about the axis: Bullet has none."""
    if body.joint < 0:
        return body.inertial
    joint = assembly.joints[body.joint].joint
    if joint.kind == "prismatic" or not joint.armature:
        return body.inertial
    rotor = _turned_back(body.inertial.pose, np.asarray(joint.axis))
    inertia = body.inertial.inertia + joint.armature * np.outer(rotor, rotor)
    return Inertial(body.inertial.mass, inertia, body.inertial.pose)


def _turned_back(pose: Pose, vector: Array) -> Array:
    """Return a direction of the outer frame in the axes of a pose."""
    turned: Array = matrix_from_quaternion(pose.rotation).T @ vector
    return turned


def _trees(assembly: Assembly) -> Iterator[list[int]]:
    """Return the bodies of each model, its root first."""
    rows: list[int] = []
    for row, body in enumerate(assembly.bodies):
        if body.parent == WORLD and rows:
            yield rows
            rows = []
        rows.append(row)
    if rows:
        yield rows


def _pieces(mesh: Mesh) -> Iterator[tuple[Array, Faces]]:
    """Cut a mesh into pieces that Bullet can take, each with its own vertices."""
    for first in range(0, len(mesh.faces), _FACES_PER_PIECE):
        used, faces = np.unique(mesh.faces[first : first + _FACES_PER_PIECE], return_inverse=True)
        yield mesh.vertices[used], faces.reshape(-1, 3).astype(np.int32)
