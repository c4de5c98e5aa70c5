"""The third engine: vehicles move exactly as commanded, on arcs; no forces, masses or slip.

It is for teaching, for testing navigation alone, and for the exact arcs of a car without dynamics.
A vehicle turns about its turning centre in plan view: its speed is that over the level plane.
MuJoCo's model gives the places of all parts and finds what touches; nothing pushes anything away.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.clock import to_ns
from outrider.core.frames import (
    AnyArray,
    Array,
    Pose,
    conjugate,
    matrix_from_quaternion,
    multiply,
    quaternion_from_rpy,
    rotation_vector,
    yaw_of,
)
from outrider.core.state import State
from outrider.physics.engine import Contact, ContactRows, Kinematics, Overlap
from outrider.physics.mujoco.model import MujocoModel
from outrider.physics.mujoco.saved import WXYZ, read_data, set_joints, set_roots, write_data
from outrider.physics.mujoco.transfer import carry_scripted, read_state
from outrider.physics.mujoco.trial_data import TrialData
from outrider.world.assembly import WORLD, Assembly
from outrider.world.state import Loads, Placement, WorldState, body_row

Follow = Callable[[int, Pose], Pose]


def along_arc(
    start: tuple[float, float, float], speed: float, yaw_rate: float, seconds: float
) -> tuple[float, float, float]:
    """Return x, y, yaw after some time on a circle; any number of turns, or none, is exact."""
    x, y, yaw = start
    half = 0.5 * yaw_rate * seconds
    # the chord of an arc points half the turn away from the heading; below 1e-4 the next term
    # of the series is under 1e-17
    shortening = math.sin(half) / half if abs(half) > 1e-4 else 1.0 - half * half / 6.0
    chord = speed * seconds * shortening
    return x + chord * math.cos(yaw + half), y + chord * math.sin(yaw + half), yaw + 2 * half


@dataclass(slots=True)
class _Path:
    """The circle a vehicle is on, from the place where it was last told something new."""

    start: Array  # x, y, yaw
    start_ns: int
    speed: float
    yaw_rate: float
    height: float  # of its frame, now
    tilt: Array  # its rotation without the heading, now
    fresh: bool = True  # it was put here: how it got here says nothing of its speed

    @classmethod
    def at(cls, pose: Pose, now_ns: int, speed: float, yaw_rate: float) -> "_Path":
        x, y, z = (float(v) for v in pose.position)
        yaw = yaw_of(pose.rotation)
        tilt = multiply(_heading(-yaw), pose.rotation)
        return cls(np.array([x, y, yaw]), now_ns, speed, yaw_rate, z, tilt)

    def now(self, now_ns: int) -> tuple[float, float, float]:
        """Return x, y and yaw (not wrapped)."""
        seconds = (now_ns - self.start_ns) * 1e-9
        x, y, yaw = self.start.tolist()
        return along_arc((x, y, yaw), self.speed, self.yaw_rate, seconds)

    def row(self) -> list[float]:
        return [*self.start, self.start_ns, self.speed, self.yaw_rate, self.height, *self.tilt]


_NO_PATH = _Path(np.zeros(3), 0, 0.0, 0.0, 0.0, np.zeros(4))  # what one looks like


@dataclass(slots=True)
class _Joints:
    """Where joints are kept in MuJoCo's arrays, their limits, and what rounding took from them."""

    q: NDArray[np.intp]
    dof: NDArray[np.intp]
    lower: Array
    upper: Array
    lost: Array = field(init=False)

    def __post_init__(self) -> None:
        self.lost = np.zeros(len(self.q))


