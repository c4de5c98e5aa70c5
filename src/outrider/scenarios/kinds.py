"""What a YAML file is: a scenario, a world or a robot, told by its keys."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Literal, TypeAlias

from outrider.formats.world_file import WorldSpec
from outrider.scenarios.scenario import Scenario
from outrider.vehicles.spec import RobotSpec

FileKind: TypeAlias = Literal["scenario", "world", "robot"]

_CLASSES: dict[FileKind, type] = {"scenario": Scenario, "world": WorldSpec, "robot": RobotSpec}


def kind_of(data: Mapping[str, Any]) -> FileKind:
    """Return the kind that knows most of a file's keys; a mere include makes a scenario."""
    keys = data.keys() - {"include"}
    return max(_CLASSES, key=lambda kind: sum(f.name in keys for f in fields(_CLASSES[kind])))
