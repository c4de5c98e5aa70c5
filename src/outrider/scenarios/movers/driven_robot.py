"""The robot that a scenario's autonomy stack drives."""

from dataclasses import replace
from pathlib import Path

from outrider.core.errors import ConfigError, near_match
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.vehicles.drivetrain import make_drivetrain
from outrider.vehicles.robot import Robot


def driven(scenario: Scenario) -> RobotEntry:
    """Return the robot that the autonomy stack drives."""
    assert scenario.autonomy is not None
    name, robots = scenario.autonomy.robot, scenario.robots
    if not name and len(robots) == 1:
        return robots[0]
    for entry in robots:
        if entry.name == name:
            return entry
    hint = near_match(name, [entry.name for entry in robots])
    raise ConfigError(f"{scenario.name}: autonomy.robot: there is no robot '{name}'{hint}")


def needs_odometry_frame(scenario: Scenario, entry: RobotEntry) -> bool:
    """Return whether the stack says where a robot's odometry frame is, in place of the robot."""
    spec = scenario.autonomy
    return spec is not None and spec.reactive is None and driven(scenario).name == entry.name


def with_curves(robot: Robot, curves: dict[str, str]) -> Robot:
    """Return a car that takes further commands, or takes some through other curves."""
    paths = {key: str(Path(name).absolute()) for key, name in curves.items()}
    spec = robot.spec.drivetrain.with_curves(paths)
    return replace(
        robot, spec=replace(robot.spec, drivetrain=spec), drivetrain=make_drivetrain(spec)
    )


def with_odometry_frame(robot: Robot, published: bool) -> Robot:
    """Return the robot with its own odom frame on /tf or without: others may say where that is."""
    odometry = replace(robot.spec.odometry, publish_tf=published)
    return replace(robot, spec=replace(robot.spec, odometry=odometry))
