"""Errors of measured vectors: small seeded processes that can be chained.

Each has its own random stream, derived from the generator it is given, independent of the others.
What they do to a value is in ``noise_kernel.py``; here is how they are made, and their state.
"""

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import groupby
from typing import ClassVar, Protocol

import numpy as np

from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Array
from outrider.core.state import State
from outrider.sensors.noise_kernel import (
    BLOCK,
    DISTORTION,
    ERROR,
    OFFSET,
    QUANTISATION,
    SATURATION,
    WANDERING,
    WHITE,
    apply_errors,
    skip_values,
)


class Stream(DeclaredState):
    """Normal random vectors, one after another, drawn in blocks: one at a time takes longer."""

    state_fields = ("_random", "_block", "_next")

    def __init__(self, random: np.random.Generator, size: int) -> None:
        self._random = random.spawn(1)[0]
        self.numbers: Array = np.zeros((BLOCK, size))
        self.taken = np.array([BLOCK])  # of the block

    @property
    def _block(self) -> Array:
        return self.numbers

    @_block.setter
    def _block(self, numbers: Array) -> None:
        self.numbers[:] = numbers

    @property
    def _next(self) -> int:
        return int(self.taken[0])

    @_next.setter
    def _next(self, taken: int) -> None:
        self.taken[0] = min(max(taken, 0), BLOCK)

    def refill(self) -> None:
        """Draw the next block if this one is used up."""
        if self.taken[0] == BLOCK:
            self._random.standard_normal(out=self.numbers)
            self.taken[0] = 0

    def normal(self) -> Array:
        """Return the next vector of independent standard normal numbers."""
        self.refill()
        self.taken[0] += 1
        row: Array = self.numbers[self.taken[0] - 1].copy()
        return row


class ErrorModel(DeclaredState, Protocol):
    """One way in which a measurement differs from the truth."""

    kind: ClassVar[int]  # of the kernel's table
    # what the kernel reads; these arrays stay where they are
    stream: Stream | None = None
    bias: Array | None = None  # what it adds now, where that is a bias
    matrix: Array | None = None

    def gains(self, _dt: float, /) -> tuple[float, float]:
        """Return the kernel's two numbers for values ``dt`` seconds apart."""
        return 0.0, 0.0

    def apply(self, value: Array, dt: float) -> Array:
        """Return ``value`` (n,) as it is measured, ``dt`` seconds after the last time."""
        return self._alone.apply(value, dt)

    @cached_property
    def _alone(self) -> "Chain":
        return Chain([self])


class White(ErrorModel):
    """Noise without memory: ``sigma`` per sample, and ``density`` per root hertz."""

    kind = WHITE

    def __init__(
        self, random: np.random.Generator, size: int, sigma: float = 0.0, density: float = 0.0
    ) -> None:
        self.stream: Stream = Stream(random, size)
        self._sigma, self._density = sigma, density

    def gains(self, dt: float) -> tuple[float, float]:
        """Return its sigma: a mean over ``dt`` has a variance of density squared over ``dt``."""
        if not self._density:
            return 0.0, self._sigma
        return 0.0, math.hypot(self._sigma, self._density / math.sqrt(dt))

    def get_state(self) -> State:
        """Return where its random numbers are."""
        return self.stream.get_state()

    def set_state(self, state: State) -> None:
        """Draw the numbers that follow."""
        self.stream.set_state(state)


class Bias(ErrorModel):
    """A constant: ``offset``, plus a part drawn each time the unit is switched on."""

    kind = OFFSET

    def __init__(
        self,
        random: np.random.Generator,
        size: int,
        sigma: float = 0.0,
        offset: Sequence[float] | float = 0.0,
    ) -> None:
        self.bias: Array = sigma * Stream(random, size).normal() + np.asarray(offset, np.float64)


class _Wandering(ErrorModel):
    """A bias that keeps a share of itself and is pushed by random numbers."""

    kind = WANDERING

    def __init__(self, random: np.random.Generator, size: int) -> None:
        self.stream: Stream = Stream(random, size)
        self.bias: Array = np.zeros(size)

    def get_state(self) -> State:
        """Return where it is, and where its random numbers are."""
        return State(bias=self.bias, stream=self.stream.get_state())

    def set_state(self, state: State) -> None:
        """Wander on from there."""
        self.bias[:] = state.array("bias", self.bias)
        self.stream.set_state(state.part("stream"))


