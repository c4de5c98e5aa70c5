"""An assembly as a MuJoCo model, and the mapping of MuJoCo's indices."""

from dataclasses import dataclass
from itertools import combinations

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import PhysicsError
from outrider.core.frames import AnyArray, Pose
from outrider.core.process.mujoco_warnings import log_mujoco_warnings
from outrider.core.structure import Data
from outrider.physics.colliders.shapes import solid
from outrider.physics.engine import Overlap
from outrider.physics.joint_range import joint_range
from outrider.physics.mujoco.jams import Jams
from outrider.physics.mujoco.restitution import IMPEDANCE, Restitution
from outrider.physics.mujoco.sleeping import BY_ITSELF
from outrider.physics.mujoco.transfer import ROOT, ROW
from outrider.physics.mujoco.tumbling import QUICK
from outrider.physics.torsional_friction import torsional_friction
from outrider.physics.triangles.meshes import Meshes
from outrider.world.assembly import WORLD, Assembly, Body
from outrider.world.materials import Material
from outrider.world.model import Geometry, Joint
from outrider.world.shapes import (
    Box,
    Capsule,
    Cylinder,
    HeightField,
    MappedField,
    Mesh,
    Plane,
    Sphere,
)
from outrider.world.tessellate import tessellate

_STATIC, _MOVING = 1, 2  # collision classes: static things do not meet each other
_JOINTS = {
    "revolute": mujoco.mjtJoint.mjJNT_HINGE,
    "continuous": mujoco.mjtJoint.mjJNT_HINGE,
    "prismatic": mujoco.mjtJoint.mjJNT_SLIDE,
}


@dataclass(frozen=True, slots=True)
class GeomOwner:
    """What a MuJoCo geom is part of."""

    body: int
    name: str


_CROWD = 1000  # bodies, from which on MuJoCo's own choice of memory may not do


