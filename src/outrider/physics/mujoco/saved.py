"""MuJoCo's own state as one array: exactly what its next step depends on."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import AnyArray, Array
from outrider.core.rotations import inverse, turned
from outrider.core.state import State
from outrider.physics.mujoco.model import MujocoModel

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
    moved = names.rows[names.rows["joint"] >= 0]
    rows = moved[np.argsort(moved["joint"])][joints]  # every joint moves one body
    data.qpos[rows["qpos"]], data.qvel[rows["dof"]] = positions, velocities


def set_roots(
    names: MujocoModel,
    data: mujoco.MjData,
    scripted_velocity: Array,
    bodies: NDArray[np.intp],
    rows: AnyArray,
) -> None:
    """Write the poses and velocities of root bodies, as in a state, into MuJoCo's coordinates."""
    slots = names.mocap_slots(bodies)
    scripted, free = slots >= 0, slots < 0
    places, turns = rows["position"], rows["rotation"][:, WXYZ]
    speeds, spins = rows["velocity"], rows["angular_velocity"]
    data.mocap_pos[slots[scripted]] = places[scripted]
    data.mocap_quat[slots[scripted]] = turns[scripted]
    scripted_velocity[slots[scripted]] = np.hstack([speeds[scripted], spins[scripted]])
    q, v = (first[:, None] for first in names.root_addresses(bodies[free]))
    data.qpos[q + np.arange(7)] = np.hstack([places[free], turns[free]])
    # a free joint's angular velocity is written in the body's own axes
    own = turned(inverse(rows["rotation"][free]), spins[free])
    data.qvel[v + np.arange(6)] = np.hstack([speeds[free], own])
