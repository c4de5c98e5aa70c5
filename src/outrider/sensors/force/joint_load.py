"""The force and torque in a joint, by the balance of all that it carries.

What a joint passes on is the change of momentum of the parts beyond it, less their weight and what
pushes them from outside: contacts, tyres and other loads. So fixed joints, which engines do not
have, are felt like movable ones.
"""

from typing import Any

import numpy as np

from outrider.core.compiled import compiled
from outrider.core.errors import ConfigError
from outrider.core.frames import AnyArray, Array
from outrider.core.vector_kernels import Row, Vector, cross, halfway, multiply, rotate, rotate_back
from outrider.physics.engine import ContactRows
from outrider.sensors.force.parts import carried
from outrider.sensors.site import Site


class JointLoad:
    """Measures the mean over the last step at a sensor on the carried side of a joint."""

    def __init__(self, site: Site) -> None:
        if site.engine is None or not site.link:
            raise ConfigError(f"sensor '{site.name}' measures in a joint: mount it on a robot")
        try:
            held = carried(site.scene.assembly, site.link)
        except ConfigError as error:
            raise ConfigError(f"sensor '{site.name}': link: {error}") from None
        site.engine.loads.keep()
        site.engine.watch_forces = True
        self._site = site
        self._engine = site.engine
        self._parts = held.parts
        self._names = held.names
        self._whole = np.zeros(len(site.scene.assembly.bodies) + 1, np.bool_)  # the last: the world
        self._whole[held.parts["body"][held.parts["whole"] == 1]] = True
        self._gravity = np.array(site.world.gravity)
        self._nothing = np.zeros_like(site.engine.loads.bodies)

    def measure(self) -> Array:
        """Return N (3) and N m (3) of what is carried on what carries it, in the sensor's frame."""
        past = self._site.history.past
        newest = past.first + past.count - 1
        origin, turn = np.zeros(3), np.zeros(4)
        wrench = np.zeros(6)  # on what is carried, about the sensor, in the world's axes
        size, mount = len(past.bodies), self._site.T_body_sensor
        before = past.bodies[(newest - min(1, past.count - 1)) % size]
        after = past.bodies[newest % size]
        stand(before, after, self._site.body, mount.position, mount.rotation, origin, turn)
        last = self._engine.loads.last
        balance(
            self._parts,
            before,
            after,
            self._nothing if last is None else last,
            self._site.step_ns * 1e-9,
            self._gravity,
            origin,
            wrench,
        )
        wrench -= self._touched(self._engine.contact_rows(), origin)
        return np.array([*rotate_back(turn, -wrench[:3]), *rotate_back(turn, -wrench[3:])])

    def _touched(self, rows: ContactRows, origin: Array) -> Array:
        """Return what contacts do to the parts, about the sensor."""
        if rows.wrenches is None or not len(rows):
            return np.zeros(6)
        named = np.array([name in self._names for name in rows.table], np.bool_)
        ours = self._whole[rows.bodies] | named[rows.names]
        signs = ours[:, 1].astype(np.float64) - ours[:, 0]
        forces = rows.wrenches[:, :3]
        torques = rows.wrenches[:, 3:] + np.cross(rows.points - origin, forces)
        return signs @ np.column_stack([forces, torques])


@compiled
def stand(
    before: AnyArray,
    after: AnyArray,
    body: int,
    arm: Array,
    mount: Array,
    origin: Array,
    turn: Array,
) -> None:  # pragma: no cover - compiled
    """Write where the sensor was in the middle of a step."""
    a, b = before[body], after[body]
    middle = halfway(a.rotation, b.rotation)
    reach = rotate(middle, arm)
    for i in range(3):
        origin[i] = (a.position[i] + b.position[i]) / 2 + reach[i]
    turned = multiply(middle, mount)
    for i in range(4):
        turn[i] = turned[i]


@compiled
def balance(
    parts: AnyArray,
    before: AnyArray,
    after: AnyArray,
    loads: AnyArray,
    dt: float,
    gravity: Array,
    origin: Array,
    wrench: Array,
) -> None:  # pragma: no cover - compiled
    """Add what each part needs to move as it did in a step, apart from its weight and loads."""
    for k in range(parts.shape[0]):
        part = parts[k]
        a, b, load = before[part.body], after[part.body], loads[part.body]
        arm_a, arm_b = rotate(a.rotation, part.centre), rotate(b.rotation, part.centre)
        swing_a, swing_b = cross(a.angular_velocity, arm_a), cross(b.angular_velocity, arm_b)
        spin_a, spin_b = _spin(part.inertia, a), _spin(part.inertia, b)
        force, at, place = np.zeros(3), np.zeros(3), np.zeros(3)
        for i in range(3):
            change = b.velocity[i] + swing_b[i] - a.velocity[i] - swing_a[i]
            force[i] = part.mass * (change / dt - gravity[i])
            place[i] = (a.position[i] + b.position[i]) / 2 - origin[i]
            at[i] = place[i] + (arm_a[i] + arm_b[i]) / 2
        _add(wrench, force, at)
        for i in range(3):
            wrench[3 + i] += (spin_b[i] - spin_a[i]) / dt
            if part.whole:
                force[i] = -load.force[i]
                wrench[3 + i] -= load.torque[i]
        if part.whole:
            _add(wrench, force, place)


@compiled
def _add(wrench: Array, force: Row, arm: Row) -> None:  # pragma: no cover - compiled
    """Add a force at the end of an arm."""
    torque = cross(arm, force)
    for i in range(3):
        wrench[i] += force[i]
        wrench[3 + i] += torque[i]


@compiled
def _spin(inertia: Array, body: Any) -> Vector:  # pragma: no cover - compiled
    """Return the angular momentum about the centre of mass, in the world's axes."""
    w = rotate_back(body.rotation, body.angular_velocity)
    own = (
        inertia[0, 0] * w[0] + inertia[0, 1] * w[1] + inertia[0, 2] * w[2],
        inertia[1, 0] * w[0] + inertia[1, 1] * w[1] + inertia[1, 2] * w[2],
        inertia[2, 0] * w[0] + inertia[2, 1] * w[1] + inertia[2, 2] * w[2],
    )
    return rotate(body.rotation, own)
