"""What tests of engines against mechanics share: the error each engine may have, and a run."""

from dataclasses import dataclass

import numpy as np

DT = 0.001


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Relative errors, unless a unit is given."""

    bounce: float  # of the height after a bounce
    impulse: float
    rebound_m: float  # of what should not bounce
    creep_m: float
    sliding: float
    momentum: float


TOLERANCES = {
    "mujoco": Tolerance(1e-3, 0.02, 1e-5, 1e-6, 0.005, 0.006),
    "bullet": Tolerance(0.01, 0.01, 1e-5, 2e-4, 0.002, 0.006),
}


def run(engine, seconds, watch=None, before=None):
    """Advance; return what was seen after every step."""
    seen = []
    for _ in range(round(seconds / (engine.step_ns * 1e-9))):
        if before:
            before()
        engine.step()
        if watch:
            seen.append(watch())
    return np.array(seen)


def height(engine):
    return lambda: float(engine.state.bodies["position"][0, 2])
