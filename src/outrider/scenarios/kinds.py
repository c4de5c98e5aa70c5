"""What a YAML file is, judging by its keys."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Literal, TypeAlias

from outrider.core.errors import ConfigError
from outrider.loader.project.folder import PROJECT_FILE
from outrider.scenarios.scenario import Scenario
from outrider.specs.sensor import SensorFile
from outrider.specs.world import ModelSpec, WorldSpec
from outrider.vehicles.spec import RobotSpec

FileKind: TypeAlias = Literal["scenario", "world", "robot", "model", "sensor", "sweep", "project"]

_CLASSES: dict[FileKind, type] = {
    "scenario": Scenario,
    "world": WorldSpec,
    "robot": RobotSpec,
    "model": ModelSpec,
}
_ON_THEIR_OWN: dict[FileKind, str] = {  # what to do with those that no scenario is made of
    "model": "a model cannot run by itself: add it to a world's 'models'",
    "sensor": "a sensor cannot run by itself: name it as 'model' in a robot's 'sensors'",
    "sweep": "a sweep is many runs: start it with 'outrider sweep FILE'",
    "project": "a project is its whole folder: name that",
}
_SEARCH = "a search for failures is many runs: start it with 'outrider falsify FILE'"
_OF_SWEEPS = {"parameters", "samples", "repeats", "falsify", "set"}


def kind_of(data: Mapping[str, object], where: str) -> FileKind:
    """Return the kind that knows most of a file's keys; a mere include makes a scenario."""
    if not data:
        raise ConfigError(f"{where}: the file is empty: a scenario names a world or robots")
    keys = data.keys() - {"include"}
    found = {kind: sum(f.name in keys for f in fields(made)) for kind, made in _CLASSES.items()}
    if "scenario" in keys or Path(where).name == PROJECT_FILE:  # no other kind has this key
        return "sweep" if keys & _OF_SWEEPS else "project"
    of_sensor = sum(f.name in keys for f in fields(SensorFile))
    if "type" in keys and of_sensor > max(found.values()):
        return "sensor"
    return max(_CLASSES, key=lambda kind: found[kind])


def refuse_alone(data: Mapping[str, object], where: str) -> None:
    """Refuse a file that is no scenario and makes none, with what to do with it."""
    kind = kind_of(data, where)
    if kind == "sweep" and "falsify" in data:
        raise ConfigError(f"{where}: {_SEARCH}")
    if kind in _ON_THEIR_OWN:
        raise ConfigError(f"{where}: {_ON_THEIR_OWN[kind]}")


def refuse_single_run(data: Mapping[str, object], where: str) -> None:
    """Refuse a file that is no sweep and nothing like one, with what to do with it."""
    if "scenario" in data or data.keys() & _OF_SWEEPS:
        return  # one of its keys may still be wrong
    refuse_alone(data, where)
    raise ConfigError(
        f"{where}: a {kind_of(data, where)} is one run: start it with 'outrider run FILE'"
        " (a sweep has the keys 'scenario' and 'parameters')"
    )
