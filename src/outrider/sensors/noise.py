"""Errors of measured vectors: small seeded processes that can be chained.

Each has its own random stream, derived from the generator it is given, independent of the others.
"""

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Array
from outrider.core.state import State

_BLOCK = 64  # vectors drawn at once: one at a time costs four times as much


class ErrorModel(DeclaredState, Protocol):
    """One way in which a measurement differs from the truth."""

    bias: Array | None = None  # what it adds now, where that is a bias

    def apply(self, value: Array, dt: float) -> Array:
        """Return ``value`` (n,) as it is measured, ``dt`` seconds after the last time."""

    def skip(self, _dts: Sequence[float], /) -> None:
        """Change as ``apply`` does after each of these times: nobody wants what is measured then.

        Most errors do not change.
        """
        return


class Stream(DeclaredState):
    """Normal random vectors, one after another."""

    state_fields = ("_random", "_block", "_next")

    def __init__(self, random: np.random.Generator, size: int) -> None:
        self._random = random.spawn(1)[0]
        self._block: Array = np.zeros((_BLOCK, size))
        self._next = _BLOCK

    def normal(self) -> Array:
        """Return the next vector of independent standard normal numbers."""
        if self._next == _BLOCK:
            self._block = self._random.standard_normal(self._block.shape)
            self._next = 0
        self._next += 1
        row: Array = self._block[self._next - 1]
        return row


class White(ErrorModel):
    """Noise without memory: ``sigma`` per sample, and ``density`` per root hertz."""

    def __init__(
        self, random: np.random.Generator, size: int, sigma: float = 0.0, density: float = 0.0
    ) -> None:
        self._stream = Stream(random, size)
        self._sigma, self._density = sigma, density

    def apply(self, value: Array, dt: float) -> Array:
        """Add noise; a mean over ``dt`` has a variance of density squared over ``dt``."""
        sigma = self._sigma
        if self._density:
            sigma = math.hypot(sigma, self._density / math.sqrt(dt))
        return value + sigma * self._stream.normal()

    def skip(self, dts: Sequence[float]) -> None:
        """Draw the noise of samples that nobody wants."""
        for _ in dts:
            self._stream.normal()

    def get_state(self) -> State:
        """Return where its random numbers are."""
        return self._stream.get_state()

    def set_state(self, state: State) -> None:
        """Draw the numbers that follow."""
        self._stream.set_state(state)


class Bias(ErrorModel):
    """A constant: ``offset``, plus a part drawn each time the unit is switched on."""

    def __init__(
        self,
        random: np.random.Generator,
        size: int,
        sigma: float = 0.0,
        offset: Sequence[float] | float = 0.0,
    ) -> None:
        self.bias: Array = sigma * Stream(random, size).normal() + np.asarray(offset, np.float64)

    def apply(self, value: Array, _dt: float) -> Array:
        """Add the bias."""
        return value + self.bias


class _Wandering(ErrorModel):
    """A bias that keeps a share of itself and is pushed by random numbers."""

    state_fields = ("bias", "_stream")

    def __init__(self, random: np.random.Generator, size: int) -> None:
        self._stream = Stream(random, size)
        self.bias: Array = np.zeros(size)
        self._rates = -1.0, 0.0, 0.0  # for an interval: the share that is kept, and the push

    def keep_and_push(self, dt: float) -> tuple[float, float]:
        """Return the share of the bias that is left after ``dt``, and the sigma of the push."""
        raise NotImplementedError

    def apply(self, value: Array, dt: float) -> Array:
        """Wander on, and add the bias."""
        self._wander(dt)
        return value + self.bias

    def skip(self, dts: Sequence[float]) -> None:
        """Wander on."""
        for dt in dts:
            self._wander(dt)

    def _wander(self, dt: float) -> None:
        if self._rates[0] != dt:
            self._rates = dt, *self.keep_and_push(dt)
        _, keep, push = self._rates
        self.bias = keep * self.bias + push * self._stream.normal()


class RandomWalk(_Wandering):
    """A bias that drifts without bound: its variance grows by density squared per second."""

    def __init__(self, random: np.random.Generator, size: int, density: float) -> None:
        super().__init__(random, size)
        self._density = density

    def keep_and_push(self, dt: float) -> tuple[float, float]:
        """Return all of it, and the width of a step."""
        return 1.0, self._density * math.sqrt(dt)


