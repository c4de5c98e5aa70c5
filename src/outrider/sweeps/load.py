"""Reading a sweep file, and checking all of it before the first run."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from outrider.core.errors import ConfigError, OutriderError
from outrider.core.files.yaml_file import read_yaml
from outrider.core.structure import from_data
from outrider.evaluation.runs.measured_run import check_ends
from outrider.loader.library import find_file, in_library
from outrider.scenarios.build import build
from outrider.scenarios.built_worlds import BuiltWorlds
from outrider.scenarios.kinds import refuse_single_run
from outrider.scenarios.load import changed, load
from outrider.scenarios.scenario import Scenario
from outrider.sensors.catalogue import plan_sensor
from outrider.specs.references import is_file_name
from outrider.sweeps.figures import check_figures
from outrider.sweeps.points import Point, count_points
from outrider.sweeps.settings import settings
from outrider.sweeps.spec import Sweep, extremes

MOST_RUNS = 1_000_000


@dataclass(frozen=True, slots=True)
class LoadedSweep:
    """A sweep that was checked, with the scenario that its points change."""

    name: str
    file: str  # as the user named it, for errors
    sweep: Sweep
    source: str  # the scenario as 'outrider run' finds it
    scenario: Scenario  # with what the sweep sets in all runs


def load_sweep(path: Path) -> LoadedSweep:
    """Return the sweep in a file, or raise what is wrong with it."""
    found = load_search(path)
    _check_counts(found.sweep, str(path))
    return found


def load_search(path: Path) -> LoadedSweep:
    """Return a sweep that is not run point by point: only its ranges count."""
    where = str(path)
    if in_library("scenarios", where):
        raise ConfigError(
            f"{where} is a scenario: 'outrider run {where}' runs it; expected a sweep file"
        )
    data = read_yaml(path)
    refuse_single_run(data, where)
    sweep = from_data(Sweep, data, where)
    _check_lists(sweep, where)
    base = _scenario(sweep, path)
    source = str(find_file("scenarios", sweep.scenario, path.parent))
    found = LoadedSweep(
        name=path.stem,
        file=where,
        sweep=sweep,
        source=source if is_file_name(sweep.scenario) else sweep.scenario,
        scenario=_changed(base, sweep.set, f"{where}: set"),
    )
    check_ends(found.scenario)
    _check_points(found, where)
    check_figures(sweep, found.scenario, where)
    return found


def check_builds(found: LoadedSweep) -> None:
    """Build what the first run needs, and every value that may be a name that does not exist.

    Values that are numbers are not built: what they make impossible is a failed run, a result.
    """
    worlds = BuiltWorlds()
    first = next(_tried(found.sweep), ("", {}))[1]
    _build(found, first, "", worlds)
    for key, point in _tried(found.sweep):
        if point != first and not isinstance(point[key], int | float):
            _build(found, point, f"parameters.{key}: ", worlds)


def _build(found: LoadedSweep, point: Point, key: str, worlds: BuiltWorlds) -> None:
    where = f"{found.file}: {key}"
    try:
        build(changed(found.scenario, settings(point)), quiet=True, worlds=worlds)
    except OutriderError as error:
        raise ConfigError(f"{where}{str(error).removeprefix(where)}") from None


def _scenario(sweep: Sweep, path: Path) -> Scenario:
    try:
        return load(find_file("scenarios", sweep.scenario, path.parent))
    except ConfigError as error:
        raise ConfigError(f"{path}: scenario: {error}") from None


def _check_lists(sweep: Sweep, where: str) -> None:
    for key, values in sweep.lists.items():
        if not values:
            raise ConfigError(
                f"{where}: parameters.{key}: the list is empty: give it at least one value"
            )


def _check_counts(sweep: Sweep, where: str) -> None:
    if sweep.distributions and sweep.samples is None:
        raise ConfigError(
            f"{where}: samples: this key is required: how often to"
            f" sample {', '.join(sweep.distributions)} ('outrider falsify' searches without it)"
        )
    if count_points(sweep) * sweep.repeats > MOST_RUNS:
        raise ConfigError(f"{where}: its parameters make more than {MOST_RUNS} runs")


def _check_points(found: LoadedSweep, where: str) -> None:
    """Try the ends of each parameter, with the first value of all others."""
    for key, point in _tried(found.sweep):
        scenario = _changed(found.scenario, point, f"{where}: parameters")
        place = f"{where}: parameters.{key}"
        for robot in scenario.robots:
            for entry in robot.sensors:
                plan_sensor(entry, place)
        for entry in scenario.sensors:
            plan_sensor(entry, place)


def _tried(sweep: Sweep) -> Iterator[tuple[str, Point]]:
    first: Point = {key: extremes(p)[0] for key, p in sweep.parameters.items()}
    for key, parameter in sweep.parameters.items():
        for value in extremes(parameter):
            yield key, first | {key: value}


def _changed(scenario: Scenario, values: Point, where: str) -> Scenario:
    try:
        return changed(scenario, settings(values), where)
    except ConfigError as error:
        said = str(error).removeprefix("--set: ").removeprefix(f"{where}: ")
        raise ConfigError(f"{where}: {said}") from None
