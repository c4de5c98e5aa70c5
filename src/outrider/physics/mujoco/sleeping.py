"""Bodies at rest: MuJoCo leaves them out until something touches, pushes or moves them.

Waking is MuJoCo's own: a contact with what is awake or scripted, a load, a new place. Falling
asleep is decided here, between the halves of two steps: MuJoCo's own way computes the forces of all
others anew. Only free bodies of one piece may sleep, never robots or anything with joints; and only
those that lie on something and have been still for a while, with all that touch them. What touches
a robot or a scripted body stays awake.
"""

import ctypes

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.core.errors import PhysicsError
from outrider.core.frames import AnyArray
from outrider.core.state import State
from outrider.physics.mujoco_library import library

# A body is still that has been slow for a while and has hardly moved meanwhile: contacts of a heap
# flicker, so that its bodies tremble for ever. What turns is measured at its size.
_STILL_S = 0.25  # how long
_SLOW = 1e-2  # m/s
_NEAR = 1e-4  # m
BY_ITSELF = -1.0  # m/s below which MuJoCo puts bodies to sleep by itself: never
_AWAKE = -1 - mujoco.mjMINAWAKE  # what MuJoCo notes for a body that is awake
_FIXED, _RESTLESS = -1, -2  # whose geom it is, other than a body's that may sleep

# A body that may sleep: MuJoCo's tree and body, and where its position and velocity begin.
SLEEPER = np.dtype([("tree", np.int32), ("id", np.int32), ("qpos", np.int32), ("dof", np.int32)])
Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


