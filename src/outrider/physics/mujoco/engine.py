"""The default engine: MuJoCo moves bodies and joints and finds contacts other than tyres'."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.clock import to_ns
from outrider.core.frames import AnyArray, Array, Pose
from outrider.core.packed_arrays import PackedArrays
from outrider.core.state import State
from outrider.physics.engine import Contact, ContactRows, Overlap
from outrider.physics.mujoco.contact_pairs import ContactPairs
from outrider.physics.mujoco.fatal import catch_fatal_errors, physics_error
from outrider.physics.mujoco.model import MujocoModel
from outrider.physics.mujoco.push_out import PushOut
from outrider.physics.mujoco.saved import WXYZ, read_data, set_joints, set_roots, write_data
from outrider.physics.mujoco.scripted import add_contact_velocities
from outrider.physics.mujoco.sleeping import Sleeping
from outrider.physics.mujoco.solver import SolverChoice
from outrider.physics.mujoco.step_kernel import ENGINE_STEP, engine_step
from outrider.physics.mujoco.transfer import (
    carry_scripted,
    read_scripted,
    read_state,
    write_loads,
)
from outrider.physics.mujoco.trial_data import TrialData
from outrider.physics.mujoco.tumbling import implicit_half, jointed_roots, tumbles
from outrider.physics.mujoco_library import address_of, stop_timers
from outrider.world.assembly import Assembly
from outrider.world.state import BODY, Loads, Placement, WorldState, body_row

stop_timers()
catch_fatal_errors()


class MujocoEngine:
    """Semi-implicit steps; the state after a step is complete for the new time."""

    kinematics = None
    in_parts = False

    def __init__(self, assembly: Assembly, step_s: float) -> None:
        self.assembly = assembly
        self.step_ns = to_ns(step_s)
        self._names = MujocoModel(assembly, step_s)
        self._model = self._names.model
        self._data = mujoco.MjData(self._model)
        self._trial = TrialData(self._names)
        self._meshes = self._names.meshes
        self._meshes.bind(self._model, self._data)
        self.state = WorldState.zeros(len(assembly.bodies), len(assembly.joints))
        self.loads = Loads.zeros(len(assembly.bodies), len(assembly.joints))
        self.watch_contacts = False
        self.watch_forces = False
        self._touching = ContactPairs(self._names, self._data, self.step_ns)
        self._rest = Sleeping(self._model, self._data)
        self._solver = SolverChoice(self._model, self._data)
        self._push_out = PushOut(self._data, step_s)
        self._scripted_velocity = np.zeros((max(1, self._model.nmocap), 6))
        self._jointed = jointed_roots(assembly)
        self._views = self._make_views()
        self._inputs = self._make_inputs()
        self._whole = self._bundle()
        mujoco.mj_resetData(self._model, self._data)
        self.place_all(Placement(np.empty(0, np.intp), np.empty(0, BODY)))  # its kernel is loaded

    def _make_views(self) -> tuple[AnyArray, ...]:
        """Return MuJoCo's arrays and ours: they stay where they are, and looking them up costs."""
        data = self._data
        return (
            self._names.rows,
            data.xpos,
            data.xquat,
            data.cvel,
            data.subtree_com,
            self._model.body_rootid,
            data.qpos,
            data.qvel,
            data.body_awake,
            self.state.bodies,
            self.state.joints,
        )

    def _make_inputs(self) -> tuple[AnyArray, ...]:
        """Return our loads and MuJoCo's arrays for them."""
        data = self._data
        return (
            self._names.rows,
            self.loads.bodies,
            self.loads.joints,
            self.state.joints,
            data.xpos,
            data.xipos,
            data.xfrc_applied,
            data.qfrc_applied,
            data.body_awake,
        )

    def _bundle(self) -> PackedArrays:
        """Return all that a whole step in one compiled call needs."""
        data, model = self._data, self._model
        mujocos = "xpos xipos xquat cvel subtree_com qpos qvel mocap_pos mocap_quat"
        return PackedArrays(
            ENGINE_STEP,
            rows=self._names.rows,
            body_loads=self.loads.bodies,
            joint_loads=self.loads.joints,
            bodies=self.state.bodies,
            joints=self.state.joints,
            root_id=model.body_rootid,
            xfrc=data.xfrc_applied,
            qfrc=data.qfrc_applied,
            awake=data.body_awake,
            scripted=self._names.scripted,
            twists=self._scripted_velocity,
            jointed=self._jointed,
            tick=self._meshes.ticks,
            model=model._address,
            data=data._address,
            first_half=address_of("mj_step1"),
            second_half=address_of("mj_step2"),
            dt=self.step_ns * 1e-9,
            **{name: getattr(data, name) for name in mujocos.split()},
            **self._rest.counted,
        )

    def step(self) -> None:
        """Advance by one step: forces and integration, then positions for the new time."""
        self.loads.note()
        free = self._touching.nothing and not self.watch_forces
        try:
            if not (free and engine_step(self._whole.address)):
                self._step_in_touch()
            self.state.time_ns += self.step_ns
        except mujoco.FatalError as error:
            raise physics_error(error) from None

    def _step_in_touch(self) -> None:
        """Step by its parts: contacts are told what to aim at, noted, and may fall asleep."""
        data, model, scripted = self._data, self._model, len(self._names.scripted)
        if write_loads(*self._inputs):
            mujoco.mj_step1(model, data)  # a load on what is asleep: MuJoCo wakes it
        if scripted and data.ncon:
            add_contact_velocities(self._names.geom_slots, data, self._scripted_velocity)
        if data.ncon and data.nefc:
            self._names.jams.release(data)
            self._names.restitution.tell(data)
            if self._push_out.needed:
                self._push_out.limit()
            self._solver.choose()
        if tumbles(self._jointed, self.state.bodies, self.step_ns * 1e-9):
            implicit_half(model, data)
        else:
            mujoco.mj_step2(model, data)
        self._touching.note(self.watch_contacts, self.watch_forces)
        fallen = not self.watch_forces and self._rest.settle()
        if fallen:
            self._touching.rest()
        if scripted:
            self._move_scripted()
        self._meshes.tick()
        mujoco.mj_step1(model, data)
        self._read(everything=fallen)

    def _find(self) -> None:
        """Find where all is, and what touches, before the next step."""
        mujoco.mj_step1(self._model, self._data)
        self._read(everything=True)

    def _read(self, everything: bool) -> None:
        """Copy the state of what is awake, or of everything."""
        read_state(everything, *self._views)
        if len(self._names.scripted):
            read_scripted(self._names.scripted, self._scripted_velocity, self.state.bodies)

    def _move_scripted(self) -> None:
        carry_scripted(
            self._names.scripted,
            self._data.mocap_pos,
            self._data.mocap_quat,
            self._scripted_velocity,
            self.step_ns * 1e-9,
        )

    def place(self, body: int, pose: Pose, velocity: Array, angular_velocity: Array) -> None:
        """Put a model's root body somewhere."""
        slot = self._names.mocap_slot(body)
        if slot < 0:
            row = body_row(pose, velocity, angular_velocity)
            self.place_all(Placement(np.array([body], np.intp), row))
            return
        # scripted bodies are placed in every step
        self._data.mocap_pos[slot] = pose.position
        self._data.mocap_quat[slot] = pose.rotation[WXYZ]
        self._scripted_velocity[slot] = (*velocity, *angular_velocity)
        self._meshes.forget()
        self._find()

    def place_all(self, placed: Placement) -> None:
        """Put root bodies and joints where rows of a state say."""
        roots = placed.bodies, placed.rows
        set_roots(self._names, self._data, self._scripted_velocity, *roots)
        rows = placed.joint_rows
        self.set_joints(placed.joints, rows["position"], rows["velocity"])

    def lead(self, bodies: NDArray[np.intp], twists: Array) -> None:
        """Let scripted bodies move so from the next step on."""
        self._scripted_velocity[self._names.mocap_slots(bodies)] = twists

    def contacts(self) -> list[Contact]:
        """Return what touched in the last step, one entry per contact point."""
        return self._touching.contacts()

    def contact_rows(self) -> ContactRows:
        """Return the same as arrays, but for those of bodies asleep."""
        return self._touching.rows

    @property
    def resting(self) -> frozenset[tuple[str, str]]:
        """The names of those that touch and are asleep."""
        return self._touching.resting

    def overlaps(
        self, least: float = 0.0, model: int | None = None, state: WorldState | None = None
    ) -> list[Overlap]:
        """Return what is inside what as all stands now, but for those that sleep so."""
        if state is not None:
            return self._trial.overlaps(state, least, model)
        return self._names.overlaps(self._data, least, model)

    def get_state(self) -> State:
        """Return all that the next steps depend on."""
        return State(
            State(self._touching.get_state(), **self._rest.get_state()),
            time_ns=self.state.time_ns,
            data=read_data(self._model, self._data),
            scripted_velocity=self._scripted_velocity,
            effort=self.state.joints["effort"],
            watch_contacts=self.watch_contacts,
            wedged=self._push_out.needed,
            anchors=self._meshes.saved(),
        )

    def prepare(self, state: State) -> None:
        """Leave it to ``set_state``, which is quick."""

    def set_state(self, state: State) -> None:
        """Go on from there, to the last bit."""
        write_data(self._model, self._data, state)
        self._scripted_velocity[:] = state.array("scripted_velocity", self._scripted_velocity)
        self.watch_contacts = state.flag("watch_contacts")
        self.state.time_ns = state.integer("time_ns")
        self.loads.clear()
        self._rest.wake()
        self._find()
        self._rest.set_state(state)
        self._touching.set_state(state)
        self._meshes.restore(state.rows("anchors", np.float64))
        self._find()
        self.state.joints["effort"] = state.array("effort", self.state.joints["effort"])
        self._push_out.needed = "wedged" in state and state.flag("wedged")

    def set_joints(self, joints: NDArray[np.intp], positions: Array, velocities: Array) -> None:
        """Turn joints to angles, moving as told."""
        set_joints(self._names, self._data, joints, positions, velocities)
        self._meshes.forget()
        self._find()
        self._push_out.look()

    def arrays(self) -> tuple[AnyArray, ...]:
        """Return positions and velocities in MuJoCo's own coordinates, and who is asleep."""
        data = self._data
        own = data.qpos, data.qvel, data.mocap_pos, data.qacc_warmstart
        return *own, *self._rest.arrays()
