"""The second engine: Bullet, with exact triangle meshes for static bodies.

A pair of materials has the geometric mean of their frictions and of their restitutions. Springs
and dampers of joints are torques of ours, for Bullet has none; its rotors (armature) are added to
the inertia of what they turn.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.core.clock import to_ns
from outrider.core.errors import PhysicsError
from outrider.core.frames import AnyArray, Array, Pose, multiply
from outrider.core.process import chores
from outrider.core.state import State
from outrider.physics.bullet.made_world import MadeWorld
from outrider.physics.bullet.model import BodyTree, joint_inertias, pybullet
from outrider.physics.bullet.saved import saved_bytes
from outrider.physics.bullet.transfer import (
    COM,
    OFFSET,
    SPRING,
    carry,
    joint_efforts,
    read_bodies,
    write_coms,
)
from outrider.physics.engine import Contact, ContactRows, Overlap
from outrider.physics.push_out import DEEP
from outrider.world.assembly import WORLD, Assembly
from outrider.world.state import (
    BODY,
    LOAD,
    Loads,
    Placement,
    WorldState,
    body_row,
)

_BASE = -1
_LOOK_EVERY = 8  # steps, at who comes out of something: a centimetre of its way


class BulletEngine:
    """Semi-implicit steps in a client of its own."""

    kinematics = None

    def __init__(self, assembly: Assembly, step_s: float) -> None:
        self.assembly = assembly
        self.step_ns = to_ns(step_s)
        self._dt = self.step_ns * 1e-9
        self.state = WorldState.zeros(len(assembly.bodies), len(assembly.joints))
        self.loads = Loads.zeros(len(assembly.bodies), len(assembly.joints))
        self.watch_contacts = False
        self.resting = frozenset[tuple[str, str]]()
        self.watch_forces = False
        self._coms = np.zeros(len(assembly.bodies), COM)
        self._springs = np.zeros(len(assembly.joints), SPRING)
        self._blow: list[tuple[Any, ...]] | None = None  # contacts of a step in parts
        self._ready: tuple[State, MadeWorld] | None = None  # made for that state
        self._put_roots: dict[int, list[float]]
        self._put_joints: dict[int, list[float]]
        made = MadeWorld(assembly, self._dt)
        self._offsets = _frames([p.pose.inverse() for p in made.model.principals])
        scripted = [tree.rows[0] for tree in made.model.trees if tree.scripted]
        self._path_of = {row: path for path, row in enumerate(scripted)}
        self._path_rows = np.array(scripted, np.intp)
        self._arms = _frames([made.model.principals[row].pose for row in scripted])
        self._path_coms = np.zeros(len(scripted), COM)
        self._paths = np.zeros(len(scripted), BODY)
        self._first_paths = _start_paths(assembly, scripted)
        self._first_springs, self._first_rotations = _springs(assembly), _start_rotations(assembly)
        self._take(made)
        self._refresh()
        self._push_out.limit(self._depths(), also=True)

    def _take(self, made: MadeWorld) -> None:
        """Go on in a world, with all else as at the start."""
        self._made, self._client = made, made.client
        self._stepped = False  # so far nothing has touched in it, and all that counts is ...
        self._put_roots, self._put_joints = {}, {}  # ... what was put where, by rows
        self._model, self._parts, self._push_out = made.model, made.parts, made.push_out
        self._tree_of, self._link_of = made.trees, made.links
        self._scripted = [made.trees[row] for row in self._path_of]
        self._free = [tree for tree in self._model.trees if not tree.scripted]
        self._blow, self.in_parts = None, False
        self._paths[:] = self._first_paths
        self._springs[:] = self._first_springs
        self.state.bodies["rotation"] = self._first_rotations

    def step(self) -> None:
        """Advance by one step: forces and integration, then positions for the new time."""
        self.loads.note()
        if self._push_out.needed and self.state.time_ns // self.step_ns % _LOOK_EVERY == 0:
            self._push_out.limit(self._depths(), also=False)
        joint_efforts(self._springs, self.state.joints, self.loads.joints, self._dt)
        parts = self._parts.count(self.state.bodies)
        self.in_parts = parts > 1
        if parts == 1:
            self._advance(self._dt)
            self._blow = None
        else:
            self._advance_in(parts)
        self.loads.bodies[:] = np.zeros((), LOAD)
        self.state.time_ns += self.step_ns

    def _advance(self, dt: float) -> None:
        self._stepped = True
        self._write_loads()
        pybullet.stepSimulation(physicsClientId=self._client)
        self._move_scripted(dt)
        self._refresh()

    def _advance_in(self, parts: int) -> None:
        """Advance by one step in parts, all under the same loads, and keep what touched in any."""
        blow: list[tuple[Any, ...]] = []
        pybullet.setTimeStep(self._dt / parts, physicsClientId=self._client)
        for _ in range(parts):
            self._advance(self._dt / parts)
            blow += [_shared(point, parts) for point in self._points()]
        pybullet.setTimeStep(self._dt, physicsClientId=self._client)
        self._blow = blow

    def _write_loads(self) -> None:
        forces, torques = self.loads.bodies["force"], self.loads.bodies["torque"]
        pushed, turned = np.any(forces, axis=1).tolist(), np.any(torques, axis=1).tolist()
        origins = self.state.bodies["position"]
        for tree in self._model.trees:
            for link, row in zip((_BASE, *tree.links), tree.rows, strict=True):
                if pushed[row]:
                    pybullet.applyExternalForce(
                        tree.handle,
                        link,
                        forces[row].tolist(),
                        origins[row].tolist(),
                        pybullet.WORLD_FRAME,
                        physicsClientId=self._client,
                    )
                if turned[row]:
                    pybullet.applyExternalTorque(
                        tree.handle,
                        link,
                        torques[row].tolist(),
                        pybullet.WORLD_FRAME,
                        physicsClientId=self._client,
                    )
            if tree.links:
                pybullet.setJointMotorControlArray(
                    tree.handle,
                    tree.links,
                    pybullet.TORQUE_CONTROL,
                    forces=self._springs["effort"][tree.joints].tolist(),
                    physicsClientId=self._client,
                )

    def _move_scripted(self, dt: float) -> None:
        """Carry scripted bodies along with their velocity, whatever they met."""
        carry(self._paths, dt)
        moving = self._paths["velocity"].any(axis=1) | self._paths["angular_velocity"].any(axis=1)
        self._put_scripted(np.flatnonzero(moving))

    def _put_scripted(self, which: NDArray[np.intp]) -> None:
        """Put some, by their numbers among them, where their paths are."""
        coms = np.zeros(len(which), COM)
        write_coms(self._paths[which], self._arms[which], coms)
        for path, figures in zip(which, coms.view(np.float64).reshape(-1, 13), strict=True):
            self._put_base(self._scripted[path], figures.tolist())

    def _refresh(self) -> None:
        """Read everything back; Bullet's own link frames are rounded to single precision."""
        for tree in self._free:
            self._read(tree)
        read_bodies(self._coms, self._offsets, self.state.bodies)
        if self._scripted:
            write_coms(self._paths, self._arms, self._path_coms)
            self._coms[self._path_rows] = self._path_coms
            self.state.bodies[self._path_rows] = self._paths

    def _read(self, tree: BodyTree) -> None:
        first = tree.rows[0]
        handle, client = tree.handle, self._client
        place = pybullet.getBasePositionAndOrientation(handle, physicsClientId=client)
        self._coms[first] = (*place, *pybullet.getBaseVelocity(handle, physicsClientId=client))
        if not tree.links:
            return
        links = pybullet.getLinkStates(
            handle,
            tree.links,
            computeLinkVelocity=1,
            computeForwardKinematics=1,
            physicsClientId=client,
        )
        joints = pybullet.getJointStates(handle, tree.links, physicsClientId=client)
        for row, number, link, joint in zip(tree.rows[1:], tree.joints, links, joints, strict=True):
            self._coms[row] = (link[0], link[1], link[6], link[7])
            self.state.joints[number]["position"] = joint[0]
            self.state.joints[number]["velocity"] = joint[1]

    def place(self, body: int, pose: Pose, velocity: Array, angular_velocity: Array) -> None:
        """Put a model's root body somewhere."""
        row = body_row(pose, velocity, angular_velocity)
        self.place_all(Placement(np.array([body], np.intp), row))

    def place_all(self, placed: Placement) -> None:
        """Put root bodies and joints where rows of a state say."""
        self.in_parts = False
        for body, row in zip(placed.bodies.tolist(), placed.rows, strict=True):
            if body not in self._tree_of:
                name = self.assembly.body_name(body)
                raise PhysicsError(f"'{name}' is carried by a joint and cannot be placed by itself")
            pose = Pose(row["position"].copy(), row["rotation"].copy())
            velocity, spin = row["velocity"].copy(), row["angular_velocity"].copy()
            self._put(self._tree_of[body], pose, velocity, spin)
            self.state.bodies["rotation"][body] = pose.rotation
        rows = placed.joint_rows
        self.set_joints(placed.joints, rows["position"], rows["velocity"])
        if len(placed.bodies):
            only = self.assembly.bodies[placed.bodies[0]].model if len(placed.bodies) == 1 else None
            self._push_out.limit(self._depths(only), only, also=True)

    def _depths(self, model: int | None = None) -> dict[int, float]:
        """Return how deep bodies are inside others, if they are deep, as all stands now."""
        found: dict[int, float] = {}
        for overlap in self.overlaps(DEEP, model):
            for body in (overlap.first, overlap.second):
                if body != WORLD:
                    found[body] = max(found.get(body, 0.0), overlap.depth)
        return found

    def lead(self, bodies: NDArray[np.intp], twists: Array) -> None:
        """Let scripted bodies move so from the next step on."""
        which = np.array([self._path_of[body] for body in bodies.tolist()], np.intp)
        paths = self._paths[which]
        before = np.hstack([paths["velocity"], paths["angular_velocity"]])
        self._paths["velocity"][which] = twists[:, :3]
        self._paths["angular_velocity"][which] = twists[:, 3:]
        self._put_scripted(which[(before != twists).any(axis=1)])

    def _put(self, tree: BodyTree, pose: Pose, velocity: Array, spin: Array) -> None:
        row = tree.rows[0]
        if tree.scripted:
            path = self._path_of[row]
            self._paths[path] = pose.position, pose.rotation, velocity, spin
            self._put_scripted(np.array([path]))
            return
        com = pose @ self._model.principals[row].pose
        speed = velocity + np.cross(spin, com.position - pose.position)
        self._put_base(tree, [*com.position, *com.rotation, *speed, *spin])

    def _put_base(self, tree: BodyTree, figures: list[float]) -> None:
        """Put a centre of mass: position, rotation, velocity, spin."""
        self._put_roots[tree.rows[0]] = figures
        handle, client = tree.handle, self._client
        pybullet.resetBasePositionAndOrientation(
            handle, figures[:3], figures[3:7], physicsClientId=client
        )
        pybullet.resetBaseVelocity(handle, figures[7:10], figures[10:], physicsClientId=client)

    def _put_again(self, roots: Array, joints: Array) -> None:
        """Put what was put into a world that is made anew, with the same numbers."""
        for row, *figures in roots.tolist():
            self._put_base(self._tree_of[int(row)], figures)
        for row, position, velocity in joints.tolist():
            self._put_joint(int(row), position, velocity)

    def contacts(self) -> list[Contact]:
        """Return what touched in the last step, one entry per contact point."""
        return [self._contact(point) for point in self._touching()]

    def _touching(self) -> list[tuple[Any, ...]]:
        return self._points() if self._blow is None else self._blow

    def _points(self) -> list[tuple[Any, ...]]:
        points = pybullet.getContactPoints(physicsClientId=self._client)
        return [point for point in points if point[9] > 0.0]

    def contact_rows(self) -> ContactRows:
        """Return the same contacts as arrays."""
        rows = ContactRows.of(self.contacts())
        return replace(rows, wrenches=self._wrenches()) if self.watch_forces else rows

    def _wrenches(self) -> Array:
        """Return the force of each contact on its second body: normal and friction."""
        forces = [_force(point) for point in self._touching()]
        return np.column_stack([np.reshape(forces, (-1, 3)), np.zeros((len(forces), 3))])

    def overlaps(
        self, least: float = 0.0, model: int | None = None, state: WorldState | None = None
    ) -> list[Overlap]:
        """Return what is inside what as all stands now, or in a state."""
        made, bodies = self._made, self.assembly.bodies
        trees = [
            tree.handle
            for tree in made.model.trees
            if model is None or bodies[tree.rows[0]].model == model
        ]
        where = self.state if state is None else state
        return list(made.overlapping.found(where.bodies, trees, least))

    def _contact(self, point: tuple[Any, ...]) -> Contact:
        first = self._model.owners[point[1], point[3]]
        second = self._model.owners[point[2], point[4]]
        middle = (np.array(point[5]) + np.array(point[6])) / 2
        # Bullet's normal stands on the second and points to the first
        return Contact(
            first.body,
            second.body,
            middle,
            -np.array(point[7]),
            point[9] * self._dt,
            first.name,
            second.name,
        )

    def get_state(self) -> State:
        """Return all that the next steps depend on, as far as Bullet tells."""
        return State(
            self._own_state(),
            time_ns=self.state.time_ns,
            rotations=self.state.bodies["rotation"],
            effort=self.state.joints["effort"],
            springs=self._springs,
            shares=self._push_out.shares,
            in_parts=self.in_parts,
            paths=self._paths,
        )

    def _own_state(self) -> dict[str, AnyArray]:
        """Return what Bullet knows: where all was put, and once it has stepped what touches."""
        if self._stepped:
            return {"bullet": np.frombuffer(saved_bytes(self._client), np.uint8)}
        return {"roots": _rows(self._put_roots, 13), "joints": _rows(self._put_joints, 2)}

    def prepare(self, state: State) -> None:
        """Make the world for a state, to be taken in its ``set_state`` once chores are done."""
        if self._ready is None or self._ready[0] is not state:
            self._ready = state, MadeWorld.of_state(self.assembly, self._dt, state)

    def set_state(self, state: State) -> None:
        """Go on from there, in a world that is made anew: so it is the same to the last bit."""
        if self._ready is not None and self._ready[0] is state:
            made = self._ready[1]
            chores.let_go_later(self._made)  # all its meshes: that takes long, too
        elif not self._stepped and self._made.may_restore(state):
            made = self._made  # as good as new
            made.restore(state)
        else:
            made = MadeWorld.of_state(self.assembly, self._dt, state)
        self._ready = None
        self._take(made)
        if "bullet" in state:
            self._stepped = True
        else:
            self._put_again(state.rows("roots", np.float64), state.rows("joints", np.float64))
        self._springs[:] = state.array("springs", self._springs)
        self.in_parts = "in_parts" in state and state.flag("in_parts")
        self._paths[:] = state.array("paths", self._paths)
        self.state.time_ns = state.integer("time_ns")
        self.state.bodies["rotation"] = state.array("rotations", self.state.bodies["rotation"])
        self.loads.clear()
        self._refresh()
        self.state.joints["effort"] = state.array("effort", self.state.joints["effort"])

    def set_joints(self, joints: NDArray[np.intp], positions: Array, velocities: Array) -> None:
        """Turn joints to angles, moving as told."""
        for joint, position, velocity in zip(joints, positions, velocities, strict=True):
            self._put_joint(int(joint), float(position), float(velocity))
        self._refresh()

    def _put_joint(self, joint: int, position: float, velocity: float) -> None:
        self._put_joints[joint] = [position, velocity]
        handle, link = self._link_of[joint]
        pybullet.resetJointState(handle, link, position, velocity, physicsClientId=self._client)

    def arrays(self) -> tuple[AnyArray, ...]:
        """Return poses and velocities as Bullet has them: of centres of mass, in principal axes."""
        return self._coms, self._springs


