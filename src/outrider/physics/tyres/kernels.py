"""Compiled halves of a tyre's step: where its rays start, and what the hits do to it.

The model. A tyre is a ring of rays in the wheel's plane, in two rows across its width. A ray that
ends inside the radius is a penetration; the deepest of a row, refined by a parabola, presses back
with the tyre's stiffness in series with the ground's, along the mean of all rays inside. Roughness
finer than the mesh brings the ground nearer or farther along each ray. Friction is a bristle in the
contact plane, tyre and ground again in series: it is bent by slip and straightened by rolling, and
gives way on an ellipse of different friction along and across the wheel. It is solved for the slip
at the end of the step, so that neither light wheels nor long steps make it chatter. A belt is a row
of such tyres that turn together.
"""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.address import doubles, stack_memory
from outrider.core.compiled import compiled
from outrider.core.vector_kernels import cross, dot, rotate
from outrider.physics.tyres.data import Record, Records
from outrider.scene.roughness import relief_height

ANGLES = np.radians(
    np.array([-100, -87, -74, -61, *range(-48, 49, 8), 61, 74, 87, 100], dtype=np.float64)
)
RAYS, ROWS = len(ANGLES), 2
_RING_BYTES, _VECTOR_BYTES = 8 * RAYS, 8 * 3
_COS, _SIN = np.cos(ANGLES), np.sin(ANGLES)
_STICTION_SPEED = 0.05  # m/s of slip at which static friction has fallen to the dynamic one
_ROLLING_SPEED = 0.02  # m/s of rolling at which the resistance is fully there
_SOFT_DEPTH = 5e-4  # m of penetration at which damping is fully there
_STEEP = 0.5  # a contact whose normal rises less than this is no ground to drive on
_LEANING = 0.6  # how much of a toppled wheel's axle points up or down: 37 degrees
_LYING = 0.8  # the same, of one that may lie on its side: 53 degrees
_MOST_LIFT = 0.5  # radii that roughness can raise or lower the ground by
FAST = 0.5  # radii in a step: a slower hub is seen by the ring before it is past the surface
DEEP = 0.9  # radii that a pressed tyre can come to in a step: its hub may be past the surface
REACH, ROUGH_REACH = 1.3, 1.3 + _MOST_LIFT  # rays end at this many radii
# how much nearer ground comes along each ray when it rises; rays towards walls feel no roughness
_LIFT = np.where(_COS > 0.4, 1.0 / np.maximum(_COS, 0.4), 0.0)

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.int32]


@compiled
def add_velocity(
    body: Record, point: Floats, sign: float, out: Floats
) -> None:  # pragma: no cover - compiled
    """Add (or take away) the velocity that a body has at a point."""
    w = body.angular_velocity
    x, y, z = (
        point[0] - body.position[0],
        point[1] - body.position[1],
        point[2] - body.position[2],
    )
    out[0] += sign * (body.velocity[0] + w[1] * z - w[2] * y)
    out[1] += sign * (body.velocity[1] + w[2] * x - w[0] * z)
    out[2] += sign * (body.velocity[2] + w[0] * y - w[1] * x)


@compiled
def lies(t: Record) -> bool:  # pragma: no cover - compiled
    """Return whether a wheel has toppled so far that it may lie on its side."""
    return bool(abs(t.axle_world[2]) > _LYING and t.half_width > 0.0)


@compiled
def _may_be_buried(
    t: Record, body: Record, dt: float, velocity: Floats
) -> bool:  # pragma: no cover - compiled
    """Return whether a tyre's hub may be past the surface, or its side on it: its ring is blind."""
    if lies(t):
        return True
    velocity[:] = 0.0
    add_velocity(body, t.hub_world, 1.0, velocity)
    way = math.sqrt(dot(velocity, velocity)) * dt
    return bool(way > FAST * t.radius or t.penetration + way > DEEP * t.radius)


