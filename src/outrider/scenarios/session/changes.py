"""Changes to a scenario, as values: what a user does to a running simulation."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar, assert_never, get_args

from outrider.actors.spec import ActorSpec, actor_names
from outrider.core.errors import ConfigError, near_match
from outrider.core.structure import Data
from outrider.loader.library import load_world_spec
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import ModelEntry, ObjectSpec, PoseSpec, WorldSpec


@dataclass(frozen=True, slots=True)
class Move:
    """Move a robot, object or model, at rest; without ``z`` onto the ground."""

    name: str
    pose: PoseSpec


@dataclass(frozen=True, slots=True)
class AddObject:
    """Add an obstacle."""

    object: ObjectSpec


@dataclass(frozen=True, slots=True)
class AddActor:
    """Add people, cars or animals: one entry of ``actors``."""

    actor: ActorSpec


@dataclass(frozen=True, slots=True)
class SetObject:
    """Replace the object of a name, with another shape, mass, material or colour."""

    object: ObjectSpec


@dataclass(frozen=True, slots=True)
class AddRobot:
    """Add a robot."""

    robot: RobotEntry


@dataclass(frozen=True, slots=True)
class SetRobot:
    """Replace the entry of a robot, for example with other motions."""

    robot: RobotEntry


@dataclass(frozen=True, slots=True)
class AddModel:
    """Add a model file; from now on the world is the scenario's own."""

    model: ModelEntry


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a robot, object or model."""

    name: str


@dataclass(frozen=True, slots=True)
class AddSensor:
    """Mount a sensor on a robot, or without a robot in the world."""

    sensor: SensorEntry
    robot: str = ""


@dataclass(frozen=True, slots=True)
class RemoveSensor:
    """Remove a sensor that the scenario added."""

    name: str
    robot: str = ""


@dataclass(frozen=True, slots=True)
class SetSensor:
    """Change a sensor's values; one from the robot file is replaced by the scenario's."""

    sensor: SensorEntry
    robot: str = ""


@dataclass(frozen=True, slots=True)
class RenameTopic:
    """Rename a robot's topic, by its key in the topic table."""

    robot: str
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class LoadWorld:
    """Switch to another world with the same robots, placed at that world's start."""

    world: str | WorldSpec


@dataclass(frozen=True, slots=True)
class SetScenario:
    """Replace any part of the scenario, such as the lights. What keeps its name continues."""

    scenario: Scenario


Change: TypeAlias = (
    Move
    | AddObject
    | AddActor
    | SetObject
    | AddModel
    | AddRobot
    | SetRobot
    | Remove
    | AddSensor
    | RemoveSensor
    | SetSensor
    | RenameTopic
    | LoadWorld
    | SetScenario
)


def _check(change: object) -> None:
    """Refuse what is no change."""
    if not isinstance(change, get_args(Change)):
        kinds = ", ".join(kind.__name__ for kind in get_args(Change))
        raise ConfigError(f"apply: expected a change ({kinds}), got {change!r:.60}")


class _Named(Protocol):
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=_Named)
_Placed: TypeAlias = RobotEntry | ObjectSpec | ModelEntry | ActorSpec


def after_change(scenario: Scenario, change: Change) -> Scenario:
    """Return a scenario after a change; nothing is built or checked beyond names."""
    _check(change)
    match change:
        case Move(name) | Remove(name):
            left = _each(scenario, name, partial(_left_by, change))
            return _with_components_of(left, change)
        case AddObject() | AddActor() | AddRobot():
            return _with_more(scenario, change)
        case SetObject(thing) | SetRobot(thing):
            return _each(scenario, thing.name, lambda _: thing)
        case AddModel(model):
            spec = _world(scenario)
            return replace(scenario, world=replace(spec, models=(*spec.models, model)))
        case AddSensor() | RemoveSensor() | SetSensor():
            sensors = partial(_sensors_after, change)
            return _with_sensors(scenario, change.robot, sensors)
        case RenameTopic(robot, key, name):
            entry = _found(scenario.robots, robot, "robot")
            return _with_robot(scenario, entry, topics={**entry.topics, key: name})
        case LoadWorld(world):
            free = tuple(replace(entry, pose=None) for entry in scenario.robots)
            return replace(scenario, world=world, robots=free, obstacles=(), actors=())
        case SetScenario(other):
            return other
    assert_never(change)


def _with_more(scenario: Scenario, change: AddObject | AddActor | AddRobot) -> Scenario:
    match change:
        case AddObject(item):
            return replace(scenario, obstacles=(*scenario.obstacles, item))
        case AddActor(actor):
            return replace(scenario, actors=(*scenario.actors, actor))
        case AddRobot(entry):
            return replace(scenario, robots=(*scenario.robots, entry))


