"""The sweep file: a scenario, and the values that its keys take."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, Literal, TypeAlias

from outrider.core.structure import Data, number


@dataclass(frozen=True, slots=True, kw_only=True)
class EvenGrid:
    """Evenly spaced values from ``low`` to ``high``, both included."""

    type: Literal["grid"] = "grid"
    low: float
    high: float
    count: int = number(least=1, most=100_000)

    def __post_init__(self) -> None:
        check_bounds(self.low, self.high)

    def values(self) -> tuple[float, ...]:
        """Return the values; a single one is ``low``."""
        gap = (self.high - self.low) / max(1, self.count - 1)
        inner = tuple(self.low + gap * k for k in range(self.count - 1))
        return (*inner, self.high) if self.count > 1 else (self.low,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Uniform:
    """Any value between two bounds, each as likely."""

    type: Literal["uniform"] = "uniform"
    low: float
    high: float

    def __post_init__(self) -> None:
        check_bounds(self.low, self.high)

    def at(self, share: float) -> float:
        """Return the value below which a share (0 to 1) of all values lies."""
        return self.low + share * (self.high - self.low)

    def share(self, value: float) -> float:
        """Return the share of all values that lies below one."""
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogUniform:
    """Any value between two positive bounds, each order of magnitude as likely."""

    type: Literal["loguniform"] = "loguniform"
    low: float = number(above=0.0)
    high: float

    def __post_init__(self) -> None:
        check_bounds(self.low, self.high)

    def at(self, share: float) -> float:
        """Return the value below which a share (0 to 1) of all values lies."""
        return math.exp(math.log(self.low) + share * math.log(self.high / self.low))

    def share(self, value: float) -> float:
        """Return the share of all values that lies below one."""
        return math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class Normal:
    """A normal distribution, cut off at two bounds."""

    type: Literal["normal"] = "normal"
    mean: float
    sigma: float = number(above=0.0)
    low: float
    high: float

    def __post_init__(self) -> None:
        check_bounds(self.low, self.high)
        _, inside = self._cut()
        if not inside > 0:
            raise ValueError("almost no value of this distribution lies between low and high")

    def at(self, share: float) -> float:
        """Return the value below which a share (0 to 1) of all values lies."""
        below, inside = self._cut()
        chance = min(max(below + share * inside, 1e-15), 1 - 1e-15)
        value = NormalDist(self.mean, self.sigma).inv_cdf(chance)
        return min(max(value, self.low), self.high)

    def share(self, value: float) -> float:
        """Return the share of all values that lies below one."""
        below, inside = self._cut()
        return (NormalDist(self.mean, self.sigma).cdf(value) - below) / inside

    def _cut(self) -> tuple[float, float]:
        """Return the chance of a value below ``low``, and of one between the bounds."""
        whole = NormalDist(self.mean, self.sigma)
        below = whole.cdf(self.low)
        return below, whole.cdf(self.high) - below


_TRIED = 100  # of a long list, so many are enough to find a wrong key
Distribution: TypeAlias = Uniform | LogUniform | Normal
Values: TypeAlias = tuple[Any, ...]
Parameter: TypeAlias = Values | EvenGrid | Uniform | LogUniform | Normal


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A figure of the result that must stay between bounds; outside, the robot has failed."""

    figure: str  # as in the result, dotted: localization.position_m.max
    least: float | None = None
    most: float | None = None

    def __post_init__(self) -> None:
        if self.least is None and self.most is None:
            raise ValueError("expected 'least' or 'most'")


@dataclass(frozen=True, slots=True, kw_only=True)
class Falsify:
    """How ``outrider falsify`` searches for the smallest disturbance that makes a run fail."""

    budget: int = number(100, least=1, most=1_000_000)  # runs
    generation: int = number(12, least=2, most=10_000)  # runs per generation
    method: Literal["adaptive", "random"] = "adaptive"
    fail: Limit | None = None  # None: a run that is not completed
    nominal: dict[str, float] = field(default_factory=dict)  # undisturbed values, by key


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Runs of a scenario: every combination of lists and grids, each with every sample."""

    scenario: str  # a library scenario, or a file (relative to this one)
    description: str = ""
    set: Data = field(default_factory=dict)  # the same in all runs: key -> value
    parameters: dict[str, Parameter] = field(default_factory=dict)  # key -> its values
    samples: int | None = number(None, least=1, most=1_000_000)  # of the distributions
    sampling: Literal["random", "latin-hypercube"] = "random"
    repeats: int = number(1, least=1, most=1_000_000)  # runs per point, with consecutive seeds
    seed: int = number(1, least=0)  # of the samples
    worst_by: str = ""  # the figure that ranks the worst cases; empty: chosen from the results
    falsify: Falsify = field(default_factory=Falsify)

    @property
    def distributions(self) -> dict[str, Distribution]:
        """The parameters whose values are drawn."""
        return {k: p for k, p in self.parameters.items() if not isinstance(p, tuple | EvenGrid)}

    @property
    def lists(self) -> dict[str, Values]:
        """The parameters whose values are listed, in the file or as a grid."""
        found = {k: p for k, p in self.parameters.items() if isinstance(p, tuple | EvenGrid)}
        return {k: p.values() if isinstance(p, EvenGrid) else p for k, p in found.items()}


def check_bounds(low: float, high: float) -> None:
    """Refuse bounds that hold nothing between them."""
    if not low < high:
        raise ValueError(f"expected low below high, got {low:g} and {high:g}")


def extremes(parameter: Parameter) -> Sequence[Any]:
    """Return the values of a parameter that are tried before a sweep begins."""
    if isinstance(parameter, tuple):
        return parameter[:_TRIED]
    return (parameter.low, parameter.high)