@compiled
def aim(
    tyres: Records,
    bodies: Records,
    reach: float,
    origins: Floats32,
    directions: Floats32,
    far: Floats32,
    dt: float,
) -> int:  # pragma: no cover - compiled
    """Set every tyre's frame and the rays of its ring; return how many may be buried."""
    up = doubles(stack_memory(_VECTOR_BYTES), 3)
    velocity = doubles(stack_memory(_VECTOR_BYTES), 3)
    z = np.array([0.0, 0.0, 1.0])
    buried = 0
    for i in range(tyres.shape[0]):
        t = tyres[i]
        body = bodies[t.body]
        t.hub_world[0], t.hub_world[1], t.hub_world[2] = rotate(body.rotation, t.hub)
        for k in range(3):
            t.hub_world[k] += body.position[k]
        t.axle_world[0], t.axle_world[1], t.axle_world[2] = rotate(body.rotation, t.axle)
        buried += _may_be_buried(t, body, dt, velocity)
        up[0], up[1], up[2] = rotate(bodies[t.base].rotation, z)
        lean = dot(up, t.axle_world)
        for k in range(3):
            t.down[k] = lean * t.axle_world[k] - up[k]
        length = math.sqrt(dot(t.down, t.down))
        if t.down[2] > 0:  # the vehicle lies on its back
            length = -length
        if length == 0.0:
            length = 1.0
        for k in range(3):
            t.down[k] /= length
        t.forward[0], t.forward[1], t.forward[2] = cross(t.down, t.axle_world)
        for row in range(ROWS):
            side = t.half_width * (2 * row - 1) * 0.5
            for a in range(RAYS):
                ray = (i * ROWS + row) * RAYS + a
                far[ray] = t.radius * reach
                for k in range(3):
                    origins[ray, k] = t.hub_world[k] + side * t.axle_world[k]
                    directions[ray, k] = _COS[a] * t.down[k] + _SIN[a] * t.forward[k]
    return buried


@compiled
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


@compiled
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


@compiled
def _read_ring(
    t: Record,
    first: int,
    origins: Floats32,
    directions: Floats32,
    distance: Floats32,
    shape: Ints,
    shapes: Records,
    ground: Records,
    tiles: Floats32,
    depth: Floats,
    tops: Floats,
) -> int:  # pragma: no cover - compiled
    """Find how deep the ground presses into both rows and from where; return the deepest ray.

    ``tops`` is how deep, below 0 where the ground is out of a row's radius, -inf out of reach.
    """
    most_lift = _MOST_LIFT * t.radius
    nx = ny = nz = 0.0
    deepest, best = 0.0, -1
    for row in range(ROWS):
        top, top_depth = 0, -np.inf
        for a in range(RAYS):
            ray = first + row * RAYS + a
            depth[a] = t.radius - distance[ray]
            if shape[ray] < 0:
                continue
            g = ground[shapes[shape[ray]].material]
            if g.amplitude > 0.0:
                x = origins[ray, 0] + distance[ray] * directions[ray, 0]
                y = origins[ray, 1] + distance[ray] * directions[ray, 1]
                lift = g.amplitude * relief_height(tiles, g.tile, x, y)
                depth[a] += _LIFT[a] * min(most_lift, max(-most_lift, lift))
            if depth[a] > top_depth:
                top, top_depth = a, depth[a]
            if depth[a] > 0.0:
                nx -= depth[a] * directions[ray, 0]
                ny -= depth[a] * directions[ray, 1]
                nz -= depth[a] * directions[ray, 2]
            if depth[a] > deepest:
                deepest, best = depth[a], ray
        tops[row] = _peak(depth, top, t.radius) if top_depth > -np.inf else top_depth
        t.row_depth[row] = max(0.0, tops[row])
        if tops[row] > 0.0 and top_depth <= 0.0:  # the ground comes in between two rays
            ray = first + row * RAYS + top
            nx -= tops[row] * directions[ray, 0]
            ny -= tops[row] * directions[ray, 1]
            nz -= tops[row] * directions[ray, 2]
            if best < 0:
                best = ray
    t.normal[0], t.normal[1], t.normal[2] = nx, ny, nz
    return best


@compiled
def _lift_off(t: Record) -> None:  # pragma: no cover - compiled
    """Forget the ground: the tyre is in the air."""
    t.bristle[:] = 0.0
    t.force[:] = 0.0
    t.slip[:] = 0.0
    t.load, t.penetration, t.drag, t.ground, t.mover = 0.0, 0.0, 0.0, -1, -1


