"""Compiled halves of a tyre's step: where its rays start, and what the hits do to it.

The model. A tyre is a ring of rays in the wheel's plane, in two rows across its width. A ray that
ends inside the radius is a penetration; the deepest of a row, refined by a parabola, presses back
with the tyre's stiffness in series with the ground's, along the mean of all rays inside. Friction
is a bristle in the contact plane: it is bent by slip and straightened by rolling, and gives way on
an ellipse of different friction along and across the wheel. It is solved for the slip at the end
of the step, so that neither light wheels nor long steps make it chatter.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from outrider.physics.roughness import CELLS, SIDE
from outrider.physics.tyre_data import Records

ANGLES = np.radians(
    np.array([-100, -87, -74, -61, *range(-48, 49, 8), 61, 74, 87, 100], dtype=np.float64)
)
RAYS, ROWS = len(ANGLES), 2
_COS, _SIN = np.cos(ANGLES), np.sin(ANGLES)
_CELLS_PER_M = CELLS / SIDE
_STICTION_SPEED = 0.05  # m/s of slip at which static friction has fallen to the dynamic one
_ROLLING_SPEED = 0.02  # m/s of rolling at which the resistance is fully there
_SOFT_DEPTH = 5e-4  # m of penetration at which damping is fully there
_REACH = 1.3  # rays end at this many radii

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.int32]


@njit(cache=True, inline="always")
def _turn(q: Floats, v: Floats, out: Floats) -> None:
    """Rotate ``v`` by the quaternion x y z w."""
    tx = 2 * (q[1] * v[2] - q[2] * v[1])
    ty = 2 * (q[2] * v[0] - q[0] * v[2])
    tz = 2 * (q[0] * v[1] - q[1] * v[0])
    out[0] = v[0] + q[3] * tx + q[1] * tz - q[2] * ty
    out[1] = v[1] + q[3] * ty + q[2] * tx - q[0] * tz
    out[2] = v[2] + q[3] * tz + q[0] * ty - q[1] * tx


@njit(cache=True, inline="always")
def _cross(a: Floats, b: Floats, out: Floats) -> None:
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@njit(cache=True, inline="always")
def _dot(a: Floats, b: Floats) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]  # type: ignore[no-any-return]


@njit(cache=True)
def aim(
    tyres: Records, bodies: Records, origins: Floats32, directions: Floats32, far: Floats32
) -> None:  # pragma: no cover - compiled
    """Set every tyre's frame and the rays of its ring."""
    up = np.empty(3)
    z = np.array([0.0, 0.0, 1.0])
    for i in range(tyres.shape[0]):
        t = tyres[i]
        body = bodies[t.body]
        _turn(body.rotation, t.hub, t.hub_world)
        for k in range(3):
            t.hub_world[k] += body.position[k]
        _turn(body.rotation, t.axle, t.axle_world)
        _turn(bodies[t.base].rotation, z, up)
        lean = _dot(up, t.axle_world)
        for k in range(3):
            t.down[k] = lean * t.axle_world[k] - up[k]
        length = math.sqrt(_dot(t.down, t.down))
        if t.down[2] > 0:  # the vehicle lies on its back
            length = -length
        if length == 0.0:
            length = 1.0
        for k in range(3):
            t.down[k] /= length
        _cross(t.down, t.axle_world, t.forward)
        for row in range(ROWS):
            side = t.half_width * (2 * row - 1) * 0.5
            for a in range(RAYS):
                ray = (i * ROWS + row) * RAYS + a
                far[ray] = t.radius * _REACH
                for k in range(3):
                    origins[ray, k] = t.hub_world[k] + side * t.axle_world[k]
                    directions[ray, k] = _COS[a] * t.down[k] + _SIN[a] * t.forward[k]


@njit(cache=True)
def near_movers(
    tyres: Records, bodies: Records, movers: Records
) -> int:  # pragma: no cover - compiled
    """Mark the moving parts that a tyre might touch; return how many there are."""
    count = 0
    centre = np.empty(3)
    for m in range(movers.shape[0]):
        part = movers[m]
        part.near = 0
        _turn(bodies[part.body].rotation, part.centre, centre)
        for k in range(3):
            centre[k] += bodies[part.body].position[k]
        for i in range(tyres.shape[0]):
            t = tyres[i]
            if t.model == part.model:
                continue
            reach = part.radius + t.radius * _REACH
            x = t.hub_world[0] - centre[0]
            y = t.hub_world[1] - centre[1]
            z = t.hub_world[2] - centre[2]
            if x * x + y * y + z * z < reach * reach:
                part.near = 1
                count += 1
                break
    return count


@njit(cache=True, inline="always")
def _rough(tiles: Floats32, tile: int, x: float, y: float) -> float:
    """Return the tile's height at a place, linear between its cells, repeating for ever."""
    fx = (x % SIDE) * _CELLS_PER_M
    fy = (y % SIDE) * _CELLS_PER_M
    i, j = int(fx), int(fy)
    u, v = fx - i, fy - j
    i, j = i % CELLS, j % CELLS
    i1, j1 = (i + 1) % CELLS, (j + 1) % CELLS
    return (  # type: ignore[no-any-return]
        (1 - u) * ((1 - v) * tiles[tile, i, j] + v * tiles[tile, i, j1])
        + u * ((1 - v) * tiles[tile, i1, j] + v * tiles[tile, i1, j1])
    )