def _rows(figures: dict[int, list[float]], width: int) -> Array:
    """Return rows of numbers and their figures."""
    rows = [[row, *found] for row, found in figures.items()]
    return np.array(rows, np.float64).reshape(-1, 1 + width)


def _shared(point: tuple[Any, ...], parts: int) -> tuple[Any, ...]:
    """Return a contact with its forces as the mean over a step of which it was there for a part."""
    normal, aside, across = point[9] / parts, point[10] / parts, point[12] / parts
    return (*point[:9], normal, aside, point[11], across, *point[13:])


def _force(point: tuple[Any, ...]) -> Array:
    """Return a contact's force on its second body; Bullet tells that on the first."""
    pairs = ((point[7], point[9]), (point[11], point[10]), (point[13], point[12]))
    total: Array = np.sum([np.multiply(axis, size) for axis, size in pairs], axis=0)
    return -total


def _frames(poses: list[Pose]) -> AnyArray:
    """Return poses as rows."""
    rows = np.zeros(len(poses), OFFSET)
    for row, pose in zip(rows, poses, strict=True):
        row["position"], row["rotation"] = pose.position, pose.rotation
    return rows


def _start_paths(assembly: Assembly, scripted: list[int]) -> AnyArray:
    paths = np.zeros(len(scripted), BODY)
    for path, row in zip(paths, scripted, strict=True):
        pose = assembly.bodies[row].pose
        path["position"], path["rotation"] = pose.position, pose.rotation
    return paths


def _start_rotations(assembly: Assembly) -> Array:
    rotations = np.zeros((len(assembly.bodies), 4))
    for row, body in enumerate(assembly.bodies):
        own = body.pose.rotation
        rotations[row] = own if body.parent == WORLD else multiply(rotations[body.parent], own)
    return rotations


def _springs(assembly: Assembly) -> AnyArray:
    rows = np.zeros(len(assembly.joints), SPRING)
    inertias = joint_inertias(assembly)
    for row, joint, inertia in zip(rows, assembly.joints, inertias, strict=True):
        row["stiffness"], row["damping"] = joint.joint.stiffness, joint.joint.damping
        row["rest"], row["inertia"] = joint.joint.rest, inertia
    return rows