class KinematicEngine:
    """``drive`` sets a vehicle's motion until changed; all other dynamic bodies stand still.

    With ``follow`` set, it maps a root body and its level pose to the pose on the ground.
    """

    def __init__(self, assembly: Assembly, step_s: float) -> None:
        self.assembly = assembly
        self.step_ns = to_ns(step_s)
        self._dt = self.step_ns * 1e-9
        self._names = MujocoModel(assembly, step_s)
        self._model = self._names.model
        self._data = mujoco.MjData(self._model)
        self._trial = TrialData(self._names)
        self._names.meshes.bind(self._model, None)  # what is led by hand passes nothing
        self.state = WorldState.zeros(len(assembly.bodies), len(assembly.joints))
        self.loads = Loads.zeros(len(assembly.bodies), len(assembly.joints))
        self.watch_contacts = False
        self.resting = frozenset[tuple[str, str]]()
        self.watch_forces = False  # there are none
        self.in_parts = False
        self.follow: Follow | None = None
        self.joint_speed = np.zeros(len(assembly.joints))  # rad/s or m/s, until changed
        self._joints = _joints(assembly, self._names)
        self._masses = _masses(assembly)
        self._paths: dict[int, _Path] = {}
        self._scripted_velocity = np.zeros((max(1, self._model.nmocap), 6))
        mujoco.mj_resetData(self._model, self._data)
        self._refresh()

    @property
    def kinematics(self) -> Kinematics:
        """Itself: vehicles are told how to move."""
        return self

    def step(self) -> None:
        """Advance by one step; loads are ignored."""
        self.state.time_ns += self.step_ns
        self._data.qvel[:] = 0.0
        self._turn_joints()
        for body, path in self._paths.items():
            self._advance(body, path)
        self._move_scripted()
        self.loads.clear()
        self._refresh()

    def drive(self, body: int, speed: float, yaw_rate: float) -> None:
        """Let the vehicle with this root body move so from now on."""
        path = self._paths.get(body)
        if path is None:
            self._names.free_addresses(body)  # tells if it is not the root of a vehicle
            row = self.state.bodies[body]
            pose = Pose(row["position"], row["rotation"])
            self._paths[body] = _Path.at(pose, self.state.time_ns, speed, yaw_rate)
        elif (speed, yaw_rate) != (path.speed, path.yaw_rate):
            path.start, path.start_ns = np.array(path.now(self.state.time_ns)), self.state.time_ns
            path.speed, path.yaw_rate = speed, yaw_rate

    def turn(self, joint: int, angle: float | None = None, speed: float | None = None) -> None:
        """Set a joint's angle (at the next step) or its speed until changed; limits hold."""
        own = self._joints
        if speed is not None:
            self.joint_speed[joint] = speed
        if angle is not None:
            self._data.qpos[own.q[joint]] = np.clip(angle, own.lower[joint], own.upper[joint])
            own.lost[joint] = 0.0

    def _turn_joints(self) -> None:
        """Turn all joints by their speed, with the rounding error carried on (Kahan)."""
        own, qpos = self._joints, self._data.qpos
        before = qpos[own.q]
        change = self.joint_speed * self._dt - own.lost
        after = before + change
        own.lost = (after - before) - change
        inside = np.clip(after, own.lower, own.upper)
        qpos[own.q] = inside
        self._data.qvel[own.dof] = np.where(inside == after, self.joint_speed, 0.0)

    def _advance(self, body: int, path: _Path) -> None:
        """Put a vehicle where it should be now; how ground lifts and tilts it gives the rest."""
        x, y, yaw = path.now(self.state.time_ns)
        heading = _heading(yaw)
        position = np.array([x, y, path.height])
        if self.follow is None:
            pose = Pose(position, multiply(heading, path.tilt))
        else:
            pose = self.follow(body, Pose(position, heading))
        tilt = multiply(conjugate(heading), pose.rotation)
        velocity = np.array([path.speed * math.cos(yaw), path.speed * math.sin(yaw), 0.0])
        spin = np.array([0.0, 0.0, path.yaw_rate])
        if self.follow is not None and not path.fresh:
            tilting = rotation_vector(multiply(tilt, conjugate(path.tilt))) / self._dt
            velocity[2] = (pose.position[2] - path.height) / self._dt
            spin += matrix_from_quaternion(heading) @ tilting
        path.height, path.tilt, path.fresh = float(pose.position[2]), tilt, False
        self._write_root(body, pose, velocity, spin)

    def _write_root(self, body: int, pose: Pose, velocity: Array, spin: Array) -> None:
        q, v = self._names.free_addresses(body)
        self._data.qpos[q : q + 3] = pose.position
        self._data.qpos[q + 3 : q + 7] = pose.rotation[WXYZ]
        self._data.qvel[v : v + 3] = velocity
        # a free joint's angular velocity is written in the body's own axes
        self._data.qvel[v + 3 : v + 6] = matrix_from_quaternion(pose.rotation).T @ spin

    def _move_scripted(self) -> None:
        data, dt = self._data, self._dt
        carry_scripted(
            self._names.scripted, data.mocap_pos, data.mocap_quat, self._scripted_velocity, dt
        )

    def place(self, body: int, pose: Pose, velocity: Array, angular_velocity: Array) -> None:
        """Put a model's root body somewhere; a driven one goes on from there as it was told."""
        slot = self._names.mocap_slot(body)
        if slot < 0:
            row = body_row(pose, velocity, angular_velocity)
            self.place_all(Placement(np.array([body], np.intp), row))
            return
        self._data.mocap_pos[slot] = pose.position
        self._data.mocap_quat[slot] = pose.rotation[WXYZ]
        self._scripted_velocity[slot] = (*velocity, *angular_velocity)
        self._refresh()

    def place_all(self, placed: Placement) -> None:
        """Put root bodies and joints where rows of a state say."""
        bodies, rows, joints, joint_rows = placed
        set_roots(self._names, self._data, self._scripted_velocity, bodies, rows)
        now_ns = self.state.time_ns
        for body, row in zip(bodies.tolist(), rows, strict=True):
            if path := self._paths.get(body):
                pose = Pose(row["position"], row["rotation"])
                self._paths[body] = _Path.at(pose, now_ns, path.speed, path.yaw_rate)
        self.set_joints(joints, joint_rows["position"], joint_rows["velocity"])

    def lead(self, bodies: NDArray[np.intp], twists: Array) -> None:
        """Let scripted bodies move so from the next step on."""
        self._scripted_velocity[self._names.mocap_slots(bodies)] = twists

    def _refresh(self) -> None:
        """Compute all places and velocities; contacts are looked for when asked."""
        model, data = self._model, self._data
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_comVel(model, data)
        read_state(
            everything=True,
            rows=self._names.rows,
            xpos=data.xpos,
            xquat=data.xquat,
            cvel=data.cvel,
            subtree_com=data.subtree_com,
            root_id=model.body_rootid,
            qpos=data.qpos,
            qvel=data.qvel,
            awake=data.body_awake,
            bodies=self.state.bodies,
            joints=self.state.joints,
        )
        for row, slot in self._names.scripted:
            self.state.bodies["velocity"][row] = self._scripted_velocity[slot, :3]
            self.state.bodies["angular_velocity"][row] = self._scripted_velocity[slot, 3:]
        self._contacts: list[Contact] | None = None

    def contacts(self) -> list[Contact]:
        """Return what touches now.

        Impulses are estimates, for nothing stops here: the reduced mass of the two models times
        the speed at which they close in, as if they stopped dead; zero while they stand or part.
        """
        if self._contacts is None:
            mujoco.mj_collision(self._model, self._data)
            found = [self._contact(self._data.contact[i]) for i in range(self._data.ncon)]
            self._contacts = [contact for contact in found if contact is not None]
        return self._contacts

    def contact_rows(self) -> ContactRows:
        """Return the same contacts as arrays."""
        return ContactRows.of(self.contacts())

    def overlaps(
        self, least: float = 0.0, model: int | None = None, state: WorldState | None = None
    ) -> list[Overlap]:
        """Return what is inside what as all stands now."""
        if state is not None:
            return self._trial.overlaps(state, least, model)
        mujoco.mj_collision(self._model, self._data)
        return self._names.overlaps(self._data, least, model)

    def _contact(self, contact: mujoco.MjContact) -> Contact | None:
        first, second = (self._names.geoms[g] for g in contact.geom)
        light = self._lightness(first.body) + self._lightness(second.body)
        if light == 0.0:
            return None  # two things that no engine would move
        point, normal = contact.pos.copy(), contact.frame[:3].copy()
        closing = self._velocity_at(first.body, point) - self._velocity_at(second.body, point)
        impulse = max(0.0, float(closing @ normal)) / light
        return Contact(first.body, second.body, point, normal, impulse, first.name, second.name)

    def _lightness(self, body: int) -> float:
        return 0.0 if body == WORLD else float(1.0 / self._masses[body])

    def _velocity_at(self, body: int, point: Array) -> Array:
        if body == WORLD:
            return np.zeros(3)
        row = self.state.bodies[body]
        arm = point - row["position"]
        velocity: Array = row["velocity"] + np.cross(row["angular_velocity"], arm)
        return velocity

    def get_state(self) -> State:
        """Return all that the next steps depend on."""
        return State(
            time_ns=self.state.time_ns,
            data=read_data(self._model, self._data),
            scripted_velocity=self._scripted_velocity,
            joint_speed=self.joint_speed,
            lost=self._joints.lost,
            paths=[State(State.of(path), body=body) for body, path in self._paths.items()],
        )

    def prepare(self, state: State) -> None:
        """Leave it to ``set_state``, which is quick."""

    def set_state(self, state: State) -> None:
        """Go on from there, to the last bit; what ``follow`` is stays."""
        write_data(self._model, self._data, state)
        self._scripted_velocity = state.array("scripted_velocity", self._scripted_velocity)
        self.joint_speed[:] = state.array("joint_speed", self.joint_speed)
        self._joints.lost = state.array("lost", self._joints.lost)
        self._paths = {path.integer("body"): path.record(_NO_PATH) for path in state.parts("paths")}
        self.state.time_ns = state.integer("time_ns")
        self.loads.clear()
        self._refresh()

    def set_joints(self, joints: NDArray[np.intp], positions: Array, velocities: Array) -> None:
        """Turn joints to angles; their speeds are what ``turn`` says."""
        set_joints(self._names, self._data, joints, positions, velocities)
        self._refresh()

    def arrays(self) -> tuple[AnyArray, ...]:
        """Return MuJoCo's coordinates and the circles that vehicles are on."""
        paths = np.array([[body, *path.row()] for body, path in sorted(self._paths.items())])
        data = self._data
        return data.qpos, data.qvel, data.mocap_pos, self.joint_speed, self._joints.lost, paths


def _heading(yaw: float) -> Array:
    return quaternion_from_rpy(0.0, 0.0, yaw)


def _joints(assembly: Assembly, names: MujocoModel) -> _Joints:
    carried_by = [joint.child for joint in assembly.joints]
    return _Joints(
        names.rows["qpos"][carried_by].astype(np.intp),
        names.rows["dof"][carried_by].astype(np.intp),
        np.array([joint.joint.lower for joint in assembly.joints]),
        np.array([joint.joint.upper for joint in assembly.joints]),
    )


def _masses(assembly: Assembly) -> Array:
    """Return the mass of each body's whole model; what is scripted cannot be pushed."""
    masses = np.zeros(len(assembly.models))
    for body in assembly.bodies:
        masses[body.model] += math.inf if body.mobility == "scripted" else body.inertial.mass
    return np.array([masses[body.model] for body in assembly.bodies])
