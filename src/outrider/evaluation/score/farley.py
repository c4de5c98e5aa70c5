"""The published tables of Farley et al., and the equations behind them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from outrider.core.files.package_files import LIBRARY
from outrider.core.files.yaml_file import read_yaml
from outrider.core.structure import from_data
from outrider.evaluation.measures.imu import AxisFigures, ImuError, imu_error_of

MEASURED = "husky-gravel-straight"  # the one test whose real figures are printed
_UP = np.array([1.0, -1.0, -1.0])  # from their axes, z down, to ours


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A row of table 11."""

    label: str
    weight: float
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """Ranges and means of one test, per axis: simulated by CoppeliaSim, and real."""

    sim_range: tuple[float, ...]
    real_range: tuple[float, ...]
    sim_mean: tuple[float, ...]
    real_mean: tuple[float, ...]

    def error(self) -> ImuError:
        """Return equation 7 on the printed figures."""
        values = (self.sim_range, self.sim_mean, self.real_range, self.real_mean)
        return imu_error_of(*(np.array(value) for value in values))

    def real(self) -> AxisFigures:
        """Return the real row in our axes (z up), centred on its mean."""
        mean, half = np.array(self.real_mean) * _UP, np.array(self.real_range) / 2
        return AxisFigures(mean, mean + half, mean - half)


@dataclass(frozen=True, slots=True)
class Farley:
    """Tables 6, 7, 10 and 11."""

    simulators: tuple[str, ...]
    printed_total: tuple[float, ...]
    rows: dict[str, ScoreRow] = field(default_factory=dict)
    measured: dict[str, tuple[float, ...]] = field(default_factory=dict)
    gravel_straight: dict[str, Example] = field(default_factory=dict)


@cache
def farley() -> Farley:
    """Return the published tables."""
    path = LIBRARY / "published" / "farley2022.yaml"
    return from_data(Farley, read_yaml(path), path.name)


def more_is_better(values: Sequence[float]) -> list[float]:
    """Return each value over the largest: how table 11 scores the real-time factor."""
    return [value / max(values) for value in values]


def less_is_better(values: Sequence[float]) -> list[float]:
    """Return the smallest value over each: equations 4 (CPU load) and 8 (IMU error)."""
    return [min(values) / value for value in values]


def total(scores: dict[str, float]) -> float:
    """Return the weighted sum of one simulator's scores."""
    rows = farley().rows
    return sum(rows[key].weight * score for key, score in scores.items())


def published_scores(number: int) -> dict[str, float]:
    """Return a column of table 11 as it is printed."""
    return {key: row.scores[number] for key, row in farley().rows.items()}


def recomputed_scores(ours: dict[str, float] | None = None) -> list[dict[str, float]]:
    """Return the columns with table 10 put through the equations.

    With ``ours`` (the same quantities, measured by us) the largest and smallest run over five
    simulators, and our column is the last one; it lacks what was not measured.
    """
    published, count = farley(), len(farley().simulators)
    columns = [published_scores(number) for number in range(count)]
    own: dict[str, float] = {}
    for key, values in published.measured.items():
        found = list(values) + ([ours[key]] if ours and key in ours else [])
        scores = (more_is_better if key == "real_time" else less_is_better)(found)
        for column, score in zip(columns, scores, strict=False):
            column[key] = score
        if len(scores) > count:
            own[key] = scores[-1]
    return columns if ours is None else [*columns, own]
