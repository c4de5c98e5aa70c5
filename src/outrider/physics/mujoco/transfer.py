"""Compiled copies between MuJoCo's arrays and ours (one call each per step)."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.core.frames import AnyArray
from outrider.core.vector_kernels import rotate_back

ASLEEP = 0  # in MuJoCo's body_awake
# What MuJoCo calls a body or joint of ours: its body id, and the addresses of our joint, or -1.
ROW = np.dtype([("id", np.int32), ("joint", np.int32), ("qpos", np.int32), ("dof", np.int32)])
# Where a root body's pose is kept: a scripted one's slot, or the addresses of its free joint.
ROOT = np.dtype([("slot", np.int32), ("qpos", np.int32), ("dof", np.int32)])
Floats = NDArray[np.float64]


@compiled
def read_state(
    everything: bool,
    rows: AnyArray,
    xpos: Floats,
    xquat: Floats,
    cvel: Floats,
    subtree_com: Floats,
    root_id: NDArray[np.int32],
    qpos: Floats,
    qvel: Floats,
    awake: NDArray[np.int32],
    bodies: AnyArray,
    joints: AnyArray,
) -> None:  # pragma: no cover - compiled
    """Copy positions and velocities of what is awake, or of everything.

    MuJoCo's cvel is taken about the tree's centre of mass.
    """
    for i in range(rows.shape[0]):
        b = rows[i].id
        if awake[b] == ASLEEP and not everything:
            continue
        body = bodies[i]
        com = root_id[b]
        wx, wy, wz = cvel[b, 0], cvel[b, 1], cvel[b, 2]
        dx = xpos[b, 0] - subtree_com[com, 0]
        dy = xpos[b, 1] - subtree_com[com, 1]
        dz = xpos[b, 2] - subtree_com[com, 2]
        for k in range(3):
            body.position[k] = xpos[b, k]
            body.rotation[k] = xquat[b, k + 1]
            body.angular_velocity[k] = cvel[b, k]
        body.rotation[3] = xquat[b, 0]
        body.velocity[0] = cvel[b, 3] + wy * dz - wz * dy
        body.velocity[1] = cvel[b, 4] + wz * dx - wx * dz
        body.velocity[2] = cvel[b, 5] + wx * dy - wy * dx
        j = rows[i].joint
        if j >= 0:
            joints[j].position = qpos[rows[i].qpos]
            joints[j].velocity = qvel[rows[i].dof]


@compiled
def pushes_sleepers(
    rows: AnyArray, body_loads: AnyArray, awake: NDArray[np.int32]
) -> bool:  # pragma: no cover - compiled
    """Return whether there is a load on what is asleep."""
    for i in range(rows.shape[0]):
        load = body_loads[i]
        if awake[rows[i].id] == ASLEEP and _any(load.force, load.torque):
            return True
    return False


@compiled
def write_loads(
    rows: AnyArray,
    body_loads: AnyArray,
    joint_loads: Floats,
    joints: AnyArray,
    xpos: Floats,
    xipos: Floats,
    xfrc: Floats,
    qfrc: Floats,
    awake: NDArray[np.int32],
) -> bool:  # pragma: no cover - compiled
    """Hand over the loads and clear them; tell if there is one on what is asleep.

    MuJoCo takes forces at the centre of mass.
    """
    wakes = False
    for i in range(rows.shape[0]):
        b = rows[i].id
        load = body_loads[i]
        if awake[b] == ASLEEP:
            if not _any(load.force, load.torque):
                continue
            wakes = True
        fx, fy, fz = load.force[0], load.force[1], load.force[2]
        dx, dy, dz = xpos[b, 0] - xipos[b, 0], xpos[b, 1] - xipos[b, 1], xpos[b, 2] - xipos[b, 2]
        xfrc[b, 0], xfrc[b, 1], xfrc[b, 2] = fx, fy, fz
        xfrc[b, 3] = load.torque[0] + dy * fz - dz * fy
        xfrc[b, 4] = load.torque[1] + dz * fx - dx * fz
        xfrc[b, 5] = load.torque[2] + dx * fy - dy * fx
        for k in range(3):
            load.force[k] = 0.0
            load.torque[k] = 0.0
        j = rows[i].joint
        if j >= 0:
            qfrc[rows[i].dof] = joint_loads[j]
            joints[j].effort = joint_loads[j]
            joint_loads[j] = 0.0
    return wakes


@compiled
def _any(force: Floats, torque: Floats) -> bool:  # pragma: no cover - compiled
    loaded = False
    for k in range(3):
        loaded |= force[k] != 0.0 or torque[k] != 0.0
    return loaded


@compiled
def carry_scripted(
    scripted: NDArray[np.int32], position: Floats, rotation: Floats, twists: Floats, dt: float
) -> None:  # pragma: no cover - compiled
    """Move scripted bodies on with their velocities: MuJoCo's mocap bodies do not move.

    Rows of ``scripted`` are (our body, MuJoCo's slot); MuJoCo's quaternions are w x y z.
    """
    for i in range(scripted.shape[0]):
        slot = scripted[i, 1]
        wx, wy, wz = twists[slot, 3], twists[slot, 4], twists[slot, 5]
        for k in range(3):
            position[slot, k] += twists[slot, k] * dt
        speed = np.sqrt(wx * wx + wy * wy + wz * wz)
        if speed == 0.0:
            continue
        share, c = np.sin(speed * dt / 2) / speed, np.cos(speed * dt / 2)
        x, y, z = wx * share, wy * share, wz * share
        qw, qx, qy, qz = rotation[slot, 0], rotation[slot, 1], rotation[slot, 2], rotation[slot, 3]
        rotation[slot, 0] = c * qw - x * qx - y * qy - z * qz
        rotation[slot, 1] = c * qx + x * qw + y * qz - z * qy
        rotation[slot, 2] = c * qy - x * qz + y * qw + z * qx
        rotation[slot, 3] = c * qz + x * qy - y * qx + z * qw


@compiled
def write_roots(
    places: AnyArray,
    rows: AnyArray,
    qpos: Floats,
    qvel: Floats,
    position: Floats,
    rotation: Floats,
    twists: Floats,
) -> int:  # pragma: no cover - compiled
    """Write poses and velocities of root bodies; if one is none, do nothing but return which."""
    for i in range(places.shape[0]):
        if places[i].slot < 0 and places[i].qpos < 0:
            return i
    for i in range(places.shape[0]):
        body, slot, q, v = rows[i], places[i].slot, places[i].qpos, places[i].dof
        if slot >= 0:
            for k in range(3):
                position[slot, k] = body.position[k]
                rotation[slot, k + 1] = body.rotation[k]
                twists[slot, k] = body.velocity[k]
                twists[slot, k + 3] = body.angular_velocity[k]
            rotation[slot, 0] = body.rotation[3]
            continue
        # a free joint's angular velocity is written in the body's own axes
        own = rotate_back(body.rotation, body.angular_velocity)
        for k in range(3):
            qpos[q + k] = body.position[k]
            qpos[q + k + 4] = body.rotation[k]
            qvel[v + k] = body.velocity[k]
            qvel[v + k + 3] = own[k]
        qpos[q + 3] = body.rotation[3]
    return -1


@compiled
def read_scripted(
    scripted: NDArray[np.int32], twists: Floats, bodies: AnyArray
) -> None:  # pragma: no cover - compiled
    """Say how scripted bodies move, which MuJoCo does not know."""
    for i in range(scripted.shape[0]):
        for k in range(3):
            bodies[scripted[i, 0]].velocity[k] = twists[scripted[i, 1], k]
            bodies[scripted[i, 0]].angular_velocity[k] = twists[scripted[i, 1], k + 3]
