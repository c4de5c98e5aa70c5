"""The expected drift of dead reckoning: nominal figures that grow with the distance."""

import numpy as np

from outrider.core.frames import Array, Pose, rotation_vector


class Drift:
    """Standard deviations that grow with distance and rotation, where none are estimated."""

    def __init__(self, per_metre: float = 0.01, per_radian: float = 0.005) -> None:
        self._per_metre = per_metre
        self._per_radian = per_radian
        self._way = 0.0
        self._turned = 0.0

    def move(self, step: Pose) -> None:
        """Add a step."""
        self._way += float(np.linalg.norm(step.position))
        self._turned += float(np.linalg.norm(rotation_vector(step.rotation)))

    @property
    def covariance(self) -> Array:
        """Return the covariance (6, 6) of x y z and of rotations about them."""
        place = 0.02 + self._per_metre * self._way
        turn = 0.005 + self._per_radian * np.sqrt(self._turned)
        return np.diag([place**2] * 3 + [turn**2] * 3)
