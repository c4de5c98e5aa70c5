"""MuJoCo's own state as one array: exactly what its next step depends on."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.core.state import State
from outrider.physics.mujoco.model import MujocoModel

_ALL = mujoco.mjtState.mjSTATE_INTEGRATION


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
    place = {int(row["joint"]): row for row in names.rows if row["joint"] >= 0}
    for joint, position, velocity in zip(joints, positions, velocities, strict=True):
        row = place[int(joint)]
        data.qpos[row["qpos"]], data.qvel[row["dof"]] = position, velocity
