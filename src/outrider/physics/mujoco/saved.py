"""MuJoCo's own state as one array: exactly what its next step depends on."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import AnyArray, Array
from outrider.core.state import State
from outrider.physics.mujoco.model import MujocoModel
from outrider.physics.mujoco.transfer import write_roots

_ALL = mujoco.mjtState.mjSTATE_INTEGRATION
WXYZ = [3, 0, 1, 2]  # MuJoCo's order of a quaternion


def read_data(model: object, data: object) -> Array:
    """Return all numbers that MuJoCo's next step depends on."""
    values: Array = np.empty(mujoco.mj_stateSize(model, _ALL))
    mujoco.mj_getState(model, data, values, _ALL)
    return values


def write_data(model: object, data: object, state: State) -> None:
    """Put them back, out of an engine's state."""
    values = state.array("data", np.empty(mujoco.mj_stateSize(model, _ALL)))
    mujoco.mj_setState(model, data, values, _ALL)


def set_joints(
    names: MujocoModel,
    data: mujoco.MjData,
    joints: NDArray[np.intp],
    positions: Array,
    velocities: Array,
) -> None:
    """Write angles and speeds of our joints into MuJoCo's coordinates."""
    rows = names.joint_rows[joints]
    data.qpos[rows["qpos"]], data.qvel[rows["dof"]] = positions, velocities


def set_roots(
    names: MujocoModel,
    data: mujoco.MjData,
    scripted_velocity: Array,
    bodies: NDArray[np.intp],
    rows: AnyArray,
) -> None:
    """Write the poses and velocities of root bodies, as in a state, into MuJoCo's coordinates."""
    poses = data.mocap_pos, data.mocap_quat
    places = names.roots[bodies]
    wrong = write_roots(places, rows, data.qpos, data.qvel, *poses, scripted_velocity)
    if wrong >= 0:
        names.free_addresses(int(bodies[wrong]))  # tells