@njit(cache=True, inline="always")
def _peak(depth: Floats, k: int, radius: float) -> float:
    """Return the depth between rays, from a parabola through the deepest ray and its neighbours."""
    if k == 0 or k == RAYS - 1:
        return depth[k]  # type: ignore[no-any-return]
    left, right = ANGLES[k] - ANGLES[k - 1], ANGLES[k + 1] - ANGLES[k]
    down_left = (depth[k] - depth[k - 1]) / left
    down_right = (depth[k] - depth[k + 1]) / right
    bend = (down_left + down_right) / (left + right)
    slope = (down_left * right - down_right * left) / (left + right)
    if bend <= 0.0:
        return depth[k]  # type: ignore[no-any-return]
    most = radius * 0.125 * max(left, right) ** 2  # what a flat ground could add at most
    return depth[k] + min(slope * slope / (4 * bend), most)  # type: ignore[no-any-return]


@njit(cache=True, inline="always")
def _give_way(pull_t: float, pull_l: float, soft_t: float, soft_l: float, limit: float) -> float:
    """Return the share of the bristles that holds: 1 sticks, less slides, on the limit exactly.

    The bent bristle is pull / (1 + soft * share) in each direction, because friction itself slows
    the slip that bends it. Newton's steps from below rise to the root without overshoot.
    """
    stick_t, stick_l = pull_t / (1 + soft_t), pull_l / (1 + soft_l)
    if stick_t * stick_t + stick_l * stick_l <= limit * limit:
        return 1.0
    share = limit / math.sqrt(pull_t * pull_t + pull_l * pull_l)
    for _ in range(6):
        a, b = 1 + soft_t * share, 1 + soft_l * share
        u, v = pull_t / a, pull_l / b
        size = math.sqrt(u * u + v * v)
        rise = (u * u / a + v * v / b) / size
        share += (limit - share * size) / rise
    return share


