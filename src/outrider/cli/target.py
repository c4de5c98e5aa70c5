"""What ``outrider run`` is asked to run: a scenario, a world under a robot, or a robot."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from outrider.core.errors import ConfigError, near_match
from outrider.formats.library import find_file, library_names
from outrider.formats.project import PROJECT_FILE, load_project
from outrider.formats.project_zip import opened
from outrider.formats.yaml_file import read_yaml
from outrider.scenarios.kinds import kind_of
from outrider.scenarios.load import changed, load
from outrider.scenarios.scenario import RobotEntry, Scenario

DEMO = "demo"


def find_scenario(what: str | None, robot: str | None, settings: list[str]) -> Scenario:
    """Return the scenario of a name or file; a world alone gets a robot and no end."""
    scenario = changed(_scenario(what or DEMO, robot), settings)
    if robot is None:
        return scenario
    if not scenario.robots:
        raise ConfigError(f"--robot: scenario '{scenario.name}' has no robot to replace")
    first = replace(scenario.robots[0], model=robot, name="", namespace=None)
    renamed = replace(scenario, robots=(first, *scenario.robots[1:]))
    return changed(renamed, (), "--robot")


def with_flags(scenario: Scenario, flags: dict[str, tuple[str, Any]]) -> Scenario:
    """Return a scenario with the values of options that were given, checked as a file's are."""
    for option, (path, value) in flags.items():
        if value is not None:
            scenario = changed(scenario, [f"{path}={value}"], option)
    return scenario


def _scenario(what: str, robot: str | None) -> Scenario:
    if Path(what).suffix.lower() == ".zip":
        return load(opened(Path(what)).scenario)
    if (Path(what) / PROJECT_FILE).is_file():
        return load(load_project(Path(what)).scenario)
    if _is_path(what):
        return _of_file(what)
    if what in library_names("scenarios"):
        return load(what)
    if what in library_names("worlds"):
        return _in_world(what, robot or "jackal", what)
    known = [*library_names("scenarios"), *library_names("worlds")]
    raise ConfigError(
        f"there is no scenario or world '{what}'{near_match(what, known)};"
        f" known: {', '.join(known)}"
    )


def _of_file(what: str) -> Scenario:
    path = find_file("scenarios", what)
    kind = kind_of(read_yaml(path))
    if kind == "world":
        return _in_world(path.stem, "jackal", str(path.resolve()))
    if kind == "robot":
        return _in_world(path.stem, str(path.resolve()), "empty")
    return load(path)


def _in_world(name: str, robot: str, world: str) -> Scenario:
    entry = RobotEntry(model=robot)
    return Scenario(name=name, world=world, robots=(entry,), duration_s=None)


def _is_path(what: str) -> bool:
    return what.endswith((".yaml", ".yml")) or "/" in what or Path(what).suffix != ""