class Sleeping:
    """Which bodies of one MuJoCo model are asleep."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self._model, self._data = model, data
        self._bodies = _sleepers(model)
        self._owners = _owners(model, self._bodies)
        self._needed = max(10, round(_STILL_S / model.opt.timestep))
        self._steps = np.zeros(len(self._bodies), np.int32)  # how long each has been slow
        self._places = np.zeros((len(self._bodies), 7))  # where each was when last looked at
        self._speeds = data.tree_asleep, data.qvel, model.dof_length, data.xfrc_applied
        self._numbers = (data.tree_asleep, data.qpos, data.qvel, data.cvel, data.xpos, data.xquat)
        self._accelerations = data.qacc, data.qacc_smooth, data.qacc_warmstart
        nobody = np.full(len(self._bodies), -1, np.int32)
        _lay(self._bodies, nobody, *self._numbers, *self._accelerations)  # it is loaded

    @property
    def counted(self) -> dict[str, AnyArray | int]:
        """What ``count_slow`` needs, by the names that the compiled step has for it."""
        return {
            "sleepers": self._bodies,
            "tree_asleep": self._data.tree_asleep,
            "lengths": self._model.dof_length,
            "still": self._steps,
            "needed": self._needed,
        }

    def settle(self) -> bool:
        """Put to sleep what has come to rest, after a step; tell if there was anything."""
        due = count_slow(self._bodies, *self._speeds, self._steps, self._needed)
        if round(self._data.time / self._model.opt.timestep) % self._needed:
            return False
        still = _still(self._bodies, self._data.qpos, self._model.dof_length, self._places)
        if not due:
            return False
        geoms = self._data.contact.geom
        cycles = np.full(len(self._bodies), -1, np.int32)
        still &= self._steps == self._needed
        if not _link(self._bodies, self._owners, geoms, still, cycles):
            return False
        _lay(self._bodies, cycles, *self._numbers, *self._accelerations)
        self._steps[cycles >= 0] = 0
        self._update()
        return True

    def wake(self) -> None:
        """Wake everything; positions are to be computed next."""
        self._data.tree_asleep[:] = _AWAKE
        self._update()

    def get_state(self) -> State:
        """Return who sleeps with whom, how long the others have been slow, and where."""
        return State(asleep=self._data.tree_asleep, still=self._steps, places=self._places)

    def set_state(self, state: State) -> None:
        """Put to sleep again, with positions already computed for all.

        In a state of a version that knew no sleep, or no places, everything is awake.
        """
        self._steps[:] = 0
        self._places[:] = 0.0
        if "places" not in state:
            return
        asleep = state.array("asleep", self._data.tree_asleep)
        self._steps[:] = state.array("still", self._steps)
        self._places[:] = state.array("places", self._places)
        cycles = np.maximum(asleep, -1)[self._bodies["tree"]]
        _check(asleep, self._bodies)
        _lay(self._bodies, cycles, *self._numbers, *self._accelerations)
        self._update()

    def arrays(self) -> tuple[AnyArray, ...]:
        """Return what the next steps depend on, if any body may sleep."""
        return (self._data.tree_asleep, self._steps, self._places) if len(self._bodies) else ()

    def _update(self) -> None:
        """Let MuJoCo find out whom to leave out."""
        update = library().mj_updateSleep
        update(ctypes.c_void_p(self._model._address), ctypes.c_void_p(self._data._address))


def _sleepers(model: mujoco.MjModel) -> AnyArray:
    """Return the free bodies of one piece."""
    found = []
    for tree in np.flatnonzero(model.tree_bodynum == 1).tolist():
        body = int(model.tree_bodyadr[tree])
        joint = int(model.body_jntadr[body])
        if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE:
            found.append((tree, body, int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])))
    return np.array(found, SLEEPER)


def _owners(model: mujoco.MjModel, bodies: AnyArray) -> Ints:
    """Return for every geom the number of its body among those that may sleep, or what it is."""
    moves = (model.body_treeid >= 0) | (model.body_mocapid[model.body_rootid] >= 0)
    owners = np.where(moves, _RESTLESS, _FIXED).astype(np.int32)
    owners[bodies["id"]] = np.arange(len(bodies))
    found: Ints = owners[model.geom_bodyid]
    return found


def _check(asleep: Ints, bodies: AnyArray) -> None:
    """Refuse a saved state in which others sleep, or not all of a circle."""
    sleeping = np.flatnonzero(asleep >= 0)
    if not np.isin(sleeping, bodies["tree"]).all() or not np.array_equal(
        np.sort(asleep[sleeping]), sleeping
    ):
        raise PhysicsError("a saved state does not fit: other bodies are asleep in it")


@compiled
def count_slow(
    bodies: AnyArray,
    asleep: Ints,
    qvel: Floats,
    lengths: Floats,
    loads: Floats,
    steps: Ints,
    needed: int,
) -> bool:  # pragma: no cover - compiled
    """Count for how many steps each body has been slow; tell if one was for long enough."""
    due = False
    for k in range(bodies.shape[0]):
        body = bodies[k]
        if asleep[body.tree] >= 0:
            continue
        slow = True
        for i in range(6):
            speed = abs(qvel[body.dof + i]) * lengths[body.dof + i]
            slow &= speed < _SLOW and loads[body.id, i] == 0.0
        steps[k] = min(steps[k] + 1, needed) if slow else 0
        due |= steps[k] == needed
    return due


@compiled
def _still(
    bodies: AnyArray, qpos: Floats, lengths: Floats, places: Floats
) -> NDArray[np.bool_]:  # pragma: no cover - compiled
    """Tell who has hardly moved from a place, and write where each is now."""
    still = np.ones(bodies.shape[0], np.bool_)
    for k in range(bodies.shape[0]):
        for i in range(7):
            moved = abs(qpos[bodies[k].qpos + i] - places[k, i])
            scale = 1.0 if i < 3 else 2.0 * lengths[bodies[k].dof + 3]
            still[k] &= moved * scale < _NEAR
            places[k, i] = qpos[bodies[k].qpos + i]
    return still


@compiled
def _link(
    bodies: AnyArray, owners: Ints, geoms: Ints, ready: NDArray[np.bool_], cycles: Ints
) -> bool:  # pragma: no cover - compiled
    """Write for every body that may sleep now the next tree of those that touch each other."""
    n = bodies.shape[0]
    group = np.arange(n)
    touched = np.zeros(n, np.bool_)
    for c in range(geoms.shape[0]):
        first, second = owners[geoms[c, 0]], owners[geoms[c, 1]]
        for one, other in ((first, second), (second, first)):
            if one >= 0:
                touched[one] = True
                ready[one] &= other != _RESTLESS
        if first >= 0 and second >= 0:
            group[_root(group, first)] = _root(group, second)
    for k in range(n):
        ready[_root(group, k)] &= ready[k] and touched[k]
    return _close(bodies, group, ready, cycles)


@compiled
def _root(group: NDArray[np.int64], k: int) -> int:  # pragma: no cover - compiled
    """Return who stands for a group, and shorten the way there."""
    while group[k] != k:
        group[k] = group[group[k]]
        k = group[k]
    return k


@compiled
def _close(
    bodies: AnyArray, group: NDArray[np.int64], ready: NDArray[np.bool_], cycles: Ints
) -> bool:  # pragma: no cover - compiled
    """Write the next of every ready group in order, and the first after the last."""
    n = bodies.shape[0]
    first, last = np.full(n, -1), np.full(n, -1)
    found = False
    for k in range(n):
        root = _root(group, k)
        if ready[root]:
            found = True
            if last[root] < 0:
                first[root] = k
            else:
                cycles[last[root]] = bodies[k].tree
            last[root] = k
            cycles[k] = bodies[first[root]].tree
    return found


@compiled
def _lay(
    bodies: AnyArray,
    cycles: Ints,
    asleep: Ints,
    qpos: Floats,
    qvel: Floats,
    cvel: Floats,
    xpos: Floats,
    xquat: Floats,
    qacc: Floats,
    qacc_smooth: Floats,
    qacc_warmstart: Floats,
) -> None:  # pragma: no cover - compiled
    """Put to sleep where MuJoCo last had positions: it takes any other place for a push."""
    for k in range(bodies.shape[0]):
        if cycles[k] < 0:
            continue
        body = bodies[k]
        asleep[body.tree] = cycles[k]
        for i in range(3):
            qpos[body.qpos + i] = xpos[body.id, i]
        for i in range(4):
            qpos[body.qpos + 3 + i] = xquat[body.id, i]
        for i in range(6):
            cvel[body.id, i] = qvel[body.dof + i] = 0.0
            qacc[body.dof + i] = 0.0
            qacc_smooth[body.dof + i] = qacc_warmstart[body.dof + i] = 0.0
