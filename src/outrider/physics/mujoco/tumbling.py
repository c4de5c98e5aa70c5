"""Robots that tumble fast, whose steps are MuJoCo's slower, fully implicit ones.

The quick ones take gyroscopic forces of bodies with joints from the step's start: energy grows with
the square of the spin times the step, until the state is out of all bounds. Implicit, it shrinks.
"""

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.physics.tyres.data import Records
from outrider.world.assembly import WORLD, Assembly

QUICK = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
_IMPLICIT = mujoco.mjtIntegrator.mjINT_IMPLICIT
GAIN = 1.0  # rad^2/s, spin squared times step: energy grows by a tenth in a second or so


def jointed_roots(assembly: Assembly) -> NDArray[np.int32]:
    """Return the root bodies that carry others."""
    parents = {body.parent for body in assembly.bodies}
    roots = [n for n in parents if n != WORLD and assembly.bodies[n].parent == WORLD]
    return np.array(sorted(roots), np.int32)


@compiled
def tumbles(
    roots: NDArray[np.int32], bodies: Records, dt: float
) -> bool:  # pragma: no cover - compiled
    """Return whether a robot turns so fast that its energy would grow."""
    for i in range(roots.shape[0]):
        spin = bodies[roots[i]].angular_velocity
        if (spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]) * dt > GAIN:
            return True
    return False


def implicit_half(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Take the second half of a step with gyroscopic forces of its end."""
    model.opt.integrator = _IMPLICIT
    try:
        mujoco.mj_step2(model, data)
    finally:
        model.opt.integrator = QUICK
