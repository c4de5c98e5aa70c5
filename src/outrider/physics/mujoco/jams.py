"""Bodies that an impact has driven between walls, on MuJoCo: let out, as friction would hold them.

An impact drives a body deeper between two walls than stiff ones would let it. Springs push it back,
but friction under such a load locks it for good. So what is deep in two walls against each other
slides freely until it is not. The walls may meet different colliders of the body.
"""

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled

_DEEP = 1e-3  # m: less is no jam
_OPPOSED = -0.2  # cosine between the normals of walls from where on friction of 0.8 locks a body
_SMOOTH = 1e-3  # of its friction that a jammed contact keeps

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


class Jams:
    """Which bodies of a model can be jammed; made once."""

    def __init__(self, model: mujoco.MjModel) -> None:
        fixed = model.body_weldid[model.geom_bodyid] == 0
        roots = model.body_rootid[model.geom_bodyid]
        self._trees = np.where(fixed, 0, roots).astype(np.int32)  # of each geom; 0: never moves

    def release(self, data: mujoco.MjData) -> None:
        """Take friction from jammed contacts; call between the two halves of a step."""
        contact = data.contact
        depth = -contact.dist
        if depth.max() > _DEEP:
            jammed = _jammed(self._trees, contact.geom, depth, contact.frame)
            contact.friction[jammed] *= _SMOOTH
            contact.mu[jammed] *= _SMOOTH


@compiled
def _jammed(
    trees: Ints, geoms: Ints, depths: Floats, frames: Floats
) -> NDArray[np.bool_]:  # pragma: no cover - compiled
    """Return which contacts with what never moves push a body against others that are deep."""
    found = np.zeros(len(depths), np.bool_)
    for i in range(len(depths)):
        tree = _met(trees, geoms[i])
        if depths[i] <= _DEEP or tree == 0:
            continue
        for j in range(len(depths)):
            if _met(trees, geoms[j]) == tree and _along(trees, geoms, frames, i, j) < _OPPOSED:
                found[i] = found[j] = True
    return found


@compiled
def _met(trees: Ints, pair: Ints) -> int:  # pragma: no cover - compiled
    """Return the tree of bodies that meets what never moves, or 0 if both or none of a pair do."""
    first, second = trees[pair[0]], trees[pair[1]]
    return max(first, second) if min(first, second) == 0 else 0


@compiled
def _along(
    trees: Ints, geoms: Ints, frames: Floats, i: int, j: int
) -> float:  # pragma: no cover - compiled
    """Return the cosine between the ways in which two contacts push their tree."""
    cosine = 0.0
    for k in range(3):
        cosine += frames[i, k] * frames[j, k]
    same = (trees[geoms[i, 0]] == 0) == (trees[geoms[j, 0]] == 0)
    return cosine if same else -cosine
