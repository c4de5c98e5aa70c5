"""Numbers from components: refused where they are no numbers, before they reach the engine."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from outrider.core.errors import ComponentError
from outrider.core.frames import Array, Pose

Vector: TypeAlias = Sequence[float] | Array
ZERO = (0.0, 0.0, 0.0)


def vector(values: Vector, what: str) -> Array:
    """Return three finite numbers."""
    try:
        found = np.array(values, np.float64)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise ComponentError(f"{what}: expected three finite numbers, got {values!r:.60}")
    return found


def finite(value: float, what: str) -> float:
    """Return one finite number."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = np.nan
    if not np.isfinite(found):
        raise ComponentError(f"{what}: expected a finite number, got {value!r:.60}")
    return found


def finite_pose(pose: Pose, what: str) -> Pose:
    """Return a pose of finite numbers."""
    if not isinstance(pose, Pose):
        raise ComponentError(f"{what}: expected a Pose, got {pose!r:.60}")
    if not (np.isfinite(pose.position).all() and np.isfinite(pose.rotation).all()):
        raise ComponentError(f"{what}: expected a pose of finite numbers, got {pose!r:.100}")
    return pose
