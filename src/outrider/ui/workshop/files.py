"""Robots and models of a session, changed through their files and saved under names."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from outrider.core.errors import ConfigError
from outrider.loader.save import save_model
from outrider.scenarios.scenario import RobotEntry
from outrider.scenarios.session.changes import Change, RemoveSensor, SetRobot
from outrider.scenarios.session.session import Session
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import IN_PLACE, ModelSpec, ObjectSpec, PartSpec
from outrider.ui.editing import entry_of, object_of
from outrider.ui.projects import checked_name
from outrider.vehicles.robot_file import RobotFiles, keep_robot, read_robot, save_robot


def robot_of(session: Session, name: str) -> RobotFiles:
    """Return the contents of a robot's files."""
    entry = entry_of(session, name)
    return read_robot(entry.model, entry.args, entry.search, entry.robot)


def rebuilt(session: Session, name: str, change: Callable[[RobotFiles], RobotFiles]) -> SetRobot:
    """Return the change that gives a robot new files, stored in the cache."""
    entry = entry_of(session, name)
    made = change(robot_of(session, name))
    file = keep_robot(made.spec, made.model)
    return SetRobot(replace(entry, model=str(file), args={}, search=(), robot=""))


def removed_sensor(session: Session, name: str, robot: str) -> Change:
    """Return the change that removes a sensor, from the robot's own file if it is there."""
    if not robot:
        return RemoveSensor(name)
    entry = entry_of(session, robot)
    left = tuple(sensor for sensor in entry.sensors if sensor.name != name)
    own = robot_of(session, robot).spec.sensors
    if all(sensor.name != name for sensor in own):
        return SetRobot(replace(entry, sensors=left))
    change = rebuilt(session, robot, lambda files: _without_sensor(files, name))
    return SetRobot(replace(change.robot, sensors=left))


def _without_sensor(files: RobotFiles, name: str) -> RobotFiles:
    kept = tuple(sensor for sensor in files.spec.sensors if sensor.name != name)
    return replace(files, spec=replace(files.spec, sensors=kept))


def save_robot_as(session: Session, name: str, folder: Path, called: str) -> Path:
    """Write a robot with all sensors added by the scenario; return its file."""
    entry = entry_of(session, name)
    files = robot_of(session, name)
    spec = replace(
        files.spec,
        name=checked_name(called, "robot"),
        sensors=_all_sensors(files.spec.sensors, entry),
        topics={**files.spec.topics, **entry.topics},
    )
    return save_robot(spec, files.model, folder / "robots" / called)


def save_model_as(session: Session, name: str, folder: Path, called: str) -> Path:
    """Write an object as a model file, for worlds to include; return the file."""
    item = object_of(session, name)
    if item.path is not None:
        raise ConfigError(f"'{name}' has a scripted motion, which a model file cannot hold")
    spec = ModelSpec(
        checked_name(called, "model"), mass=item.mass, material=item.material, parts=parts_of(item)
    )
    return save_model(spec, folder / "models" / f"{called}.yaml")


def parts_of(item: ObjectSpec) -> tuple[PartSpec, ...]:
    """Return an object's parts: its own, or its single shape."""
    if item.parts or item.shape is None:
        return item.parts
    return (PartSpec(item.shape, IN_PLACE, item.material, item.colour, item.texture),)


def robot_files(folder: Path) -> list[Path]:
    """Return the robots saved in a folder."""
    return sorted((folder / "robots").glob("*/*.yaml"))


def model_files(folder: Path) -> list[Path]:
    """Return the models saved in a folder."""
    return sorted((folder / "models").glob("*.yaml"))


def _all_sensors(own: tuple[SensorEntry, ...], entry: RobotEntry) -> tuple[SensorEntry, ...]:
    """Return a robot's sensors; those of the scenario replace its own of the same name."""
    later = {sensor.name: sensor for sensor in entry.sensors}
    kept = tuple(later.pop(sensor.name, sensor) for sensor in own)
    return (*kept, *later.values())
