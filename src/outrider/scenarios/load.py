"""Scenario files: reading, includes, overrides, and writing."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from outrider.core.errors import BusError, ConfigError
from outrider.core.files.yaml_file import parse_yaml, read_yaml, yaml_text
from outrider.core.structure import Data, from_data, plain
from outrider.loader.library import Kind, find_file, overlay, resolve_world_spec, shown_path
from outrider.messages.topics import check_name
from outrider.scenarios.kinds import refuse_alone
from outrider.scenarios.names import with_names
from outrider.scenarios.overrides import override
from outrider.scenarios.scenario import Scenario
from outrider.sensors.catalogue import plan_sensor
from outrider.specs.component import check_components
from outrider.specs.references import rooted
from outrider.specs.sensor import SensorEntry


def load(name_or_path: str | Path, overrides: Iterable[str] = ()) -> Scenario:
    """Return a scenario of the library or of a file; overrides are ``dotted.path=value``."""
    path = find_file("scenarios", name_or_path)
    return changed(_scenario(merged(path), shown_path(path)), overrides)


def loads(text: str, base: Path = Path(), where: str = "scenario") -> Scenario:
    """Return the scenario in a YAML text; relative paths start in ``base``."""
    data = _with_includes(rooted(parse_yaml(text, where), "scenario", base), base, where, ())
    return _scenario(data, where)


def dump(scenario: Scenario) -> str:
    """Return a scenario as the YAML text that reads back to it."""
    return yaml_text(plain(scenario))


def changed(scenario: Scenario, overrides: Iterable[str], source: str = "--set") -> Scenario:
    """Return a scenario with overrides laid over it; ``source`` names them in errors."""
    return _scenario(rooted(override(plain(scenario), overrides), "scenario", Path()), source)


def merged(path: Path, above: tuple[Path, ...] = ()) -> Data:
    """Return the data of a file over that of the files it includes."""
    if path.resolve() in above:
        chain = " -> ".join(shown_path(p) for p in (*above, path.resolve()))
        raise ConfigError(f"scenarios include each other in a cycle: {chain}")
    read = read_yaml(path)
    if not read:
        raise ConfigError(
            f"{shown_path(path)}: the file is empty: a scenario names a world or robots"
        )
    if not above:  # what is included may be a mere part
        refuse_alone(read, str(path))
    check_components(read, path.parent, shown_path(path))
    data = {"name": path.stem, **rooted(read, "scenario", path.parent)}
    return _with_includes(data, path.parent, shown_path(path), (*above, path.resolve()))


def _scenario(data: Data, where: str) -> Scenario:
    scenario = with_names(from_data(Scenario, _with_world(data, where), where), where)
    if isinstance(scenario.world, str):
        _check_found("worlds", scenario.world, f"{where}: world")
    for number, robot in enumerate(scenario.robots):
        _check_found("robots", robot.model, f"{where}: robots.{number}.model")
        _check_namespace(robot.namespace, f"{where}: robots.{number}.namespace")
        _check_sensors(robot.sensors, f"{where}: robots.{number}.sensors")
    _check_sensors(scenario.sensors, f"{where}: sensors")
    return scenario


def _check_namespace(namespace: str | None, where: str) -> None:
    example = re.sub(r"\{\w+\}", "x", namespace or "").strip("/")
    try:
        check_name(f"/{example or 'x'}")
    except BusError:
        expected = "letters, digits and _ between single slashes"
        raise ConfigError(f"{where}: expected {expected}, got '{namespace}'") from None


def _check_sensors(sensors: Iterable[SensorEntry], where: str) -> None:
    named: set[str] = set()
    for number, sensor in enumerate(sensors):
        if sensor.name and sensor.name in named:
            raise ConfigError(f"{where}.{number}.name: two sensors have the name '{sensor.name}'")
        named.add(sensor.name)
        _check_found("sensors", sensor.model, f"{where}.{number}.model")
        plan_sensor(sensor, f"{where}.{number}")


def _check_found(kind: Kind, name: str, where: str) -> None:
    try:
        find_file(kind, name)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None


def _with_includes(data: Data, base: Path, where: str, above: tuple[Path, ...]) -> Data:
    """Lay a scenario's keys over those it includes; of several includes, later ones win."""
    names = data.pop("include", [])
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ConfigError(f"{where}: include: expected a file or a list of files, got {names!r}")
    low: Data = {}
    for name in names:
        try:
            file = find_file("scenarios", name, base)
        except ConfigError as error:
            raise ConfigError(f"{where}: include: {error}") from None
        low = overlay(low, merged(file, above))
    return overlay(low, data)


def _with_world(data: Data, where: str) -> Data:
    """Resolve what a world written inside the scenario includes."""
    world = data.get("world")
    if not isinstance(world, Mapping):
        return data
    return {**data, "world": plain(resolve_world_spec(world, Path(), f"{where}: world"))}