def _sensors_after(
    change: AddSensor | RemoveSensor | SetSensor, sensors: tuple[SensorEntry, ...]
) -> tuple[SensorEntry, ...]:
    match change:
        case AddSensor(sensor):
            return (*sensors, sensor)
        case RemoveSensor(name):
            return _without(sensors, name)
        case SetSensor(sensor):
            return _with(sensors, sensor)


def names_of(scenario: Scenario) -> list[str]:
    """Return the names of all robots, objects, models and actors that a scenario puts in."""
    spec = _world(scenario)
    placed = [item.name for item in (*scenario.obstacles, *spec.objects)]
    acting = (*scenario.actors, *spec.actors)
    placed += [name for entry in acting for name in (entry.name, *actor_names(entry))]
    return [entry.name for entry in scenario.robots] + placed + [_called(m) for m in spec.models]


def _called(thing: _Named) -> str:
    """Return an object's name; that of a model file defaults to the file's own."""
    return thing.name or (Path(thing.file).stem if isinstance(thing, ModelEntry) else "")


def _world(scenario: Scenario) -> WorldSpec:
    world = scenario.world
    return world if isinstance(world, WorldSpec) else load_world_spec(world)


def _each(scenario: Scenario, name: str, change: Callable[[Any], Any]) -> Scenario:
    """Change the object of a name, anywhere in the scenario or its world."""
    spec = _world(scenario)
    if name not in names_of(scenario):
        hint = near_match(name, names_of(scenario))
        raise ConfigError(f"there is no robot or object '{name}'{hint}")
    for entry in (*scenario.actors, *spec.actors):
        if name in actor_names(entry) and name != entry.name:
            raise ConfigError(f"'{name}' is one of the actors '{entry.name}': name them all")

    def mapped(things: tuple[N, ...]) -> tuple[N, ...]:
        found = (change(thing) if _called(thing) == name else thing for thing in things)
        return tuple(thing for thing in found if thing is not None)

    inside = name in {_called(m) for m in (*spec.models, *spec.objects, *spec.actors)}
    if inside:  # from now on the world is the scenario's own
        spec = replace(
            spec,
            objects=mapped(spec.objects),
            models=mapped(spec.models),
            actors=mapped(spec.actors),
        )
    return replace(
        scenario,
        world=spec if inside else scenario.world,
        robots=mapped(scenario.robots),
        obstacles=mapped(scenario.obstacles),
        actors=mapped(scenario.actors),
    )


def _with_components_of(scenario: Scenario, change: Move | Remove) -> Scenario:
    """Let the components on something that is removed go with it."""
    name = change.name
    if isinstance(change, Move):
        return scenario

    def left(entries: tuple[Data, ...]) -> tuple[Data, ...]:
        return tuple(one for one in entries if not f"{one.get('on', '')}/".startswith(f"{name}/"))

    spec = _world(scenario)
    if left(spec.components) != spec.components:
        scenario = replace(scenario, world=replace(spec, components=left(spec.components)))
    return replace(scenario, components=left(scenario.components))


def _left_by(change: Move | Remove, thing: _Placed) -> Any:
    """Return what remains of an object after a change."""
    return _moved(thing, change.pose) if isinstance(change, Move) else None


def _moved(thing: _Placed, pose: PoseSpec) -> Any:
    if isinstance(thing, ActorSpec):
        raise ConfigError(f"'{thing.name}' moves by itself and cannot be moved")
    if isinstance(thing, ObjectSpec) and thing.path is not None:
        raise ConfigError(f"'{thing.name}' is scripted and cannot be moved")
    return replace(thing, pose=pose)


def _with_sensors(
    scenario: Scenario,
    robot: str,
    change: Callable[[tuple[SensorEntry, ...]], tuple[SensorEntry, ...]],
) -> Scenario:
    if not robot:
        return replace(scenario, sensors=change(scenario.sensors))
    entry = _found(scenario.robots, robot, "robot")
    return _with_robot(scenario, entry, sensors=change(entry.sensors))


def _with_robot(scenario: Scenario, entry: RobotEntry, **values: Any) -> Scenario:
    after = replace(entry, **values)
    return replace(scenario, robots=tuple(after if r is entry else r for r in scenario.robots))


def _with(sensors: tuple[SensorEntry, ...], new: SensorEntry) -> tuple[SensorEntry, ...]:
    if any(sensor.name == new.name for sensor in sensors):
        return tuple(new if sensor.name == new.name else sensor for sensor in sensors)
    return (*sensors, new)


def _without(sensors: tuple[SensorEntry, ...], name: str) -> tuple[SensorEntry, ...]:
    gone = _found(sensors, name, "sensor of the scenario")
    return tuple(sensor for sensor in sensors if sensor is not gone)


def _found(things: Iterable[N], name: str, kind: str) -> N:
    every = {thing.name: thing for thing in things}
    if name not in every:
        raise ConfigError(f"there is no {kind} '{name}'{near_match(name, every)}")
    return every[name]
