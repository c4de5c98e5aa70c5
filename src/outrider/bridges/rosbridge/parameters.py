"""The parameters that rosapi reads and writes: the simulation's own, and those of clients."""

import threading
from collections.abc import Callable

import orjson

from outrider.bridges.bridge import RobotDescription
from outrider.bridges.json_bounds import checked
from outrider.bridges.parameter_tree import ParameterTree
from outrider.core.errors import BridgeError

_MOST_NAMES = 1000
_MOST_TEXT = 1_000_000


class RosapiParameters:
    """Values as JSON text, under names of ROS 1 (``/a/b``) or of ROS 2 (``/node:b``)."""

    def __init__(self, robots: Callable[[], list[RobotDescription]]) -> None:
        self._robots = robots
        self._tree = ParameterTree()
        self._lock = threading.Lock()

    def get(self, name: str, default: str) -> str:
        """Return a value, or the default, as JSON; without either it is null."""
        self._refresh()
        try:
            with self._lock:
                return orjson.dumps(self._tree.get(_key(name))).decode()
        except KeyError:
            return orjson.dumps(_value(default)).decode() if default else "null"

    def set(self, name: str, value: str) -> None:
        """Put a value that JSON text says."""
        if len(value) > _MOST_TEXT:
            raise BridgeError(f"a parameter's value may have at most {_MOST_TEXT} characters")
        with self._lock:
            if len(self._tree.names()) >= _MOST_NAMES and not self._tree.has(_key(name)):
                raise BridgeError(f"there are {_MOST_NAMES} parameters, which is the maximum")
            self._tree.set(_key(name), _value(value))

    def has(self, name: str) -> bool:
        """Return whether there is a value."""
        self._refresh()
        with self._lock:
            return self._tree.has(_key(name))

    def delete(self, name: str) -> None:
        """Take a value away."""
        try:
            with self._lock:
                self._tree.delete(_key(name))
        except KeyError:
            raise BridgeError(f"there is no parameter '{name:.80}'") from None

    def search(self, name: str) -> str:
        """Return the full name of the nearest parameter, or nothing."""
        self._refresh()
        with self._lock:
            return self._tree.search("/", name) or ""

    def names(self) -> list[str]:
        """Return all names."""
        self._refresh()
        with self._lock:
            return sorted(self._tree.names())

    def _refresh(self) -> None:
        """Follow the robots that take part now."""
        described = {"/use_sim_time": True} | {
            f"/{robot.namespace}/robot_description": robot.urdf for robot in self._robots()
        }
        with self._lock:
            for name, value in described.items():
                self._tree.set(name, value)


def _key(name: str) -> str:
    return name.replace(":", "/")


def _value(text: str) -> object:
    try:
        return orjson.loads(checked(text))
    except orjson.JSONDecodeError as error:
        raise BridgeError(f"a parameter's value must be JSON text: {error}") from None
