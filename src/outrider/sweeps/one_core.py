"""A worker that keeps to one core: pinned to it, and with one thread per library.

Imports nothing that counts its threads when it is loaded.
"""

import os

_THREADS = (
    "NUMBA_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENCV_FOR_THREADS_NUM",
    "LP_NUM_THREADS",  # Mesa's software renderer
)
ONE_THREAD = {
    **dict.fromkeys(_THREADS, "1"),
    "MUJOCO_GL": "disable",  # it would look for windows
}


def cores() -> list[int]:
    """Return the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def pin(core: int) -> None:
    """Stay on one core from now on, where the platform allows it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