@njit(cache=True)
def feel(
    tyres: Records,
    bodies: Records,
    joints: Records,
    predicted: Floats,
    body_loads: Records,
    joint_loads: Floats,
    origins: Floats32,
    directions: Floats32,
    distance: Floats32,
    shape: Ints,
    shape_material: Ints,
    shape_body: Ints,
    ground: Records,
    tiles: Floats32,
    dt: float,
) -> None:  # pragma: no cover - compiled
    """Turn the hits of every ring into forces, and add them to the loads."""
    depth = np.empty(RAYS)
    normal, along, arm, moved = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    force, torque = np.empty(3), np.empty(3)
    pressed = np.empty(ROWS)
    for i in range(tyres.shape[0]):
        t = tyres[i]
        normal[:] = 0.0
        deepest, best = 0.0, -1
        for row in range(ROWS):
            first = (i * ROWS + row) * RAYS
            top, top_depth = 0, -1.0
            for a in range(RAYS):
                ray = first + a
                depth[a] = t.radius - distance[ray]
                if shape[ray] >= 0:
                    g = ground[shape_material[shape[ray]]]
                    if g.amplitude > 0.0:
                        x = origins[ray, 0] + distance[ray] * directions[ray, 0]
                        y = origins[ray, 1] + distance[ray] * directions[ray, 1]
                        lift = g.amplitude * _rough(tiles, g.tile, x, y)
                        depth[a] += lift * max(_COS[a], 0.2)
                    if depth[a] > top_depth:
                        top, top_depth = a, depth[a]
                    if depth[a] > 0.0:
                        for k in range(3):
                            normal[k] -= depth[a] * directions[ray, k]
                    if depth[a] > deepest:
                        deepest, best = depth[a], ray
            pressed[row] = _peak(depth, top, t.radius) if top_depth > 0.0 else 0.0
        size = math.sqrt(_dot(normal, normal))
        if best < 0 or size == 0.0:
            t.bristle[:] = 0.0
            t.force[:] = 0.0
            t.slip[:] = 0.0
            t.load, t.penetration, t.ground, t.mover = 0.0, 0.0, -1, -1
            continue
        for k in range(3):
            normal[k] /= size
        total = 0.0
        for row in range(ROWS):
            total += pressed[row]
        side = t.half_width * 0.5 * (pressed[1] - pressed[0]) / total
        mean_depth = total / ROWS
        t.ground, t.penetration = shape[best], mean_depth
        t.mover = shape_body[shape[best]]
        g = ground[shape_material[shape[best]]]
        _cross(t.axle_world, normal, along)
        body = bodies[t.body]

        # velocity of the tyre over the ground, without its spin
        for k in range(3):
            arm[k] = side * t.axle_world[k] - (t.radius - mean_depth) * normal[k]
            t.point[k] = t.hub_world[k] + arm[k]
            t.normal[k] = normal[k]
        spin = _dot(body.angular_velocity, t.axle_world)
        if t.joint >= 0 and t.belt == 0:
            for k in range(3):
                force[k] = body.angular_velocity[k] - spin * t.axle_world[k]
        else:
            for k in range(3):
                force[k] = body.angular_velocity[k]
        _cross(force, arm, moved)
        for k in range(3):
            force[k] = t.hub_world[k] - body.position[k]
        _cross(body.angular_velocity, force, torque)
        for k in range(3):
            moved[k] += body.velocity[k] + torque[k]
        if t.mover >= 0:
            plate = bodies[t.mover]
            for k in range(3):
                force[k] = t.point[k] - plate.position[k]
            _cross(plate.angular_velocity, force, torque)
            for k in range(3):
                moved[k] -= plate.velocity[k] + torque[k]

        # pressing
        stiff = t.stiffness * g.stiffness / (t.stiffness + g.stiffness)
        part_t, part_g = stiff / t.stiffness, stiff / g.stiffness
        damp = t.damping * part_t * part_t + g.damping * part_g * part_g
        damp *= min(1.0, mean_depth / _SOFT_DEPTH)
        slow = damp * dt / t.mass
        load = stiff * mean_depth - damp * _dot(moved, normal) + slow * t.load
        load = max(0.0, load / (1.0 + slow))

        # rolling: how fast it turns now, and would turn after the motor's torque alone
        roll_radius = t.radius - mean_depth / 3  # between the loaded and the free radius
        rolling, turning, drag = 0.0, 0.0, 0.0
        if t.joint >= 0:
            rolling = joints[t.joint].velocity if t.belt == 1 else spin
            turning = rolling + predicted[t.joint] - joints[t.joint].velocity
            most = g.rolling_resistance * t.rolling_resistance * load * roll_radius
            hard = most * roll_radius / _ROLLING_SPEED
            drag = -hard * rolling / (1.0 + hard * dt / t.spin_inertia)
            drag = min(most, max(-most, drag))
            turning += drag * dt / t.spin_inertia

        # shearing
        keep = 1.0 / (1.0 + dt * abs(rolling) * roll_radius / t.relaxation_length)
        ease = (t.bristle_stiffness * keep * dt + t.bristle_damping) * dt
        light = 1.0 / t.mass
        if t.joint >= 0:
            light += roll_radius * roll_radius / t.spin_inertia
        ratio = g.lateral_ratio
        slip_t = _dot(moved, along) - turning * roll_radius - dt * t.force[0] / t.mass
        slip_l = _dot(moved, t.axle_world) - dt * t.force[1] / t.mass
        hold = t.bristle_stiffness * keep
        pull_t = hold * t.bristle[0] + ease / dt * slip_t
        pull_l = hold * t.bristle[1] + ease / dt * slip_l
        soft_t, soft_l = ease * light, ease * ratio / t.mass
        quick = (slip_t * slip_t + slip_l * slip_l) / (_STICTION_SPEED * _STICTION_SPEED)
        limit = g.friction * t.friction * load * (1.0 + (g.static_ratio - 1.0) * math.exp(-quick))
        share = _give_way(pull_t, pull_l, soft_t, soft_l, limit)
        bent_t = share * pull_t / (1 + soft_t * share)
        bent_l = share * pull_l / (1 + soft_l * share)
        force_t, force_l = -bent_t, -ratio * bent_l
        t.slip[0] = slip_t + dt * light * force_t
        t.slip[1] = slip_l + dt * force_l / t.mass
        if share == 1.0:
            t.bristle[0] = keep * (t.bristle[0] + dt * t.slip[0])
            t.bristle[1] = keep * (t.bristle[1] + dt * t.slip[1])
        else:
            t.bristle[0] = bent_t / t.bristle_stiffness
            t.bristle[1] = bent_l / t.bristle_stiffness
        t.force[0], t.force[1], t.load = force_t, force_l, load

        # onto the bodies
        for k in range(3):
            force[k] = load * normal[k] + force_t * along[k] + force_l * t.axle_world[k]
        _cross(arm, force, torque)
        if t.joint >= 0 and t.belt == 0:
            wrong = _dot(torque, t.axle_world)
            for k in range(3):
                torque[k] += (drag - roll_radius * force_t - wrong) * t.axle_world[k]
        elif t.joint >= 0:
            joint_loads[t.joint] += drag - roll_radius * force_t
        onto = body_loads[t.body]
        for k in range(3):
            onto.force[k] += force[k]
            onto.torque[k] += torque[k]
            moved[k] = t.hub_world[k] - body.position[k]
        _cross(moved, force, torque)
        for k in range(3):
            onto.torque[k] += torque[k]
        if t.mover >= 0:
            plate_load = body_loads[t.mover]
            for k in range(3):
                moved[k] = t.point[k] - bodies[t.mover].position[k]
            _cross(moved, force, torque)
            for k in range(3):
                plate_load.force[k] -= force[k]
                plate_load.torque[k] -= torque[k]
