"""Our column of table 11: measured where possible, with the basis of every value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from outrider.core.errors import EvaluationError
from outrider.core.structure import Data
from outrider.evaluation.measures.imu import AxisFigures, imu_error_of
from outrider.evaluation.measures.rates import real_time_factor
from outrider.evaluation.runs.series import SeriesOptions, run_series
from outrider.evaluation.score.farley import (
    MEASURED,
    farley,
    published_scores,
    recomputed_scores,
    total,
)
from outrider.evaluation.score.features import features
from outrider.scenarios.load import load
from outrider.scenarios.result import Result

TESTS = tuple(
    f"husky-{g}-{way}" for g in ("grass", "bumps", "gravel") for way in ("straight", "circle")
)
LOADS = {"cpu_average": "husky-load-1", "cpu_intense": "husky-load-5"}
_IMU = "husky/lord"


@dataclass(frozen=True, slots=True)
class Score:
    """All columns, and the basis of ours."""

    published: list[dict[str, float]]
    recomputed: list[dict[str, float]]  # over four simulators
    with_ours: list[dict[str, float]]  # over five; ours is the last
    measured: dict[str, float]
    because: dict[str, str]

    @property
    def ours(self) -> dict[str, float]:
        """Our scores."""
        return self.with_ours[-1]

    def as_json(self) -> Data:
        """Return it as plain data."""
        names = farley().simulators
        columns = {
            "published": dict(zip(names, self.published, strict=True)),
            "recomputed": dict(zip(names, self.recomputed, strict=True)),
            "over_five": dict(zip([*names, "Outrider"], self.with_ours, strict=True)),
        }
        totals = {
            kind: {name: total(scores) for name, scores in found.items()}
            for kind, found in columns.items()
        }
        weights = {key: row.weight for key, row in farley().rows.items()}
        return {
            "weights": weights,
            **columns,
            "totals": totals,
            "measured": self.measured,
            "because": self.because,
        }


def measure_score(
    out: Path | None = None, speed: float = 1.0, tell: Callable[[str], None] = lambda _: None
) -> Score:
    """Run the six tests and the two loads, in real time, and score them."""
    found: dict[str, Result] = {}
    for name in (*TESTS, *LOADS.values()):
        tell(name)
        place = None if out is None else out / name
        series = run_series(load(name), SeriesOptions(runs=1, speed=speed, out=place))
        found[name] = series.results[0]
    return score_of(found)


def score_of(results: dict[str, Result]) -> Score:
    """Score results of the eight scenarios."""
    for name in (*TESTS, *LOADS.values()):
        if "robots" not in results.get(name, {}):
            why = results.get(name, {}).get("reason", "it was not run")
            raise EvaluationError(f"the score needs '{name}', which has no figures: {why}")
    measured, because = _measured(results)
    qualities = features()
    because |= {key: item.because for key, item in qualities.items()}
    five = recomputed_scores(measured)
    five[-1] |= {key: item.score for key, item in qualities.items()}
    published = [published_scores(number) for number in range(len(farley().simulators))]
    return Score(published, recomputed_scores(), five, measured, because)


def gravel_errors(imu: Data) -> dict[str, float]:
    """Return equation 7 for our run on gravel, against the one real row that is published."""
    out = {}
    for key, name in (("angular", "angular_velocity"), ("linear", "acceleration")):
        real: AxisFigures = farley().gravel_straight[key].real()
        sim_range, sim_mean = (np.array(imu[name][part]) for part in ("range", "mean"))
        out[key] = imu_error_of(sim_range, sim_mean, real.range, real.mean).total
    return out


def _measured(results: dict[str, Result]) -> tuple[dict[str, float], dict[str, str]]:
    tests = [results[name] for name in TESTS]
    factor = real_time_factor(tests)
    loads = {key: _load(results[name]) for key, name in LOADS.items()}
    errors = gravel_errors(results[MEASURED]["imu"][_IMU])
    measured = {"real_time": factor, **loads}
    because = {
        "real_time": f"six tests against the clock: {factor:.3f}, scored as R / max R",
        **{k: f"{v:.1f} % of one core, paced" for k, v in loads.items()},
    }
    units = {"angular": "rad/s", "linear": "m/s²"}
    for key, error in errors.items():
        row, column = farley().gravel_straight[key].error().total, farley().measured[key][0]
        measured[key] = error / row * column
        because[key] = (
            f"one of six tests (gravel, straight; data of the others are not public): {error:.3g}"
            f" beside CoppeliaSim's {row:.4g} {units[key]}, times its total of {column:g}"
        )
    return measured, because


def _load(result: Result) -> float:
    resources: Data = result["resources"]
    return float(resources["cpu_percent"])


def table_rows(score: Score) -> list[dict[str, str]]:
    """Return table 11 with our column next to the four published ones, and the totals."""
    names: Sequence[str] = farley().simulators
    rows = []
    for key, row in farley().rows.items():
        cells = {name: f"{row.scores[i]:.3f}" for i, name in enumerate(names)}
        again = {f"{name}*": f"{score.recomputed[i][key]:.3f}" for i, name in enumerate(names)}
        ours = f"{score.ours[key]:.3f}"
        rows.append(
            {"metric": row.label, "weight": f"{row.weight:g}", "Outrider": ours, **cells, **again}
        )
    sums = {name: f"{total(score.published[i]):.3f}" for i, name in enumerate(names)}
    again = {f"{name}*": f"{total(score.recomputed[i]):.3f}" for i, name in enumerate(names)}
    weight = sum(row.weight for row in farley().rows.values())
    last = {"metric": "Total", "weight": f"{weight:g}", "Outrider": f"{total(score.ours):.3f}"}
    return [*rows, {**last, **sums, **again}]
