"""A step in which nothing touches, in one compiled call: loads, MuJoCo's two halves, the state."""

from numba import carray

from outrider.core.address import call, doubles, half_words, pointer, words
from outrider.core.compiled import compiled, compiled_part
from outrider.core.packed_arrays import bundle_type
from outrider.physics.mujoco.sleeping import SLEEPER, count_slow
from outrider.physics.mujoco.transfer import (
    ROW,
    carry_scripted,
    pushes_sleepers,
    read_scripted,
    read_state,
    write_loads,
)
from outrider.physics.mujoco.tumbling import tumbles
from outrider.physics.tyres.data import Record
from outrider.world.state import BODY, JOINT, LOAD

ENGINE_STEP = bundle_type(
    arrays="rows body_loads joint_loads bodies joints xpos xipos xquat cvel subtree_com root_id"
    " qpos qvel xfrc qfrc awake scripted mocap_pos mocap_quat twists sleepers tree_asleep lengths"
    " still tick jointed",
    integers="model data first_half second_half needed",
    numbers="dt",
)


@compiled_part
def _load(c: Record) -> bool:  # pragma: no cover - compiled
    """Hand the loads over, unless there is one on what is asleep or a robot tumbles."""
    n = c.xpos.rows
    bodies = carray(pointer(c.bodies.at), c.bodies.rows, BODY)
    if tumbles(half_words(c.jointed.at, c.jointed.rows), bodies, c.dt):
        return False
    rows = carray(pointer(c.rows.at), c.rows.rows, ROW)
    loads = carray(pointer(c.body_loads.at), c.body_loads.rows, LOAD)
    awake = half_words(c.awake.at, n)
    if pushes_sleepers(rows, loads, awake):
        return False
    write_loads(
        rows,
        loads,
        doubles(c.joint_loads.at, c.joint_loads.rows),
        carray(pointer(c.joints.at), c.joints.rows, JOINT),
        doubles(c.xpos.at, (n, 3)),
        doubles(c.xipos.at, (n, 3)),
        doubles(c.xfrc.at, (n, 6)),
        doubles(c.qfrc.at, c.qfrc.rows),
        awake,
    )
    return True


@compiled_part
def _between(c: Record) -> None:  # pragma: no cover - compiled
    """Do what belongs between two steps: count who is slow, move what is scripted."""
    count_slow(
        carray(pointer(c.sleepers.at), c.sleepers.rows, SLEEPER),
        half_words(c.tree_asleep.at, c.tree_asleep.rows),
        doubles(c.qvel.at, c.qvel.rows),
        doubles(c.lengths.at, c.lengths.rows),
        doubles(c.xfrc.at, (c.xfrc.rows, 6)),
        half_words(c.still.at, c.still.rows),
        c.needed,
    )
    if c.scripted.rows:
        carry_scripted(
            half_words(c.scripted.at, (c.scripted.rows, 2)),
            doubles(c.mocap_pos.at, (c.mocap_pos.rows, 3)),
            doubles(c.mocap_quat.at, (c.mocap_quat.rows, 4)),
            doubles(c.twists.at, (c.twists.rows, 6)),
            c.dt,
        )
    words(c.tick.at, 1)[0] += 1


@compiled_part
def _read(c: Record) -> None:  # pragma: no cover - compiled
    """Copy the state of what is awake."""
    n = c.xpos.rows
    bodies = carray(pointer(c.bodies.at), c.bodies.rows, BODY)
    read_state(
        False,
        carray(pointer(c.rows.at), c.rows.rows, ROW),
        doubles(c.xpos.at, (n, 3)),
        doubles(c.xquat.at, (n, 4)),
        doubles(c.cvel.at, (n, 6)),
        doubles(c.subtree_com.at, (n, 3)),
        half_words(c.root_id.at, n),
        doubles(c.qpos.at, c.qpos.rows),
        doubles(c.qvel.at, c.qvel.rows),
        half_words(c.awake.at, n),
        bodies,
        carray(pointer(c.joints.at), c.joints.rows, JOINT),
    )
    if c.scripted.rows:
        read_scripted(
            half_words(c.scripted.at, (c.scripted.rows, 2)),
            doubles(c.twists.at, (c.twists.rows, 6)),
            bodies,
        )


@compiled
def engine_step(address: int) -> bool:  # pragma: no cover - compiled
    """Take the address of an ENGINE_STEP; return False for a step to be taken in parts."""
    c = carray(pointer(address), 1, ENGINE_STEP)[0]
    if not _load(c):
        return False
    call(c.second_half, (c.model, c.data))
    _between(c)
    call(c.first_half, (c.model, c.data))
    _read(c)
    return True
