"""MuJoCo's MJCF files, read by MuJoCo itself and taken over body by body."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import AnyArray, Array, Pose, matrix_from_quaternion
from outrider.core.process.mujoco_warnings import log_mujoco_warnings
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.collision_shapes import with_collisions_apart
from outrider.formats.mjcf.files import check_files
from outrider.formats.mjcf.geometry import MjcfGeometry
from outrider.formats.notes import Note, Notes
from outrider.formats.xml_write import is_identity
from outrider.world.model import Inertial, Joint, JointKind, Light, Link, Mobility, Model, World

if TYPE_CHECKING:
    import mujoco

_FREE, _BALL, _SLIDE = 0, 1, 2  # of mjtJoint; the fourth is the hinge
_ON_JOINT = (0, 1)  # of mjtTrn: in the child's axes or the parent's, one for hinges and slides
LightKind: TypeAlias = Literal["directional", "point", "spot"]
_LIGHTS: tuple[LightKind, ...] = ("spot", "directional", "point")
_FRAME_SHARE = 0.01  # of a body's mass on each frame between its joints: engines need some there
_LEFT_OUT = {
    "nu": "actuators",
    "nsensor": "sensors",
    "neq": "equality constraints",
    "ntendon": "tendons",
    "ncam": "cameras",
    "nsite": "sites",
    "nkey": "key frames",
    "nflex": "flexible bodies",
    "nplugin": "plugins",
}


@dataclass(frozen=True, slots=True, eq=False)
class ImportedMjcf:
    """A world of MuJoCo's: every tree of bodies is a model."""

    world: World
    log: tuple[Note, ...] = ()
    driven: Mapping[str, float] = field(default_factory=dict)  # joint -> N m, 0 if not limited

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed, left out or not found, as sentences."""
        return tuple(str(note) for note in self.log)


def read_mjcf(path: Path | str, search: tuple[Path, ...] = ()) -> ImportedMjcf:
    """Return the world of an MJCF file; masses, frames and shapes are MuJoCo's own."""
    path = Path(path)
    check_files(path, AssetPaths(path.parent, search))
    notes = Notes()
    reader = _MjcfReader(_compiled(path), str(path), notes)
    return ImportedMjcf(reader.world(), notes.all(), reader.driven())


def _compiled(path: Path) -> "mujoco.MjModel":
    import mujoco

    log_mujoco_warnings()
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except Exception as error:  # whatever MuJoCo throws at a bad file
        raise FormatError(
            f"{path}: MuJoCo cannot read it: {' '.join(str(error).split())}"
        ) from None