@compiled
def _touch(t: Record, size: float) -> None:  # pragma: no cover - compiled
    """Set the contact's point and plane from what the rows felt."""
    for k in range(3):
        t.normal[k] /= size
    total = t.row_depth[0] + t.row_depth[1]
    aside = t.half_width * 0.5 * (t.row_depth[1] - t.row_depth[0]) / total
    t.penetration = total / ROWS
    t.along[0], t.along[1], t.along[2] = cross(t.axle_world, t.normal)
    for k in range(3):
        t.arm[k] = aside * t.axle_world[k] - (t.radius - t.penetration) * t.normal[k]
        t.point[k] = t.hub_world[k] + t.arm[k]


@compiled
def _lean(t: Record, tops: Floats, across: Floats) -> None:  # pragma: no cover - compiled
    """Turn the contact's plane into the ground's under a toppled wheel; set its way across.

    The rows of rays know how much the ground leans; where one sees none it is taken to be level.
    For wheels that stand, the plane holds the axle: one on a kerb's edge, with one row beside it,
    is not pushed off. A load that leans more than friction holds would drive a robot for ever.
    """
    for k in range(3):
        across[k] = t.axle_world[k]
    if abs(t.axle_world[2]) < _LEANING or t.half_width == 0.0:
        return
    rise = (tops[1] - tops[0]) / t.half_width
    if not math.isfinite(rise):
        rise = -t.axle_world[2] / max(t.normal[2], 1e-3)
    length = math.sqrt(1.0 + rise * rise)
    for k in range(3):
        across[k] = (t.axle_world[k] + rise * t.normal[k]) / length
        t.normal[k] = (t.normal[k] - rise * t.axle_world[k]) / length


@compiled
def _lay(t: Record, across: Floats) -> None:  # pragma: no cover - compiled
    """Set the ways along and across of a wheel that lies on its side: its axle stands up."""
    rise = dot(t.forward, t.normal)
    for k in range(3):
        t.along[k] = t.forward[k] - rise * t.normal[k]
    length = math.sqrt(dot(t.along, t.along))
    for k in range(3):
        t.along[k] /= length
    across[0], across[1], across[2] = cross(t.normal, t.along)


@compiled
def _measure_motion(t: Record, bodies: Records, scratch: Floats) -> None:  # pragma: no cover
    """Set the contact's velocity over the ground, without the wheel's spin, and that spin."""
    body = bodies[t.body]
    t.velocity[:] = 0.0
    add_velocity(body, t.point, 1.0, t.velocity)
    t.spin = dot(body.angular_velocity, t.axle_world)
    if t.joint >= 0 and t.belt == 0:
        scratch[0], scratch[1], scratch[2] = cross(t.axle_world, t.arm)
        for k in range(3):
            t.velocity[k] -= t.spin * scratch[k]
    if t.mover >= 0:
        add_velocity(bodies[t.mover], t.point, -1.0, t.velocity)


@compiled
def _press(t: Record, g: Record, dt: float) -> None:  # pragma: no cover - compiled
    """Set the load: the tyre's spring and damper in series with the ground's."""
    stiff = t.stiffness * g.stiffness / (t.stiffness + g.stiffness)
    part_t, part_g = stiff / t.stiffness, stiff / g.stiffness
    damp = t.damping * part_t * part_t + g.damping * part_g * part_g
    damp *= min(1.0, t.penetration / _SOFT_DEPTH)
    slow = damp * dt / t.mass
    load = stiff * t.penetration - damp * dot(t.velocity, t.normal) + slow * t.load
    t.load = max(0.0, load / (1.0 + slow))


@compiled
def _belt_torques(tyres: Records, out: Floats) -> None:  # pragma: no cover - compiled
    """Set, for every joint, the torque that the ground gave a contact of its belt on average."""
    out[:] = 0.0
    for i in range(tyres.shape[0]):
        t = tyres[i]
        if t.belt > 0:
            out[t.joint] += (t.drag - t.roll_radius * t.force[0]) / t.belt