class GaussMarkov(_Wandering):
    """A bias that drifts around zero with a correlation time: exact at any ``dt``.

    ``sigma`` is its steady-state standard deviation. It starts in the steady state, or at zero if
    not ``settled``.
    """

    def __init__(
        self,
        random: np.random.Generator,
        size: int,
        sigma: float,
        time_s: float,
        *,
        settled: bool = True,
    ) -> None:
        super().__init__(random, size)
        self._sigma, self._time_s = sigma, time_s
        self.bias = (sigma if settled else 0.0) * self._stream.normal()

    @classmethod
    def from_random_walk(
        cls, random: np.random.Generator, size: int, density: float, time_s: float
    ) -> "GaussMarkov":
        """Make one that starts at zero and for short times walks with ``density``."""
        return cls(random, size, density * math.sqrt(time_s / 2), time_s, settled=False)

    def keep_and_push(self, dt: float) -> tuple[float, float]:
        """Return what keeps the variance in the steady state."""
        fresh = self._sigma * math.sqrt(-math.expm1(-2 * dt / self._time_s))
        return math.exp(-dt / self._time_s), fresh


class HectorDrift(_Wandering):
    """The drift of hector_gazebo_plugins, with its factor ``dt`` where sqrt(dt) would be right.

    It starts with the standard deviation ``sigma``, which decays over ``time_s`` to
    sigma * sqrt(dt), so it depends on the rate.
    """

    def __init__(self, random: np.random.Generator, size: int, sigma: float, time_s: float) -> None:
        super().__init__(random, size)
        self._sigma, self._time_s = sigma, time_s
        self.bias = sigma * self._stream.normal()

    def keep_and_push(self, dt: float) -> tuple[float, float]:
        """Return the plugin's own."""
        return math.exp(-dt / self._time_s), dt * math.sqrt(2 / self._time_s) * self._sigma


class Distortion(ErrorModel):
    """Scale errors and non-orthogonal axes: drawn once per unit, then constant."""

    def __init__(
        self,
        random: np.random.Generator,
        size: int,
        scale_sigma: float = 0.0,
        misalignment_rad: float = 0.0,
    ) -> None:
        stream = Stream(random, size)
        scales = np.diag(scale_sigma * stream.normal())
        turns = misalignment_rad * np.stack([stream.normal() for _ in range(size)])
        np.fill_diagonal(turns, 0.0)
        self.matrix: Array = np.eye(size) + scales + turns

    def apply(self, value: Array, _dt: float) -> Array:
        """Scale and mix the axes."""
        return self.matrix @ value


class Saturation(ErrorModel):
    """A measuring range: values are clipped at ``limit`` in both directions."""

    def __init__(self, limit: float) -> None:
        self._limit = limit

    def apply(self, value: Array, _dt: float) -> Array:
        """Cut the value to the range."""
        return np.minimum(np.maximum(value, -self._limit), self._limit)


class Quantisation(ErrorModel):
    """Rounding to the nearest step of the converter."""

    def __init__(self, step: float) -> None:
        self._step = step

    def apply(self, value: Array, _dt: float) -> Array:
        """Round to whole steps."""
        return self._step * np.rint(value / self._step)


class Chain(DeclaredState):
    """Errors applied one after another, in the order of the signal path."""

    state_fields = ("errors",)

    def __init__(self, errors: Sequence[ErrorModel]) -> None:
        self.errors = tuple(errors)
        self._biased = [error for error in errors if error.bias is not None]

    def apply(self, value: Array, dt: float) -> Array:
        """Pass a value through all of them."""
        for error in self.errors:
            value = error.apply(value, dt)
        return value

    def skip(self, dts: Sequence[float]) -> None:
        """Pass over samples that nobody wants, each so many seconds after the one before."""
        for error in self.errors:
            error.skip(dts)

    @property
    def bias(self) -> Array | None:
        """The sum of all biases, as they are now; none if there are no such errors."""
        total: Array | None = None
        for error in self._biased:
            total = error.bias if total is None or error.bias is None else total + error.bias
        return total
