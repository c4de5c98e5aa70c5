"""MuJoCo's MJCF files, read by MuJoCo itself and taken over body by body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Pose
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.collision_shapes import with_collisions_apart
from outrider.formats.mjcf.files import check_files
from outrider.formats.mjcf.geometry import MjcfGeometry
from outrider.formats.notes import Note, Notes
from outrider.world.model import Inertial, Joint, JointKind, Light, Link, Mobility, Model, World

_FREE, _BALL, _SLIDE = 0, 1, 2  # of mjtJoint; the fourth is the hinge
_LIGHTS = ("spot", "directional", "point")
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

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed, left out or not found, as sentences."""
        return tuple(str(note) for note in self.log)


def read_mjcf(path: Path | str, search: tuple[Path, ...] = ()) -> ImportedMjcf:
    """Return the world of an MJCF file; masses, frames and shapes are MuJoCo's own."""
    path = Path(path)
    check_files(path, AssetPaths(path.parent, search))
    notes = Notes()
    return ImportedMjcf(_MjcfReader(_compiled(path), str(path), notes).world(), notes.all())


def _compiled(path: Path) -> Any:
    import mujoco

    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except Exception as error:  # whatever MuJoCo throws at a bad file
        raise FormatError(
            f"{path}: MuJoCo cannot read it: {' '.join(str(error).split())}"
        ) from None


class _MjcfReader:
    def __init__(self, compiled: Any, source: str, notes: Notes) -> None:
        self.m = compiled
        self.source = source
        self.notes = notes
        self.geometry = MjcfGeometry(compiled, notes, source)
        self.taken: set[str] = set()

    def world(self) -> World:
        """Return all trees of bodies, lights and weight."""
        m = self.m
        models = [self._model(body) for body in range(1, m.nbody) if m.body_parentid[body] == 0]
        if m.body_geomnum[0]:
            link = self.geometry.link(0, "world", None)
            models.insert(0, Model(self._free("world"), (link,), mobility="static"))
        for field, what in _LEFT_OUT.items():
            if count := int(getattr(m, field, 0)):
                self.notes.add("ignored", f"{self.source}: {count} {what} were left out")
        self.notes.add(
            "ignored", f"{self.source}: MuJoCo's step of {m.opt.timestep:g} s and its solver"
        )
        x, y, z = (float(v) for v in m.opt.gravity)
        name = self._name("model", 0) or Path(self.source).stem
        return World(name, with_collisions_apart(models), (x, y, z), lights=self._lights())

    def _model(self, root: int) -> Model:
        """Return the tree below a body of the world."""
        links: list[Link] = []
        joints: list[Joint] = []
        mobility = self._mobility(root)
        self._add(root, None, mobility == "static", links, joints)
        pose = self._body_pose(root)
        name = self._free(self._name("body", root) or f"body_{root}")
        model = Model(name, tuple(links), tuple(joints), pose, mobility)
        if mobility == "static" and any(joint.kind != "fixed" for joint in joints):
            self.notes.add(
                "ignored",
                f"{self.source}: '{name}' is joined to the world; its joints are held",
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
        """Add a body and all below it; several joints of a body are held but one."""
        name = self._name("body", body) or f"body_{body}"
        inertial = None if static else self._inertial(body)
        if parent is not None:
            joints += self._joint(body, parent, name, links)
        links.append(self.geometry.link(body, name, inertial))
        for child in range(body + 1, self.m.nbody):
            if self.m.body_parentid[child] == body:
                self._add(child, name, static, links, joints)

    def _joint(self, body: int, parent: str, name: str, links: list[Link]) -> list[Joint]:
        """Return the joint that carries a body; off its origin it gets a frame of its own."""
        m, pose = self.m, self._body_pose(body)
        numbers = self._joints(body)
        moving = [j for j in numbers if m.jnt_type[j] not in (_FREE, _BALL)]
        if len(moving) < len(numbers) or len(moving) > 1:
            self.notes.add(
                "ignored",
                f"{self.source}: '{name}' has joints that are not known here; they are held",
            )
        if len(moving) != 1:
            return [Joint(f"{name}_fixed", "fixed", parent, name, pose)]
        j = moving[0]
        offset = np.array(m.jnt_pos[j], np.float64)
        if np.abs(offset).max() < 1e-12 or m.jnt_type[j] == _SLIDE:
            return [self._moving(j, parent, name, pose)]
        frame = f"{name}_joint_frame"
        links.append(Link(frame))
        hold = Joint(f"{name}_hold", "fixed", frame, name, Pose(-offset))
        return [self._moving(j, parent, frame, pose @ Pose(offset)), hold]

    def _moving(self, j: int, parent: str, child: str, origin: Pose) -> Joint:
        m = self.m
        dof = int(m.jnt_dofadr[j])
        limited = bool(m.jnt_limited[j])
        slides = m.jnt_type[j] == _SLIDE
        kind: JointKind = "prismatic" if slides else "revolute" if limited else "continuous"
        low, high = (float(v) for v in m.jnt_range[j]) if limited else (-np.inf, np.inf)
        x, y, z = (float(v) for v in m.jnt_axis[j])
        return Joint(
            self._name("joint", j) or f"joint_{j}",
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
            rest=float(m.qpos_spring[int(m.jnt_qposadr[j])]),
            armature=float(m.dof_armature[dof]),
        )

    def _joints(self, body: int) -> list[int]:
        first = int(self.m.body_jntadr[body])
        return [] if first < 0 else list(range(first, first + int(self.m.body_jntnum[body])))

    def _inertial(self, body: int) -> Inertial | None:
        m = self.m
        mass = float(m.body_mass[body])
        if mass <= 0:
            return None
        pose = Pose(np.array(m.body_ipos[body]), _xyzw(m.body_iquat[body]))
        return Inertial(mass, np.diag(np.array(m.body_inertia[body], np.float64)), pose)

    def _body_pose(self, body: int) -> Pose:
        return Pose(np.array(self.m.body_pos[body]), _xyzw(self.m.body_quat[body]))

    def _lights(self) -> tuple[Light, ...]:
        m = self.m
        found = []
        for i in range(m.nlight):
            x, y, z = (float(v) for v in m.light_pos[i])
            dx, dy, dz = (float(v) for v in m.light_dir[i])
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


def _light_kind(m: Any, i: int) -> Any:
    if hasattr(m, "light_type"):
        return _LIGHTS[int(m.light_type[i])] if int(m.light_type[i]) < len(_LIGHTS) else "point"
    return "directional" if m.light_directional[i] else "spot"


def _first(value: Any) -> float:
    """Return a figure; newer versions have polynomials, whose first term is the old figure."""
    return float(np.ravel(value)[0])


def _xyzw(quaternion: Any) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    w, x, y, z = (float(v) for v in quaternion)
    return np.array([x, y, z, w])