@compiled
def _roll(
    t: Record, g: Record, joints: Records, predicted: Floats, belt_torques: Floats, dt: float
) -> None:  # pragma: no cover - compiled
    """Set how fast it turns, what resists that, and how fast motor and resistance leave it.

    What resists is solved for the speed that motor and friction lead to: a brake that stops the
    wheel leaves nothing to resist, and both together would turn it back in every step.
    """
    last_drag, own = t.drag, t.drag - t.roll_radius * t.force[0]
    compressed = t.penetration * g.stiffness / (t.stiffness + g.stiffness)  # the rest is sinkage
    t.roll_radius = t.radius - compressed / 3  # between the loaded and the free radius
    t.rolling, t.turning, t.drag = 0.0, 0.0, 0.0
    if t.joint < 0:
        return
    joint_speed = joints[t.joint].velocity
    t.rolling = joint_speed if t.belt > 0 else t.spin
    driven = t.rolling + predicted[t.joint] - joint_speed
    ground = belt_torques[t.joint] if t.belt > 0 else own  # with the whole belt, not as if alone
    light = dt / t.spin_inertia
    most = g.rolling_resistance * t.rolling_resistance * t.load * t.roll_radius
    slope = most * t.roll_radius / _ROLLING_SPEED
    drag = -slope * (driven + light * (ground - last_drag)) / (1.0 + slope * light)
    t.drag = min(most, max(-most, drag))
    # of friction a wheel will feel what is solved for, a belt what all its others feel
    t.turning = driven + light * (t.drag + ground - own)


@compiled
def _shear(t: Record, g: Record, across: Floats, dt: float) -> None:  # pragma: no cover - compiled
    """Bend the bristles by the slip, and set the friction they hold with."""
    stiff = t.bristle_stiffness * g.shear_stiffness / (t.bristle_stiffness + g.shear_stiffness)
    damp = t.bristle_damping * math.sqrt(stiff / t.bristle_stiffness)  # of the same ratio
    keep = 1.0 / (1.0 + dt * abs(t.rolling) * t.roll_radius / t.relaxation_length)
    hold = stiff * keep
    ease = (hold * dt + damp) * dt
    light_l = 1.0 / t.mass
    light_t = light_l
    if t.joint >= 0:
        light_t += t.roll_radius * t.roll_radius / t.spin_inertia
    # the slip there would be without friction: what held in the last step is taken off
    slip_t = dot(t.velocity, t.along) - t.turning * t.roll_radius - dt * t.force[0] * light_l
    slip_l = dot(t.velocity, across) - dt * t.force[1] * light_l
    pull_t = hold * t.bristle[0] + ease / dt * slip_t
    pull_l = hold * t.bristle[1] + ease / dt * slip_l
    soft_t, soft_l = ease * light_t, ease * g.lateral_ratio * light_l
    limit = _grip(t, g, slip_t * slip_t + slip_l * slip_l)
    share = _give_way(pull_t, pull_l, soft_t, soft_l, limit)
    bent_t = share * pull_t / (1 + soft_t * share)
    bent_l = share * pull_l / (1 + soft_l * share)
    t.force[0], t.force[1] = -bent_t, -g.lateral_ratio * bent_l
    t.slip[0] = slip_t + dt * light_t * t.force[0]
    t.slip[1] = slip_l + dt * light_l * t.force[1]
    if share == 1.0:
        t.bristle[0] = keep * (t.bristle[0] + dt * t.slip[0])
        t.bristle[1] = keep * (t.bristle[1] + dt * t.slip[1])
    else:
        t.bristle[0] = bent_t / stiff
        t.bristle[1] = bent_l / stiff


@compiled
def _grip(t: Record, g: Record, slip_squared: float) -> float:  # pragma: no cover - compiled
    """Return the most that friction holds along the wheel: more at rest than in a slide."""
    rest = math.exp(-slip_squared / (_STICTION_SPEED * _STICTION_SPEED))
    return g.friction * t.friction * t.load * (1.0 + (g.static_ratio - 1.0) * rest)  # type: ignore[no-any-return]


