"""The error of a satellite fix: by its kind, drifting slowly, shaped by satellite geometry."""

from dataclasses import dataclass

import numpy as np

from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Array
from outrider.core.structure import number
from outrider.sensors.noise import GaussMarkov, White

Spread = tuple[float, float]  # standard deviations: each horizontal axis, and vertical


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Errors of one kind of fix under an open sky."""

    wander_m: Spread = (0.0, 0.0)
    wander_s: float = number(100.0, above=0.0)  # correlation time
    white_m: Spread = (0.0, 0.0)  # per sample

    def __post_init__(self) -> None:
        if min(*self.wander_m, *self.white_m) < 0:
            raise ValueError(f"an accuracy cannot be negative: {self.wander_m}, {self.white_m}")


class FixError(DeclaredState):
    """The error of one kind of fix; it keeps drifting while other kinds are in use."""

    state_fields = ("_wander", "_white")

    def __init__(self, accuracy: Accuracy, random: np.random.Generator) -> None:
        self._accuracy = accuracy
        self._wander = GaussMarkov(random, 3, 1.0, accuracy.wander_s)
        self._white = White(random, 3, 1.0)

    def update(self, dt: float) -> None:
        """Go on by some time."""
        self._wander.apply(np.zeros(3), dt)
        self._noise = self._white.apply(np.zeros(3), dt)

    def error(self, now: Array, ideal: Array) -> tuple[Array, Array]:
        """Return the error (east, north, up) and its covariance, for the cofactors of two skies.

        ``ideal`` is what the open sky would give: there the maker's figures hold.
        """
        root = np.linalg.cholesky(now)
        wander = _scale(self._accuracy.wander_m, ideal)
        white = _scale(self._accuracy.white_m, ideal)
        error = wander * (root @ self._wander.bias) + white * (root @ self._noise)
        covariance = now * (np.outer(wander, wander) + np.outer(white, white))
        return error, covariance


def _scale(spread: Spread, ideal: Array) -> Array:
    """Return what a unit of dilution is worth per axis, so that the open sky gives ``spread``."""
    horizontal = spread[0] / np.sqrt((ideal[0, 0] + ideal[1, 1]) / 2)
    return np.array([horizontal, horizontal, spread[1] / np.sqrt(ideal[2, 2])])