class _MjcfReader:
    def __init__(self, compiled: "mujoco.MjModel", source: str, notes: Notes) -> None:
        self.m = compiled
        self.source = source
        self.notes = notes
        self.geometry = MjcfGeometry(compiled, notes, source)
        self.taken: set[str] = set()
        self.carriers: dict[int, str] = {}  # body that moves -> model/link

    def world(self) -> World:
        """Return all trees of bodies, lights and weight."""
        m = self.m
        models = [self._model(body) for body in range(1, m.nbody) if m.body_parentid[body] == 0]
        if m.body_geomnum[0]:
            link = self.geometry.link(0, "world", None)
            models.insert(0, Model(self._free("world"), (link,), mobility="static"))
        for counter, what in _LEFT_OUT.items():
            if count := int(getattr(m, counter, 0)):
                more = ", but for the torque of a robot's wheels" if counter == "nu" else ""
                self.notes.add("ignored", f"{self.source}: {what} ({count}) were left out{more}")
        self.notes.add(
            "ignored",
            f"{self.source}: MuJoCo's step of {m.opt.timestep:g} s and its solver were left out: "
            "the scenario has its own",
        )
        x, y, z = (float(v) for v in m.opt.gravity)
        name = self._name("model", 0) or Path(self.source).stem
        return World(name, with_collisions_apart(models), (x, y, z), lights=self._lights())

    def driven(self) -> dict[str, float]:
        """Return the joints that actuators turn, and with what torque at most (0: no limit)."""
        m = self.m
        found: dict[str, float] = {}
        for j in range(m.njnt):
            if m.jnt_actfrclimited[j]:
                found[self._frame_of(j)] = float(m.jnt_actfrcrange[j, 1])
        for i in range(m.nu):
            if m.actuator_trntype[i] in _ON_JOINT:
                most = float(m.actuator_forcerange[i, 1]) if m.actuator_forcelimited[i] else 0.0
                name = self._frame_of(int(m.actuator_trnid[i, 0]))
                found[name] = abs(most * float(m.actuator_gear[i, 0])) or found.get(name, 0.0)
        return found

    def _model(self, root: int) -> Model:
        """Return the tree below a body of the world."""
        links: list[Link] = []
        joints: list[Joint] = []
        mobility = self._mobility(root)
        self._add(root, None, mobility == "static", links, joints)
        pose = self._body_pose(root)
        name = self._free(self._name("body", root) or f"body_{root}")
        if mobility != "static":
            self.carriers |= {b: f"{name}/{self._link_name(b)}" for b in self._tree(root)}
        model = Model(name, tuple(links), tuple(joints), pose, mobility)
        if mobility == "static" and any(joint.kind != "fixed" for joint in joints):
            self.notes.add(
                "ignored",
                f"{self.source}: '{name}' is joined to the world; its joints are fixed",
            )
        return model

    def _mobility(self, root: int) -> Mobility:
        m = self.m
        if m.body_mocapid[root] >= 0:
            return "scripted"
        kinds = self._joints(root)
        if any(m.jnt_type[j] == _FREE for j in kinds) or len(kinds) > 1:
            if not any(m.jnt_type[j] == _FREE for j in kinds):
                self.notes.add(
                    "guessed", f"{self.source}: '{self._name('body', root)}' is taken as free"
                )
            return "dynamic"
        return "static"

    def _add(
        self, body: int, parent: str | None, static: bool, links: list[Link], joints: list[Joint]
    ) -> None:
        """Add a body and all below it."""
        name = self._link_name(body)
        inertial = None if static else self._inertial(body)
        if parent is not None:
            joints += self._joint(body, parent, name, links)
        links.append(self.geometry.link(body, name, inertial))
        for pose, ball in self.geometry.sliding_balls(body, name):
            links.append(ball)
            joints.append(Joint(f"{ball.name}_fixed", "fixed", name, ball.name, pose))
        for child in range(body + 1, self.m.nbody):
            if self.m.body_parentid[child] == body:
                self._add(child, name, static, links, joints)

    def _joint(self, body: int, parent: str, name: str, links: list[Link]) -> list[Joint]:
        """Return the joints that carry a body; between several, and off its origin, are frames."""
        m, pose = self.m, self._body_pose(body)
        numbers = self._joints(body)
        moving = [j for j in numbers if m.jnt_type[j] not in (_FREE, _BALL)]
        if len(moving) < len(numbers):
            if self.geometry.sliding_balls(body, name):
                self.notes.add("applied", f"{self.source}: '{name}' is a castor")
            else:
                told = "has a ball joint or an inner free one; it is fixed"
                self.notes.add("ignored", f"{self.source}: '{name}' {told}")
        chain: list[Joint] = []
        for number, j in enumerate(moving):
            at = Pose() if m.jnt_type[j] == _SLIDE else Pose(np.array(m.jnt_pos[j], np.float64))
            last = number == len(moving) - 1
            child = name if last and is_identity(at) else f"{name}_{self._frame_of(j)}_frame"
            if child != name:
                links.append(Link(child, None if last else self._share(body)))
            chain.append(self._moving(j, parent, child, pose @ at))
            parent, pose = child, at.inverse()
        if parent != name:
            kind = "hold" if chain else "fixed"
            chain.append(Joint(f"{name}_{kind}", "fixed", parent, name, pose))
        return chain

    def _frame_of(self, j: int) -> str:
        return self._name("joint", j) or f"joint_{j}"

    def _share(self, body: int) -> Inertial | None:
        """Return the part of a body's mass that moves with all but the last of its joints."""
        whole = self._whole(body)
        return None if whole is None else _scaled(whole, _FRAME_SHARE)

    def _moving(self, j: int, parent: str, child: str, origin: Pose) -> Joint:
        m = self.m
        dof = int(m.jnt_dofadr[j])
        limited = bool(m.jnt_limited[j])
        slides = m.jnt_type[j] == _SLIDE
        kind: JointKind = "prismatic" if slides else "revolute" if limited else "continuous"
        zero = float(m.qpos0[int(m.jnt_qposadr[j])])  # what MuJoCo calls the pose of the file
        low, high = (float(v) - zero for v in m.jnt_range[j]) if limited else (-np.inf, np.inf)
        x, y, z = (float(v) for v in m.jnt_axis[j])
        return Joint(
            self._frame_of(j),
            kind,
            parent,
            child=child,
            origin=origin,
            axis=(x, y, z),
            lower=low,
            upper=high,
            damping=_first(m.dof_damping[dof]),
            friction=float(m.dof_frictionloss[dof]),
            stiffness=_first(m.jnt_stiffness[j]),
            rest=float(m.qpos_spring[int(m.jnt_qposadr[j])]) - zero,
            armature=float(m.dof_armature[dof]),
        )

    def _joints(self, body: int) -> list[int]:
        first = int(self.m.body_jntadr[body])
        return [] if first < 0 else list(range(first, first + int(self.m.body_jntnum[body])))

    def _inertial(self, body: int) -> Inertial | None:
        """Return a body's mass, less what the frames between its joints have of it."""
        whole = self._whole(body)
        frames = (
            len([j for j in self._joints(body) if self.m.jnt_type[j] not in (_FREE, _BALL)]) - 1
        )
        if whole is None or frames < 1 or self.m.body_parentid[body] == 0:
            return whole
        return _scaled(whole, 1.0 - frames * _FRAME_SHARE)

    def _whole(self, body: int) -> Inertial | None:
        m = self.m
        mass = float(m.body_mass[body])
        if mass <= 0:
            return None
        pose = Pose(np.array(m.body_ipos[body]), _xyzw(m.body_iquat[body]))
        return Inertial(mass, np.diag(np.array(m.body_inertia[body], np.float64)), pose)

    def _link_name(self, body: int) -> str:
        return self._name("body", body) or f"body_{body}"

    def _tree(self, root: int) -> list[int]:
        """Return a body of the world and all below it."""
        return [b for b in range(self.m.nbody) if int(self.m.body_rootid[b]) == root]

    def _world_pose(self, body: int) -> Pose:
        """Return where a body is at the start."""
        pose = Pose()
        while body:
            pose, body = self._body_pose(body) @ pose, int(self.m.body_parentid[body])
        return pose

    def _body_pose(self, body: int) -> Pose:
        return Pose(np.array(self.m.body_pos[body]), _xyzw(self.m.body_quat[body]))

    def _lights(self) -> tuple[Light, ...]:
        m = self.m
        found = []
        for i in range(m.nlight):
            body = int(m.light_bodyid[i])
            carrier = self.carriers.get(body, "")
            pose = Pose() if carrier else self._world_pose(body)  # a carried one is in its link
            x, y, z = (float(v) for v in pose.apply(np.array(m.light_pos[i])))
            turned = matrix_from_quaternion(pose.rotation) @ np.array(m.light_dir[i])
            dx, dy, dz = (float(v) for v in turned)
            r, g, b = (float(v) for v in m.light_diffuse[i])
            kind = _light_kind(m, i)
            name = self._name("light", i) or f"light_{i}"
            found.append(
                Light(
                    name,
                    kind,
                    (x, y, z),
                    (dx, dy, dz),
                    (r, g, b),
                    cast_shadows=bool(m.light_castshadow[i]),
                    link=carrier,
                )
            )
        return tuple(found)

    def _name(self, kind: str, number: int) -> str:
        addresses: dict[str, Callable[[], int]] = {
            "body": lambda: self.m.name_bodyadr[number],
            "joint": lambda: self.m.name_jntadr[number],
            "light": lambda: self.m.name_lightadr[number],
            "model": lambda: 0,
        }
        start = int(addresses[kind]())
        names: bytes = bytes(self.m.names)
        return names[start : names.index(b"\0", start)].decode(errors="replace")

    def _free(self, wanted: str) -> str:
        name, number = wanted, 2
        while name in self.taken:
            name, number = f"{wanted}_{number}", number + 1
        self.taken.add(name)
        return name


def _scaled(inertial: Inertial, share: float) -> Inertial:
    return Inertial(inertial.mass * share, inertial.inertia * share, inertial.pose)


def _light_kind(m: "mujoco.MjModel", i: int) -> LightKind:
    if hasattr(m, "light_type"):
        return _LIGHTS[int(m.light_type[i])] if int(m.light_type[i]) < len(_LIGHTS) else "point"
    return "directional" if m.light_directional[i] else "spot"


def _first(value: AnyArray | float) -> float:
    """Return a figure; newer versions have polynomials, whose first term is the old figure."""
    return float(np.ravel(value)[0])


def _xyzw(quaternion: AnyArray) -> Array:
    w, x, y, z = (float(v) for v in quaternion)
    return np.array([x, y, z, w])
