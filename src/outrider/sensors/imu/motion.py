"""What an ideal IMU measures: the motion between its samples, accumulated every engine step."""

import math
from typing import Any

import numpy as np
from numba import carray

from outrider.core.address import doubles, pointer, stack_memory
from outrider.core.compiled import compiled
from outrider.core.frames import AnyArray, Array, matrix_from_quaternion
from outrider.core.packed_arrays import PackedArrays, bundle_type
from outrider.core.state import State
from outrider.core.vector_kernels import (
    Vector,
    dot,
    halfway,
    multiply,
    rotate,
    rotate_back,
    rotation_between,
)
from outrider.sensors.site import Site
from outrider.world.assembly import WORLD
from outrider.world.state import BODY

# a step that goes or turns further than its speed explains, by this much, was a jump (m, rad)
_JUMP_M = 0.01
_JUMP_RAD = 0.02


_MOTION = bundle_type(
    arrays="ring gravity arm mount to_sensor force rate rotation",
    integers="bodies body",
    numbers="dt",
)


class ImuMotion:
    """Mean specific force and rate since the last sample, in the sensor's axes.

    An inertial unit integrates many fast samples, so it outputs the mean over its period; a
    difference over the whole period would miss what happened in between.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._step_s = site.step_ns * 1e-9
        self._period_ns = round(1e9 / site.rate_hz)
        self._gravity = np.array(site.world.gravity)
        self._mount = site.T_body_sensor.rotation
        self._last_ns = -1
        self._standing = site.body == WORLD
        # these stay where they are: compiled code knows their addresses
        self.rotation: Array = np.array(self._mount)  # the true attitude at the last sample
        if not self._standing:
            self.rotation[:] = multiply(site.state.bodies[site.body]["rotation"], self._mount)
        self.force: Array = -(matrix_from_quaternion(self.rotation).T @ self._gravity)
        self.rate: Array = np.zeros(3)
        self._ring: AnyArray | None = None

    def get_state(self) -> State:
        """Return when it last measured, and what."""
        return State(last_ns=self._last_ns, force=self.force, rate=self.rate)

    def set_state(self, state: State) -> None:
        """Restore that state."""
        self._last_ns = state.integer("last_ns")
        self.force[:] = state.array("force", self.force)
        self.rate[:] = state.array("rate", self.rate)

    def steps_until(self, now_ns: int) -> int:
        """Return how many steps there were since the last time it was asked."""
        since_ns = now_ns - self._last_ns if self._last_ns >= 0 else self._period_ns
        self._last_ns = now_ns
        return max(1, round(since_ns / self._site.step_ns))

    def measure(self, due: list[tuple[int, int]]) -> None:
        """Set the attitude at the last of these times, and the means of the steps before it.

        If all of those were jumps, the means are those of the time before.
        """
        if self._standing:
            return
        history = self._site.history
        if history.ring is not self._ring:
            self._bind(history.ring)
        row, known = history.row_at(due[-1][0])
        if feel(self._address, row, min(due[-1][1], known), row):
            return
        for now_ns, steps in reversed(due[:-1]):
            earlier, known = history.row_at(now_ns)
            if feel(self._address, earlier, min(steps, known), row):
                return

    def _bind(self, ring: AnyArray) -> None:
        """Measure in a new ring of states."""
        self._ring = ring
        self._bundle = PackedArrays(
            _MOTION,
            ring=ring,
            gravity=self._gravity,
            arm=np.ascontiguousarray(self._site.T_body_sensor.position),
            mount=np.ascontiguousarray(self._mount),
            to_sensor=np.ascontiguousarray(matrix_from_quaternion(self._mount).T),
            force=self.force,
            rate=self.rate,
            rotation=self.rotation,
            bodies=ring.shape[1],
            body=self._site.body,
            dt=self._step_s,
        )
        self._address = self._bundle.address


@compiled
def feel(address: int, row: int, steps: int, last: int) -> bool:  # pragma: no cover - compiled
    """Take the address of a _MOTION; set the means of the steps before a row of the ring.

    Also set the attitude at the ``last`` row. If every step was a jump, return False.
    """
    c = carray(pointer(address), 1, _MOTION)[0]
    ring = carray(pointer(c.ring.at), (c.ring.rows, c.bodies), BODY)
    turned = multiply(ring[last % c.ring.rows, c.body].rotation, doubles(c.mount.at, 4))
    rotation = doubles(c.rotation.at, 4)
    rotation[0], rotation[1], rotation[2], rotation[3] = turned
    sums = doubles(stack_memory(48), 6)
    gravity, arm = doubles(c.gravity.at, 3), doubles(c.arm.at, 3)
    used = add_up(ring, row - steps, steps, c.body, c.dt, gravity, arm, sums)
    if used == 0:
        return False
    to_sensor = doubles(c.to_sensor.at, (3, 3))
    force, rate = doubles(c.force.at, 3), doubles(c.rate.at, 3)
    for i in range(3):
        force[i] = dot(to_sensor[i], sums[:3]) / used
        rate[i] = dot(to_sensor[i], sums[3:]) / used
    return True


@compiled
def add_up(
    ring: AnyArray,
    first: int,
    steps: int,
    body: int,
    dt: float,
    gravity: Array,
    arm: Array,
    sums: Array,
) -> int:  # pragma: no cover - compiled
    """Sum specific force and rate (body axes) over steps of a ring of states; return how many."""
    sums[:] = 0.0
    used = 0
    size = ring.shape[0]
    for k in range(first, first + steps):
        a, b = ring[k % size, body], ring[(k + 1) % size, body]
        turn = _increment(a.rotation, b.rotation)
        if _jumped(a, b, turn, dt):
            continue
        ax, ay, az = _point_velocity(a, arm)
        bx, by, bz = _point_velocity(b, arm)
        middle = halfway(a.rotation, b.rotation)
        fx, fy, fz = rotate_back(
            middle,
            (
                (bx - ax) / dt - gravity[0],
                (by - ay) / dt - gravity[1],
                (bz - az) / dt - gravity[2],
            ),
        )
        sums[0] += fx
        sums[1] += fy
        sums[2] += fz
        for i in range(3):
            sums[3 + i] += turn[i] / dt
        used += 1
    return used


@compiled
def _increment(a: Array, b: Array) -> Vector:  # pragma: no cover - compiled
    """Return the turn from one attitude to the next as axis times angle, in the body's axes."""
    x, y, z, w = rotation_between(a, b)
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 if sine < 1e-12 else 2.0 * math.atan2(sine, w) / sine
    return scale * x, scale * y, scale * z