class RandomWalk(_Wandering):
    """A bias that drifts without bound: its variance grows by density squared per second."""

    def __init__(self, random: np.random.Generator, size: int, density: float) -> None:
        super().__init__(random, size)
        self._density = density

    def gains(self, dt: float) -> tuple[float, float]:
        """Return the share that is kept, all of it, and the width of a step."""
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
        self.bias[:] = (sigma if settled else 0.0) * self.stream.normal()

    @classmethod
    def from_random_walk(
        cls, random: np.random.Generator, size: int, density: float, time_s: float
    ) -> "GaussMarkov":
        """Make one that starts at zero and for short times walks with ``density``."""
        return cls(random, size, density * math.sqrt(time_s / 2), time_s, settled=False)

    def gains(self, dt: float) -> tuple[float, float]:
        """Return the share that is kept, and the push that holds the variance steady."""
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
        self.bias[:] = sigma * self.stream.normal()

    def gains(self, dt: float) -> tuple[float, float]:
        """Return the plugin's own."""
        return math.exp(-dt / self._time_s), dt * math.sqrt(2 / self._time_s) * self._sigma


class Distortion(ErrorModel):
    """Scale errors and non-orthogonal axes: drawn once per unit, then constant."""

    kind = DISTORTION

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


class Saturation(ErrorModel):
    """A measuring range: values are clipped at ``limit`` in both directions."""

    kind = SATURATION

    def __init__(self, limit: float) -> None:
        self._limit = limit

    def gains(self, _dt: float) -> tuple[float, float]:
        """Return the limit."""
        return 0.0, self._limit


class Quantisation(ErrorModel):
    """Rounding to the nearest step of the converter."""

    kind = QUANTISATION

    def __init__(self, step: float) -> None:
        self._step = step

    def gains(self, _dt: float) -> tuple[float, float]:
        """Return the step."""
        return 0.0, self._step


class Chain(DeclaredState):
    """Errors applied one after another, in the order of the signal path."""

    state_fields = ("errors",)

    def __init__(self, errors: Sequence[ErrorModel]) -> None:
        self.errors = tuple(errors)
        self.table = np.zeros(len(errors), ERROR)  # for compiled code; it stays where it is
        for row, error in zip(self.table, errors, strict=True):
            row["kind"] = error.kind
            for name, array in (("bias", error.bias), ("matrix", error.matrix)):
                if array is not None:
                    row[name], row["size"] = array.ctypes.data, len(array)
            if error.stream is not None:
                numbers = error.stream.numbers
                row["numbers"], row["size"] = numbers.ctypes.data, numbers.shape[1]
                row["taken"] = error.stream.taken.ctypes.data
        self._place = self.table.ctypes.data
        self._dt = -1.0

    def tune(self, dt: float) -> None:
        """Prepare for values ``dt`` seconds apart."""
        if dt != self._dt:
            self._dt = dt
            for row, error in zip(self.table, self.errors, strict=True):
                row["keep"], row["gain"] = error.gains(dt)

    def refill(self) -> None:
        """Draw random numbers where they are used up."""
        for error in self.errors:
            if error.stream is not None:
                error.stream.refill()

    def apply(self, value: Array, dt: float) -> Array:
        """Pass a value through all of them."""
        if not self.errors:
            return value
        self.tune(dt)
        measured = np.array(value, np.float64)
        if not apply_errors(self._place, len(self.errors), measured):
            self.refill()
            apply_errors(self._place, len(self.errors), measured)
        return measured

    def skip(self, dts: Sequence[float]) -> None:
        """Change as after values, each so many seconds after the one before, that nobody wants."""
        size = int(self.table["size"].max(initial=0))
        for dt, alike in groupby(dts):
            self.tune(dt)
            left = len(list(alike))
            while left := left - skip_values(self._place, len(self.errors), size, left):
                self.refill()

    @property
    def bias(self) -> Array | None:
        """The sum of all biases, as they are now; none if there are no such errors."""
        total: Array | None = None
        for error in self.errors:
            if error.bias is not None:
                total = error.bias.copy() if total is None else total + error.bias
        return total