class MujocoModel:
    """The compiled model, with our rows for its bodies and joints."""

    def __init__(self, assembly: Assembly, step_s: float) -> None:
        self._assembly = assembly
        self._step_s = step_s
        log_mujoco_warnings()
        self._spec = mujoco.MjSpec()
        self._owners: list[tuple[mujoco.MjsGeom, GeomOwner]] = []
        self._restitutions: list[float] = []
        self._ranks = _friction_ranks(assembly)
        self._set_options()
        self.meshes = Meshes()
        self._add_static()
        self._add_bodies()
        self.model = self._compile()
        self.geoms = self._geom_owners()
        self.restitution = self._make_restitution()
        self.jams = Jams(self.model)
        self.rows = self._make_rows()
        moving = self.rows[self.rows["joint"] >= 0]
        self.joint_rows = moving[np.argsort(moving["joint"])]  # every joint moves one body
        self.roots = self._make_roots()
        slots = enumerate(self.roots["slot"].tolist())
        moved = [(row, slot) for row, slot in slots if slot >= 0]
        self.scripted = np.array(moved, np.int32).reshape(-1, 2)  # our body, MuJoCo's slot
        self.geom_slots = self.model.body_mocapid[self.model.geom_bodyid]  # -1: not scripted

    def mocap_slot(self, body: int) -> int:
        """Return where a scripted body's pose is kept, or -1."""
        return int(self.model.body_mocapid[self.rows["id"][body]])

    def mocap_slots(self, bodies: NDArray[np.intp]) -> NDArray[np.int32]:
        """Return where the poses of scripted bodies are kept."""
        slots: NDArray[np.int32] = self.roots["slot"][bodies]
        return slots

    def free_addresses(self, body: int) -> tuple[int, int]:
        """Return where a free root body's position and velocity begin."""
        joint = self.model.body_jntadr[self.rows["id"][body]]
        if joint < 0 or self.model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
            name = self._assembly.body_name(body)
            raise PhysicsError(f"'{name}' is carried by a joint and cannot be placed by itself")
        return int(self.model.jnt_qposadr[joint]), int(self.model.jnt_dofadr[joint])

    def _make_roots(self) -> AnyArray:
        """Return where the poses of bodies are kept; -1: they have none of their own."""
        model, ids = self.model, self.rows["id"]
        roots = np.full(len(ids), -1, ROOT)
        roots["slot"] = model.body_mocapid[ids]
        joints = model.body_jntadr[ids]
        if model.njnt:
            free = (joints >= 0) & (model.jnt_type[joints] == mujoco.mjtJoint.mjJNT_FREE)
            roots["qpos"][free] = model.jnt_qposadr[joints[free]]
            roots["dof"][free] = model.jnt_dofadr[joints[free]]
        return roots

    def overlaps(
        self, data: mujoco.MjData, least: float, model: int | None = None
    ) -> list[Overlap]:
        """Return what MuJoCo's contacts say is inside what; with a model only what it is in."""
        found, contacts = [], data.contact
        for row in np.flatnonzero(-contacts.dist > least):
            first, second = (self.geoms[i] for i in contacts.geom[row])
            depth = -float(contacts.dist[row])
            found.append(Overlap(first.body, second.body, depth, first.name, second.name))
        return found if model is None else [o for o in found if self._has_part(o, model)]

    def _has_part(self, overlap: Overlap, model: int) -> bool:
        bodies = self._assembly.bodies
        both = overlap.first, overlap.second
        return any(body != WORLD and bodies[body].model == model for body in both)

    def _set_options(self) -> None:
        option = self._spec.option
        option.timestep = self._step_s
        option.gravity = self._assembly.world.gravity
        option.integrator = QUICK
        option.cone = (
            mujoco.mjtCone.mjCONE_ELLIPTIC
        )  # friction that opposes motion in any direction
        option.impratio = 10.0
        option.noslip_iterations = 4
        option.disableflags = int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
        option.enableflags = int(mujoco.mjtEnableBit.mjENBL_SLEEP)
        option.sleep_tolerance = BY_ITSELF
        self._spec.compiler.degree = False

    def _add_static(self) -> None:
        for part in self._assembly.static:
            for geometry in part.colliders:
                owner = GeomOwner(WORLD, part.name)
                if isinstance(geometry.shape, Mesh):
                    self._add_triangles(geometry.shape, geometry, owner)
                else:
                    self._add_geom(self._spec.worldbody, geometry, owner, _STATIC)

    def _add_triangles(self, mesh: Mesh, geometry: Geometry, owner: GeomOwner) -> None:
        """Add a mesh that never moves: every triangle of it collides."""
        made = self.meshes.add(self._spec, mesh, geometry.pose)
        if made is not None:
            options, pose = made
            options |= _pose(pose)
            self._add_surface(self._spec.worldbody, options, geometry.material, owner, _STATIC)

    def _add_bodies(self) -> None:
        handles: list[mujoco.MjsBody] = []
        for index, body in enumerate(self._assembly.bodies):
            parent = self._spec.worldbody if body.parent == WORLD else handles[body.parent]
            handle = parent.add_body(name=f"body{index}", **_pose(body.pose))
            handles.append(handle)
            self._set_inertia(handle, body)
            self._add_joint(handle, body)
            for geometry in body.colliders:
                owner = GeomOwner(index, f"{body.name}/{geometry.name}".rstrip("/"))
                for piece in solid(geometry):
                    self._add_geom(handle, piece, owner, _MOVING)
        self._exclude_self_contact()

    def _set_inertia(self, handle: mujoco.MjsBody, body: Body) -> None:
        inertial = body.inertial
        values, axes = np.linalg.eigh(inertial.inertia)
        axes *= np.sign(np.linalg.det(axes))
        turned = np.eye(4)
        turned[:3, :3] = axes
        principal = inertial.pose @ Pose.from_matrix(turned)
        handle.explicitinertial = True
        handle.mass = inertial.mass
        handle.ipos = principal.position
        handle.iquat = np.roll(principal.rotation, 1)
        values = np.maximum(values, 1e-12)
        values[2] = min(values[2], values[0] + values[1])  # MuJoCo allows for no rounding
        handle.inertia = values

    def _add_joint(self, handle: mujoco.MjsBody, body: Body) -> None:
        if body.mobility == "scripted":
            handle.mocap = True
        elif body.joint < 0:
            handle.add_freejoint()
        else:
            row = self._assembly.joints[body.joint]
            handle.add_joint(name=f"joint{body.joint}", **_joint_options(row.joint, self._step_s))

    def _exclude_self_contact(self) -> None:
        parts: dict[int, list[int]] = {}
        for i, body in enumerate(self._assembly.bodies):
            if body.colliders:
                parts.setdefault(body.model, []).append(i)
        for i, j in (pair for own in parts.values() for pair in combinations(own, 2)):
            self._spec.add_exclude(bodyname1=f"body{i}", bodyname2=f"body{j}")

    def _add_geom(self, handle: object, geometry: Geometry, owner: GeomOwner, kind: int) -> None:
        options = self._shape_options(geometry)
        self._add_surface(handle, options, geometry.material, owner, kind)

    def _add_surface(
        self, handle: mujoco.MjsBody, options: Data, material: Material, owner: GeomOwner, kind: int
    ) -> None:
        options |= _surface_options(material, self._step_s)
        options["priority"] = self._ranks[material.friction]
        geom = handle.add_geom(
            name=f"geom{len(self._owners)}",
            contype=kind,
            conaffinity=_MOVING if kind == _STATIC else _STATIC | _MOVING,
            **options,
        )
        self._owners.append((geom, owner))
        self._restitutions.append(material.restitution)

    def _shape_options(self, geometry: Geometry) -> Data:
        shape, pose = geometry.shape, geometry.pose
        kinds = mujoco.mjtGeom
        match shape:
            case Plane():
                return {"type": kinds.mjGEOM_PLANE, "size": [0, 0, 1], **_pose(pose)}
            case Box():
                half = [edge / 2 for edge in shape.size]
                return {"type": kinds.mjGEOM_BOX, "size": half, **_pose(pose)}
            case Sphere():
                return {"type": kinds.mjGEOM_SPHERE, "size": [shape.radius, 0, 0], **_pose(pose)}
            case Cylinder() | Capsule():
                round_ends = isinstance(shape, Capsule)
                kind = kinds.mjGEOM_CAPSULE if round_ends else kinds.mjGEOM_CYLINDER
                size = [shape.radius, shape.length / 2, 0]
                return {"type": kind, "size": size, **_pose(pose)}
            case HeightField() | MappedField():
                options, moved = self.meshes.add_field(self._spec, shape, pose)
                return {**options, **_pose(moved)}
        return {**self._mesh(tessellate(shape)), **_pose(pose)}

    def _mesh(self, mesh: Mesh) -> Data:
        name = f"mesh{len(self._owners)}"
        self._spec.add_mesh(
            name=name,
            uservert=mesh.vertices.ravel(),
            userface=mesh.faces.ravel(),
            inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX,
        )
        return {"type": mujoco.mjtGeom.mjGEOM_MESH, "meshname": name}

    def _compile(self) -> mujoco.MjModel:
        try:
            model = self._spec.compile()
            room = _pair_room(model.nbody)
            if model.narena >= room:
                return model
            self._spec.memory = room
            return self._spec.compile()
        except ValueError as error:
            reason = " ".join(str(error).split())
            raise PhysicsError(f"MuJoCo cannot build the world: {reason}") from None

    def _geom_owners(self) -> list[GeomOwner]:
        owners: dict[int, GeomOwner] = {geom.id: owner for geom, owner in self._owners}
        return [owners[i] for i in range(self.model.ngeom)]

    def _make_restitution(self) -> Restitution:
        restitutions = np.zeros(self.model.ngeom)
        for (geom, _), value in zip(self._owners, self._restitutions, strict=True):
            restitutions[geom.id] = value
        return Restitution(self.model, restitutions)

    def _make_rows(self) -> AnyArray:
        rows = np.zeros(len(self._assembly.bodies), ROW)
        for i, body in enumerate(self._assembly.bodies):
            rows[i] = (self.model.body(f"body{i}").id, body.joint, -1, -1)
            if body.joint >= 0:
                joint = self.model.joint(f"joint{body.joint}")
                rows[i]["qpos"], rows[i]["dof"] = joint.qposadr[0], joint.dofadr[0]
        return rows


