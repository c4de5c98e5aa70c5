"""Default names of robots."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

from outrider.core.errors import ConfigError
from outrider.scenarios.scenario import RobotEntry, Scenario


def a_scenario(given: object, wanted_by: str) -> Scenario:
    """Return a scenario, and refuse its name, which is easily given instead."""
    if isinstance(given, Scenario):
        return given
    raise ConfigError(
        f"{wanted_by}: expected a scenario such as o.scenario('demo'), got {given!r:.60}"
    )


def with_names(scenario: Scenario, where: str) -> Scenario:
    """Return a scenario whose robots all have a name of their own and a namespace."""
    models = Counter(_stem(robot) for robot in scenario.robots if not robot.name)
    used: Counter[str] = Counter()
    names: list[str] = []
    for robot in scenario.robots:
        stem = _stem(robot)
        used[stem] += not robot.name
        names.append(robot.name or (f"{stem}_{used[stem]}" if models[stem] > 1 else stem))
    _check_unique(names, where)
    alone = len(names) == 1
    return replace(
        scenario,
        robots=tuple(
            replace(robot, name=name, namespace=_space(robot, name, number, alone=alone))
            for number, (robot, name) in enumerate(zip(scenario.robots, names, strict=True))
        ),
    )


def _space(robot: RobotEntry, name: str, number: int, *, alone: bool) -> str:
    """Return a robot's namespace; placeholders are filled in here, for frames as well."""
    if robot.namespace is None:
        return "" if alone else name
    space = robot.namespace.replace("{ID}", str(number)).replace("{NAME}", name)
    return space.replace("{TYPE}", _stem(robot))


def _stem(robot: RobotEntry) -> str:
    """Return the model's name as a topic can bear it; ``a.urdf.xacro`` is ``a``."""
    return re.sub(r"\W", "_", robot.robot or Path(robot.model).stem.removesuffix(".urdf"))


def _check_unique(names: list[str], where: str) -> None:
    for number, name in enumerate(names):
        if name in names[:number]:
            raise ConfigError(f"{where}: robots.{number}.name: two robots have the name '{name}'")