@compiled
def _add_force(
    load: Record, body: Record, force: Floats, point: Floats, sign: float
) -> None:  # pragma: no cover - compiled
    """Add a force at a point (or its reaction) to a body's load."""
    x, y, z = (
        point[0] - body.position[0],
        point[1] - body.position[1],
        point[2] - body.position[2],
    )
    for k in range(3):
        load.force[k] += sign * force[k]
    load.torque[0] += sign * (y * force[2] - z * force[1])
    load.torque[1] += sign * (z * force[0] - x * force[2])
    load.torque[2] += sign * (x * force[1] - y * force[0])


@compiled
def _push(
    t: Record,
    bodies: Records,
    body_loads: Records,
    joint_loads: Floats,
    across: Floats,
    force: Floats,
) -> None:  # pragma: no cover - compiled
    """Add the tyre's force to what carries it, and the reaction to what it stands on."""
    for k in range(3):
        force[k] = t.load * t.normal[k] + t.force[0] * t.along[k] + t.force[1] * across[k]
    _add_force(body_loads[t.body], bodies[t.body], force, t.point, 1.0)
    if t.mover >= 0:
        _add_force(body_loads[t.mover], bodies[t.mover], force, t.point, -1.0)
    if t.joint < 0:
        return
    spin_torque = t.drag - t.roll_radius * t.force[0]
    if t.belt > 0:
        joint_loads[t.joint] += spin_torque
        return
    # about its axle a wheel feels friction at its rolling radius, not at the contact's distance
    ax, ay, az = t.axle_world[0], t.axle_world[1], t.axle_world[2]
    spin_torque -= (
        ax * (t.arm[1] * force[2] - t.arm[2] * force[1])
        + ay * (t.arm[2] * force[0] - t.arm[0] * force[2])
        + az * (t.arm[0] * force[1] - t.arm[1] * force[0])
    )
    for k in range(3):
        body_loads[t.body].torque[k] += spin_torque * t.axle_world[k]


@compiled
def bumps(t: Record) -> bool:  # pragma: no cover - compiled
    """Tell whether a tyre is pressed against something steep."""
    pressed: bool = t.ground >= 0 and t.load > 0.0 and t.normal[2] < _STEEP
    return pressed


@compiled
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
    shapes: Records,
    ground: Records,
    tiles: Floats32,
    deep_shape: Ints,
    deep_depth: Floats,
    deep_normal: Floats,
    dt: float,
) -> None:  # pragma: no cover - compiled
    """Turn the hits of every ring into forces, and add them to the loads."""
    depth = doubles(stack_memory(_RING_BYTES), RAYS)
    scratch = doubles(stack_memory(_VECTOR_BYTES), 3)
    across = doubles(stack_memory(_VECTOR_BYTES), 3)
    tops = doubles(stack_memory(_VECTOR_BYTES), 3)
    belt_torques = np.empty(len(predicted))
    _belt_torques(tyres, belt_torques)
    for i in range(tyres.shape[0]):
        t = tyres[i]
        best = _read_ring(
            t=t,
            first=i * ROWS * RAYS,
            origins=origins,
            directions=directions,
            distance=distance,
            shape=shape,
            shapes=shapes,
            ground=ground,
            tiles=tiles,
            depth=depth,
            tops=tops,
        )
        touched = shape[best] if best >= 0 else -1
        if deep_shape[i] >= 0:  # its hub is past the surface: the ring sees it from behind
            touched = deep_shape[i]
            for k in range(3):
                t.normal[k] = deep_normal[i, k]
            t.row_depth[0] = t.row_depth[1] = tops[0] = tops[1] = deep_depth[i]
        size = math.sqrt(dot(t.normal, t.normal))
        if touched < 0 or size == 0.0:
            _lift_off(t)
            continue
        t.ground, t.mover = touched, shapes[touched].body
        g = ground[shapes[touched].material]
        _touch(t, size)
        if deep_shape[i] >= 0 and lies(t):
            _lay(t, across)
        else:
            _lean(t, tops, across)
        _measure_motion(t, bodies, scratch)
        _press(t, g, dt)
        _roll(t, g, joints, predicted, belt_torques, dt)
        _shear(t, g, across, dt)
        _push(t, bodies, body_loads, joint_loads, across, scratch)
