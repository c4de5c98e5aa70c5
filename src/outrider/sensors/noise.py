"""Errors of measured vectors: small seeded processes that can be chained and started again.

Each draws from a stream of its own below the generator it is given, so that none disturbs another,
and ``reset`` repeats a run to the last bit.
"""

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from outrider.core.frames import Array

_BLOCK = 64  # vectors drawn at once: one at a time costs four times as much


class Error(Protocol):
    """One way in which a measurement differs from the truth."""

    def apply(self, value: Array, dt: float) -> Array:
        """Return ``value`` (n,) as it is measured, ``dt`` seconds after the last time."""

    def reset(self) -> None:
        """Start again, with the same random numbers."""


class Stream:
    """Normal random vectors that can be drawn again from the start."""

    def __init__(self, random: np.random.Generator, size: int) -> None:
        self._random = random.spawn(1)[0]
        self._first = self._random.bit_generator.state
        self._shape = (_BLOCK, size)
        self._next = _BLOCK

    def normal(self) -> Array:
        """Return the next vector of independent standard normal numbers."""
        if self._next == _BLOCK:
            self._block = self._random.standard_normal(self._shape)
            self._next = 0
        self._next += 1
        row: Array = self._block[self._next - 1]
        return row

    def reset(self) -> None:
        """Go back to the first number."""
        self._random.bit_generator.state = self._first
        self._next = _BLOCK


class White:
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

    def reset(self) -> None:
        """Draw the same noise again."""
        self._stream.reset()


class Bias:
    """A constant: ``offset``, and what is drawn anew each time the unit is switched on."""

    def __init__(
        self,
        random: np.random.Generator,
        size: int,
        sigma: float = 0.0,
        offset: Sequence[float] | float = 0.0,
    ) -> None:
        self.bias: Array = sigma * Stream(random, size).normal() + np.asarray(offset, np.float64)

    def apply(self, value: Array, dt: float) -> Array:  # noqa: ARG002 - a constant takes no time
        """Add the bias."""
        return value + self.bias

    def reset(self) -> None:
        """Do nothing: a repeated run has the same bias."""


class RandomWalk:
    """A bias that wanders without bound: its variance grows by density squared per second."""

    def __init__(self, random: np.random.Generator, size: int, density: float) -> None:
        self._stream = Stream(random, size)
        self._density = density
        self.bias: Array = np.zeros(size)

    def apply(self, value: Array, dt: float) -> Array:
        """Walk on, and add the bias."""
        self.bias = self.bias + self._density * math.sqrt(dt) * self._stream.normal()
        return value + self.bias

    def reset(self) -> None:
        """Start at zero."""
        self._stream.reset()
        self.bias = np.zeros_like(self.bias)


class GaussMarkov:
    """A bias that wanders about zero with a correlation time: exact at any ``dt``.

    ``sigma`` is its standard deviation in the long run. It starts as if it had always run, or at
    zero if not ``settled``.
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
        self._stream = Stream(random, size)
        self._sigma, self._time_s = sigma, time_s
        self._start = sigma if settled else 0.0
        self.bias: Array = self._start * self._stream.normal()

    @classmethod
    def from_random_walk(
        cls, random: np.random.Generator, size: int, density: float, time_s: float
    ) -> "GaussMarkov":
        """Make one that starts at zero and for short times walks with ``density``."""
        return cls(random, size, density * math.sqrt(time_s / 2), time_s, settled=False)

    def apply(self, value: Array, dt: float) -> Array:
        """Wander on, and add the bias."""
        keep = math.exp(-dt / self._time_s)
        fresh = self._sigma * math.sqrt(-math.expm1(-2 * dt / self._time_s))
        self.bias = keep * self.bias + fresh * self._stream.normal()
        return value + self.bias

    def reset(self) -> None:
        """Draw the first bias again."""
        self._stream.reset()
        self.bias = self._start * self._stream.normal()


class HectorDrift:
    """The drift of hector_gazebo_plugins, with its factor ``dt`` where sqrt(dt) would be right.

    It starts with the standard deviation ``sigma`` and forgets that over ``time_s``; what is left
    then is sigma * sqrt(dt), so it depends on the rate.
    """

    def __init__(self, random: np.random.Generator, size: int, sigma: float, time_s: float) -> None:
        self._stream = Stream(random, size)
        self._sigma, self._time_s = sigma, time_s
        self.bias: Array = sigma * self._stream.normal()

    def apply(self, value: Array, dt: float) -> Array:
        """Drift on, and add the drift."""
        push = dt * math.sqrt(2 / self._time_s) * self._sigma
        self.bias = math.exp(-dt / self._time_s) * self.bias + push * self._stream.normal()
        return value + self.bias

    def reset(self) -> None:
        """Draw the first drift again."""
        self._stream.reset()
        self.bias = self._sigma * self._stream.normal()


class Distortion:
    """Wrong scales and axes not quite square: drawn once for a unit, then constant."""

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

    def apply(self, value: Array, dt: float) -> Array:  # noqa: ARG002 - a constant takes no time
        """Scale and mix the axes."""
        return self.matrix @ value

    def reset(self) -> None:
        """Do nothing: it is the same unit."""


class Saturation:
    """A measuring range: beyond ``limit``, either way, nothing more is shown."""

    def __init__(self, limit: float) -> None:
        self._limit = limit

    def apply(self, value: Array, dt: float) -> Array:  # noqa: ARG002 - a constant takes no time
        """Cut the value to the range."""
        return np.minimum(np.maximum(value, -self._limit), self._limit)

    def reset(self) -> None:
        """Do nothing: there is nothing to forget."""


class Quantisation:
    """Whole steps of the converter: the nearest one is shown."""

    def __init__(self, step: float) -> None:
        self._step = step

    def apply(self, value: Array, dt: float) -> Array:  # noqa: ARG002 - a constant takes no time
        """Round to whole steps."""
        return self._step * np.rint(value / self._step)

    def reset(self) -> None:
        """Do nothing: there is nothing to forget."""


class Chain:
    """Errors one after another, in the order of the signal's way through the instrument."""

    def __init__(self, errors: Sequence[Error]) -> None:
        self.errors = tuple(errors)
        self._biased = [error for error in errors if hasattr(error, "bias")]

    def apply(self, value: Array, dt: float) -> Array:
        """Pass a value through all of them."""
        for error in self.errors:
            value = error.apply(value, dt)
        return value

    @property
    def bias(self) -> Array | None:
        """The sum of all biases, as they are now; none if there are no such errors."""
        total: Array | None = None
        for error in self._biased:
            bias: Array = error.bias
            total = bias if total is None else total + bias
        return total

    def reset(self) -> None:
        """Start all again."""
        for error in self.errors:
            error.reset()
