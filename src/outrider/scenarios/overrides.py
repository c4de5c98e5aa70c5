"""Command line values that override a scenario's data: ``robots.0.pose.x=2``."""

from collections.abc import Iterable
from typing import Any

from outrider.core.errors import ConfigError
from outrider.core.files.yaml_file import parse_yaml
from outrider.core.structure import Data, from_data, plain
from outrider.loader.library import load_world_spec
from outrider.scenarios.scenario import Scenario
from outrider.specs.world import WorldSpec


def override(data: Data, settings: Iterable[str]) -> Data:
    """Return a copy of the data with all settings made; unknown keys are left to the reader."""
    out: Data = plain(data)
    for setting in settings:
        _set(out, setting)
    return out


def _set(data: Data, setting: str) -> None:
    path, equals, text = setting.partition("=")
    keys = path.strip().split(".")
    if not equals or not all(keys):
        raise ConfigError(f"--set: expected KEY=VALUE, got '{setting}'")
    _unfold(data, keys)
    node: Any = data
    for depth, key in enumerate(keys[:-1]):
        node = _child(node, key, ".".join(keys[:depth]))
    _assign(node, keys[-1], _value(text, path), ".".join(keys[:-1]))


def _unfold(data: Data, keys: list[str]) -> None:
    """Write out what the file leaves to a default or to another file, where a path goes into it."""
    if keys[0] == "robots":
        data.setdefault("robots", plain(Scenario().robots))
    if keys[0] == "world" and len(keys) > 1:
        world = data.setdefault("world", Scenario().world)
        spec = load_world_spec(world) if isinstance(world, str) else from_data(WorldSpec, world)
        data["world"] = {**plain(spec), "ground": plain(spec.ground)}  # its type must be there


def _child(node: object, key: str, at: str) -> Any:
    if isinstance(node, list):
        return node[_index(node, key, at)]
    if not isinstance(node, dict):
        raise ConfigError(f"--set: {at}: is {node!r:.40} and has no part '{key}'")
    if node.get(key) is None:
        node[key] = {}
    return node[key]


def _assign(node: object, key: str, value: object, at: str) -> None:
    if isinstance(node, list):
        node[_index(node, key, at)] = value
    elif isinstance(node, dict):
        node[key] = value
    else:
        raise ConfigError(f"--set: {at}: is {node!r:.40} and has no part '{key}'")


def _index(node: list[Any], key: str, at: str) -> int:
    if not key.isdecimal() or int(key) >= len(node):
        count = f"0 to {len(node) - 1}" if node else "none"
        raise ConfigError(f"--set: {at}.{key}: expected the number of an entry ({count})")
    return int(key)


def _value(text: str, path: str) -> object:
    return parse_yaml(f"value: {text}", f"--set {path}")["value"]
