"""Searching the unit cube of disturbances: at random, or drawn to where runs nearly fail.

The adaptive search is a cross-entropy method: it draws from a normal distribution and fits the
distribution to the best points so far. It only compares points, so that no figure needs a scale.
"""

import math
from typing import Literal

import numpy as np

from outrider.core.frames import Array
from outrider.sweeps.points import latin_hypercube
from outrider.sweeps.verdict import Verdict

_BEST = 0.25  # share of a generation that the next one is drawn around
_WIDEST, _NARROWEST = 0.5, 0.02  # standard deviations, in sides of the cube
_ANYWHERE = 0.15  # share of a generation that is drawn from the whole cube
_TOWARDS_NOMINAL = (0.5, 0.25)  # ways from the smallest failure back that are tried each time


class Search:
    """Proposes generations of points, and learns what came of them."""

    def __init__(
        self,
        nominal: Array,
        random: np.random.Generator,
        method: Literal["adaptive", "random"] = "adaptive",
    ) -> None:
        """``nominal`` is the undisturbed point, each coordinate from 0 to 1."""
        self._nominal = nominal
        self._random = random
        self._adaptive = method == "adaptive"
        self._points: Array = np.zeros((0, len(nominal)))
        self._ranks: list[tuple[bool, float]] = []

    def propose(self, count: int) -> Array:
        """Return the points of the next generation."""
        if not self._adaptive:
            return self._random.random((count, len(self._nominal)))
        if not len(self._points):
            return latin_hypercube(self._random, count, len(self._nominal))
        anywhere = max(1, round(_ANYWHERE * count))
        steps = self._steps_back()[: max(0, count - anywhere - 1)]
        drawn = self._drawn(count - anywhere - len(steps))
        return np.vstack([steps, drawn, self._random.random((anywhere, len(self._nominal)))])

    def learn(self, points: Array, verdicts: list[Verdict]) -> None:
        """Take the outcomes of a generation."""
        self._points = np.vstack([self._points, points])
        sizes = self.size(points).tolist()
        self._ranks += [_rank(v, size) for v, size in zip(verdicts, sizes, strict=True)]

    def size(self, points: Array) -> Array:
        """Return how large disturbances are: 1 is the whole range of one parameter."""
        distances: Array = np.linalg.norm(points - self._nominal, axis=-1)
        return distances

    def _best(self, count: int) -> Array:
        order = sorted(range(len(self._ranks)), key=self._ranks.__getitem__)
        found: Array = self._points[order[:count]]
        return found

    def _drawn(self, count: int) -> Array:
        best = self._best(max(2, round(_BEST * count)))
        width = np.clip(best.std(axis=0) + _NARROWEST, _NARROWEST, _WIDEST)
        drawn = best.mean(axis=0) + width * self._random.standard_normal((count, len(width)))
        inside: Array = np.clip(drawn, 0.0, 1.0)
        return inside

    def _steps_back(self) -> Array:
        """Return points between the smallest failure and the undisturbed point."""
        if min(self._ranks)[0]:  # nothing has failed yet
            return np.zeros((0, len(self._nominal)))
        failure = self._best(1)[0]
        return np.array([failure + way * (self._nominal - failure) for way in _TOWARDS_NOMINAL])


def _rank(verdict: Verdict, size: float) -> tuple[bool, float]:
    """Return what sorts failures first, small ones before large; then what nearly failed."""
    if verdict.failed:
        return False, size
    if not verdict.begun:
        return True, math.inf
    return True, -size if verdict.margin is None else verdict.margin
