"""What a YAML file is, judging by its keys: a scenario, a world, a robot or a model."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Literal, TypeAlias

from outrider.core.errors import ConfigError
from outrider.scenarios.scenario import Scenario
from outrider.specs.world import ModelSpec, WorldSpec
from outrider.vehicles.spec import RobotSpec

FileKind: TypeAlias = Literal["scenario", "world", "robot", "model"]

_CLASSES: dict[FileKind, type] = {
    "scenario": Scenario,
    "world": WorldSpec,
    "robot": RobotSpec,
    "model": ModelSpec,
}


def kind_of(data: Mapping[str, object], where: str) -> FileKind:
    """Return the kind that knows most of a file's keys; a mere include makes a scenario."""
    if not data:
        raise ConfigError(f"{where}: the file is empty: a scenario names a world or robots")
    keys = data.keys() - {"include"}
    return max(_CLASSES, key=lambda kind: sum(f.name in keys for f in fields(_CLASSES[kind])))
