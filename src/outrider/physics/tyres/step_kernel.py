"""A step of all tyres in one compiled call: their rays, what these hit, and the forces."""

import numpy as np
from numba import carray

from outrider.core.address import doubles, floats, half_words, pointer
from outrider.core.compiled import compiled, compiled_part
from outrider.core.packed_arrays import bundle_type
from outrider.physics.tyres.data import GROUND, MOVER, SHAPE, TYRE, Record
from outrider.physics.tyres.kernels import aim, bumps, feel
from outrider.physics.tyres.near_movers import near_movers as find_near
from outrider.scene.embree_kernels import ROWS, Query, intersect_packets
from outrider.world.state import BODY, JOINT, LOAD

TYRE_STEP = bundle_type(
    arrays="tyres bodies joints predicted body_loads joint_loads origins directions distance shape"
    " shapes ground tiles deep_shape deep_depth deep_normal movers vehicles order starts masks"
    " memory",
    integers="cells function scene manner lanes",
    numbers="reach dt",
)
BURIED, NOT_CAST, NEAR_MOVERS = 1, 2, 4  # what Python has to look at before the tyres feel
BUMPED = 8  # they have felt, and one is pressed against something steep


@compiled_part
def _look(c: Record) -> int:  # pragma: no cover - compiled
    """Aim the rays and cast them into what never moves; return what is left to look at."""
    tyres = carray(pointer(c.tyres.at), c.tyres.rows, TYRE)
    bodies = carray(pointer(c.bodies.at), c.bodies.rows, BODY)
    rays = c.origins.rows
    origins = floats(c.origins.at, (rays, 3))
    directions = floats(c.directions.at, (rays, 3))
    distance = floats(c.distance.at, rays)
    left = 0
    if aim(tyres, bodies, c.reach, origins, directions, distance, c.dt):
        left |= BURIED
    else:
        half_words(c.deep_shape.at, c.tyres.rows)[:] = -1
    if c.function:
        intersect_packets(
            Query(c.function, c.scene, c.manner, c.lanes),
            order=half_words(c.order.at, c.order.rows),
            starts=half_words(c.starts.at, c.starts.rows),
            masks=half_words(c.masks.at, (c.masks.rows, c.lanes)),
            numbers=floats(c.memory.at, (ROWS, c.lanes)),
            words=carray(pointer(c.memory.at), (ROWS, c.lanes), np.uint32),
            origins=origins,
            directions=directions,
            far=distance,
            shape=half_words(c.shape.at, rays),
        )
    else:
        left |= NOT_CAST
    vehicles = half_words(c.vehicles.at, (c.vehicles.rows, 3))
    movers = carray(pointer(c.movers.at), c.movers.rows, MOVER)
    if c.movers.rows and find_near(tyres, vehicles, bodies, movers, c.reach):
        left |= NEAR_MOVERS
    return left


@compiled_part
def _feel(c: Record) -> int:  # pragma: no cover - compiled
    """Turn the hits into forces; return whether one is BUMPED."""
    tyres, rays = c.tyres.rows, c.origins.rows
    rows = carray(pointer(c.tyres.at), tyres, TYRE)
    feel(
        tyres=rows,
        bodies=carray(pointer(c.bodies.at), c.bodies.rows, BODY),
        joints=carray(pointer(c.joints.at), c.joints.rows, JOINT),
        predicted=doubles(c.predicted.at, c.predicted.rows),
        body_loads=carray(pointer(c.body_loads.at), c.body_loads.rows, LOAD),
        joint_loads=doubles(c.joint_loads.at, c.joint_loads.rows),
        origins=floats(c.origins.at, (rays, 3)),
        directions=floats(c.directions.at, (rays, 3)),
        distance=floats(c.distance.at, rays),
        shape=half_words(c.shape.at, rays),
        shapes=carray(pointer(c.shapes.at), c.shapes.rows, SHAPE),
        ground=carray(pointer(c.ground.at), c.ground.rows, GROUND),
        tiles=floats(c.tiles.at, (c.tiles.rows, c.cells, c.cells)),
        deep_shape=half_words(c.deep_shape.at, tyres),
        deep_depth=doubles(c.deep_depth.at, tyres),
        deep_normal=doubles(c.deep_normal.at, (tyres, 3)),
        dt=c.dt,
    )
    for i in range(tyres):
        if bumps(rows[i]):
            return BUMPED
    return 0


@compiled
def tyre_step(address: int, looked: bool, left: int) -> int:  # pragma: no cover - compiled
    """Take the address of a TYRE_STEP; look, unless that is done, and feel if nothing is left.

    ``left`` is to be looked at in any case.
    Return what is left to be looked at, if nothing was felt, or whether a tyre is BUMPED.
    """
    c = carray(pointer(address), 1, TYRE_STEP)[0]
    if not looked:
        left |= _look(c)
    return left if left else _feel(c)
