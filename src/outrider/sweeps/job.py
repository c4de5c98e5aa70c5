"""The jobs of a sweep: numbered runs with what each sets."""

from dataclasses import dataclass

from outrider.core.structure import Data
from outrider.scenarios.scenario import Scenario
from outrider.sweeps.load import LoadedSweep
from outrider.sweeps.points import Point, points
from outrider.sweeps.settings import settings


@dataclass(frozen=True, slots=True)
class Job:
    """One run."""

    run: int  # counts from 1
    point: Point
    seed: int

    @property
    def settings(self) -> tuple[str, ...]:
        """What it sets in the scenario, the seed last."""
        return settings(self.point | {"seed": self.seed})

    def as_data(self) -> Data:
        """Return it as workers get it and the journal keeps it."""
        return {
            "run": self.run,
            "seed": self.seed,
            "point": self.point,
            "settings": list(self.settings),
        }


def jobs_of(found: LoadedSweep) -> list[Job]:
    """Return all runs of a sweep: the repeats of a point follow one another."""
    repeats = found.sweep.repeats
    return [
        job_at(p * repeats + r + 1, point, found.scenario, r)
        for p, point in enumerate(points(found.sweep))
        for r in range(repeats)
    ]


def job_at(run: int, point: Point, scenario: Scenario, repeat: int = 0) -> Job:
    """Return a run at a point; its seed counts up from the point's or the scenario's."""
    return Job(run, point, int(point.get("seed", scenario.seed)) + repeat)