@compiled
def _jumped(a: Any, b: Any, turn: Vector, dt: float) -> bool:  # pragma: no cover - compiled
    """Return whether a step is a teleport rather than motion."""
    off = speed_a = speed_b = rate_a = rate_b = turned = 0.0
    for i in range(3):
        off += (b.position[i] - a.position[i]) ** 2
        speed_a += a.velocity[i] ** 2
        speed_b += b.velocity[i] ** 2
        rate_a += a.angular_velocity[i] ** 2
        rate_b += b.angular_velocity[i] ** 2
        turned += turn[i] ** 2
    reach = 1.5 * dt * math.sqrt(max(speed_a, speed_b)) + _JUMP_M
    swing = 1.5 * dt * math.sqrt(max(rate_a, rate_b)) + _JUMP_RAD
    return off > reach * reach or turned > swing * swing


@compiled
def _point_velocity(body: Any, arm: Array) -> Vector:  # pragma: no cover - compiled
    """Return the velocity of a point of the body, in the world's axes."""
    x, y, z = rotate(body.rotation, arm)
    v, w = body.velocity, body.angular_velocity
    return (
        v[0] + w[1] * z - w[2] * y,
        v[1] + w[2] * x - w[0] * z,
        v[2] + w[0] * y - w[1] * x,
    )
