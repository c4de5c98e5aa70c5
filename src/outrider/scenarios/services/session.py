"""What other programs may change in a running simulation: services that carry plain values."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from outrider.core.errors import ConfigError
from outrider.core.structure import build
from outrider.scenarios.scenario import RobotEntry
from outrider.scenarios.session.changes import (
    AddObject,
    AddRobot,
    AddSensor,
    LoadWorld,
    Move,
    Remove,
    RemoveSensor,
    RenameTopic,
)
from outrider.scenarios.session.session import Session
from outrider.specs.references import map_files
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import ObjectSpec, PoseSpec

Arguments: TypeAlias = dict[str, Any]
Service: TypeAlias = Callable[[Arguments], dict[str, Any]]
T = TypeVar("T")


def session_services(session: Session, done: Callable[[], dict[str, Any]]) -> dict[str, Service]:
    """Return the services of a session; each answers with what ``done`` says afterwards."""
    work: dict[str, Callable[[Arguments], object]] = {
        "move": lambda a: session.apply(_move(a)),
        "remove": lambda a: session.apply(_made(Remove, a, "remove")),
        "add_object": lambda a: session.apply(AddObject(_made(ObjectSpec, _files(a), "object"))),
        "add_robot": lambda a: session.apply(AddRobot(_made(RobotEntry, a, "robot"))),
        "add_sensor": lambda a: session.apply(_add_sensor(a)),
        "remove_sensor": lambda a: session.apply(_made(RemoveSensor, a, "remove_sensor")),
        "rename_topic": lambda a: session.apply(_made(RenameTopic, a, "rename_topic")),
        "load_world": lambda a: session.apply(LoadWorld(_text(a, "world"))),
        "undo": lambda a: session.undo(),  # noqa: ARG005 - all have one shape
        "redo": lambda a: session.redo(),  # noqa: ARG005
        "save_state": lambda a: session.save(_text(a, "file")),
        "load_state": lambda a: session.load(_text(a, "file")),
    }

    def service(act: Callable[[Arguments], object]) -> Service:
        def answer(arguments: Arguments) -> dict[str, Any]:
            act(arguments)
            return done()

        return answer

    return {name: service(act) for name, act in work.items()}


def _move(arguments: Arguments) -> Move:
    rest = {key: value for key, value in arguments.items() if key != "name"}
    return Move(_text(arguments, "name"), _made(PoseSpec, rest, "move"))


def _add_sensor(arguments: Arguments) -> AddSensor:
    rest = {key: value for key, value in arguments.items() if key != "robot"}
    robot = arguments.get("robot", "")
    if not isinstance(robot, str):
        raise ConfigError(f"add_sensor: robot: expected text, got {robot!r}")
    return AddSensor(_made(SensorEntry, rest, "sensor"), robot)


def _files(arguments: Arguments) -> Arguments:
    """Return an object whose files are found from where the simulation was started."""
    whole = map_files({"objects": [arguments]}, "world", lambda name: str(Path(name).resolve()))
    found: Arguments = whole["objects"][0]
    return found


def _made(kind: type[T], arguments: Arguments, where: str) -> T:
    return build(kind, arguments, where)


def _text(arguments: Arguments, key: str) -> str:
    value = arguments.get(key)
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{key}: expected text, got {value!r}")
    return value