def _pair_room(bodies: int) -> int:
    """Return the bytes in which MuJoCo sorts out pairs of bodies: it does not count scripted ones.

    It asks for two bytes a pair; the rest is for contacts.
    """
    return 3 * bodies**2 + (16 << 20 if bodies > _CROWD else 0)


def _pose(pose: Pose) -> Data:
    return {"pos": pose.position, "quat": np.roll(pose.rotation, 1)}


def _joint_options(joint: Joint, step_s: float) -> Data:
    limited = np.isfinite(joint.lower) or np.isfinite(joint.upper)
    return {
        "type": _JOINTS[joint.kind],
        "axis": joint.axis,
        "limited": int(limited),
        "range": list(joint_range(joint)) if limited else [0, 0],
        "damping": joint.damping,
        "frictionloss": joint.friction,
        "stiffness": joint.stiffness,
        "springref": joint.rest,
        "armature": joint.armature,
        "solref_limit": [max(0.005, 4 * step_s), 1.0],
    }


def _surface_options(material: Material, step_s: float) -> Data:
    least, most = (IMPEDANCE, IMPEDANCE) if material.restitution > 0 else (0.95, 0.99)
    return {
        "friction": [material.friction, torsional_friction(material.friction), 0.0],
        "condim": 4,  # sliding and spinning; rolling would be 6
        # overdamped: at the critical damping a spring that cannot pull throws back exp(-2)
        "solref": [max(0.003, 2.5 * step_s), 2.0],
        "solimp": [least, most, 1e-3, 0.5, 2],
    }


def _friction_ranks(assembly: Assembly) -> dict[float, int]:
    """Rank frictions: MuJoCo lets the higher rank decide a pair, so the more slippery side does."""
    geometry = [g for part in assembly.static for g in part.colliders]
    geometry += [g for body in assembly.bodies for g in body.colliders]
    values = sorted({g.material.friction for g in geometry}, reverse=True)
    return {value: rank for rank, value in enumerate(values)}
