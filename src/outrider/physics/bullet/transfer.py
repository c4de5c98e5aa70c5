"""Compiled copies between Bullet's rows (about centres of mass, in principal axes) and ours."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.core.vector_kernels import cross, multiply, rotate

# What Bullet tells of a body, seen from its centre of mass; and where the body's frame is there.
COM = np.dtype(
    [
        ("position", np.float64, (3,)),
        ("rotation", np.float64, (4,)),
        ("velocity", np.float64, (3,)),
        ("angular_velocity", np.float64, (3,)),
    ]
)
OFFSET = np.dtype([("position", np.float64, (3,)), ("rotation", np.float64, (4,))])

SPRING = np.dtype(
    [
        ("stiffness", np.float64),
        ("damping", np.float64),
        ("rest", np.float64),
        ("inertia", np.float64),  # of what the joint carries
        # of the last step
        ("speed", np.float64),
        ("effort", np.float64),
        ("known", np.int32),
    ]
)


@compiled
def read_bodies(
    coms: NDArray[np.void], offsets: NDArray[np.void], bodies: NDArray[np.void]
) -> None:  # pragma: no cover - compiled
    """Move poses and velocities from the centres of mass to the origins of the bodies."""
    for i in range(coms.shape[0]):
        q, p, o = coms[i].rotation, offsets[i].rotation, offsets[i].position
        w = coms[i].angular_velocity
        x, y, z = rotate(q, o)  # from the centre of mass to the origin
        body = bodies[i]
        body.position[0] = coms[i].position[0] + x
        body.position[1] = coms[i].position[1] + y
        body.position[2] = coms[i].position[2] + z
        a, b, c, d = multiply(q, p)
        # of the two signs of a quaternion, Bullet gives either: keep the one that was
        r = body.rotation
        sign = -1.0 if a * r[0] + b * r[1] + c * r[2] + d * r[3] < 0.0 else 1.0
        r[0], r[1], r[2], r[3] = sign * a, sign * b, sign * c, sign * d
        body.velocity[0] = coms[i].velocity[0] + w[1] * z - w[2] * y
        body.velocity[1] = coms[i].velocity[1] + w[2] * x - w[0] * z
        body.velocity[2] = coms[i].velocity[2] + w[0] * y - w[1] * x
        for k in range(3):
            body.angular_velocity[k] = w[k]


@compiled
def carry(paths: NDArray[np.void], dt: float) -> None:  # pragma: no cover - compiled
    """Move rows of a state on with their velocities."""
    for i in range(paths.shape[0]):
        p, q = paths[i].position, paths[i].rotation
        v, w = paths[i].velocity, paths[i].angular_velocity
        for k in range(3):
            p[k] += v[k] * dt
        spin = math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
        if spin > 0.0:
            share = math.sin(0.5 * spin * dt) / spin
            turn = (w[0] * share, w[1] * share, w[2] * share, math.cos(0.5 * spin * dt))
            a, b, c, d = multiply(turn, q)
            scale = 1.0 / math.sqrt(a * a + b * b + c * c + d * d)
            q[0], q[1], q[2], q[3] = a * scale, b * scale, c * scale, d * scale


@compiled
def write_coms(
    paths: NDArray[np.void], principals: NDArray[np.void], coms: NDArray[np.void]
) -> None:  # pragma: no cover - compiled
    """Say where the centres of mass of such rows are, and how they move."""
    for i in range(paths.shape[0]):
        q, w = paths[i].rotation, paths[i].angular_velocity
        arm = rotate(q, principals[i].position)
        turned = cross(w, arm)
        turn = multiply(q, principals[i].rotation)
        com = coms[i]
        for k in range(3):
            com.position[k] = paths[i].position[k] + arm[k]
            com.velocity[k] = paths[i].velocity[k] + turned[k]
            com.angular_velocity[k] = w[k]
        for k in range(4):
            com.rotation[k] = turn[k]


@compiled
def joint_efforts(
    springs: NDArray[np.void],
    joints: NDArray[np.void],
    loads: NDArray[np.float64],
    dt: float,
) -> None:  # pragma: no cover - compiled
    """Add springs and dampers to the loads, and clear these; the sums are the springs' efforts.

    A damper is solved for the speed at the end of the step. All that acts on the joint besides is
    taken from the last step: what its change of speed shows, less its own effort. So a stiff
    damper on a light wheel is stable, and where forces rest the answer is exact.
    """
    for i in range(springs.shape[0]):
        s = springs[i]
        v, load = joints[i].velocity, loads[i]
        effort = load - s.stiffness * (joints[i].position - s.rest)
        if s.damping > 0.0:
            slow = s.damping * dt / s.inertia
            others = s.inertia * (v - s.speed) / dt - s.effort if s.known == 1 else 0.0
            effort -= (s.damping * v + slow * (effort + others)) / (1.0 + slow)
        s.speed, s.effort, s.known = v, effort, 1
        joints[i].effort = load
        loads[i] = 0.0
