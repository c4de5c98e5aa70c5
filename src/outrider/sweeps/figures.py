"""Checks that runs have the figures that a sweep names."""

from collections.abc import Iterable, Sequence

from outrider.core.errors import ConfigError, SweepError, near_match
from outrider.core.structure import Data
from outrider.scenarios.expectations import NAMED_BY_SENSORS, RUN_FIGURES
from outrider.scenarios.names import with_names
from outrider.scenarios.run_metrics import FIGURES
from outrider.scenarios.scenario import Scenario
from outrider.sweeps.spec import Sweep
from outrider.sweeps.table import LEFT_OUT, measures

_OF_ALL_ROBOTS = ("distance_m", "collisions")


def check_figures(sweep: Sweep, scenario: Scenario, where: str) -> None:
    """Refuse names of figures that no run has: nothing would ever fail, or rank, by them."""
    known = _known(scenario)
    for key, figure in _named(sweep):
        if figure not in known and not figure.startswith(NAMED_BY_SENSORS):
            longer = next((name for name in known if name.endswith(f".{figure}")), None)
            hint = f" (did you mean '{longer}'?)" if longer else near_match(figure, known)
            raise ConfigError(f"{where}: {key}: there is no figure '{figure}'{hint}")


def check_measured(figure: str, lines: Sequence[Data]) -> None:
    """Refuse to judge completed runs by a figure that was not measured in them."""
    for line in lines:
        if line["completed"] and figure not in measures(line):
            raise SweepError(
                f"falsify.fail.figure: '{figure}' was not measured in run {line['run']}"
            )


def _named(sweep: Sweep) -> Iterable[tuple[str, str]]:
    if sweep.worst_by:
        yield "worst_by", sweep.worst_by
    if sweep.falsify.fail is not None:
        yield "falsify.fail.figure", sweep.falsify.fail.figure


def _known(scenario: Scenario) -> list[str]:
    robots = with_names(scenario, scenario.name).robots
    of_runs = [name for name in RUN_FIGURES if name.partition(".")[0] not in LEFT_OUT]
    of_robots = [f"robots.{robot.name}.{name}" for robot in robots for name in FIGURES]
    return [*_OF_ALL_ROBOTS, *of_runs, *of_robots]
