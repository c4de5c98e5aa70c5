"""Entities of simulation_interfaces: spawn, delete, get and set their states."""

from collections.abc import Callable
from typing import Any, TypeAlias

from outrider.bridges.bridge import Outside
from outrider.bridges.policy import Policy
from outrider.bridges.ros2.name_filter import found_names
from outrider.bridges.ros2.results import FAILED, NOT_FOUND, UNSUPPORTED, RefusedError
from outrider.core.errors import BridgeError, OutriderError, PlaceError
from outrider.core.structure import Data
from outrider.messages.types import Message

Handler: TypeAlias = Callable[[Message, Message], None]

_NOT_UNIQUE, _NAME_INVALID, _FORMAT, _NO_RESOURCE, _PARSE, _BAD_POSE = 101, 102, 103, 104, 106, 109
_FORMATS = {"<robot": "urdf", "<sdf": "sdf"}
_MOST_TEXT = 16 * 1024 * 1024


class Entities:
    """Models of the world, by name."""

    def __init__(self, outside: Outside) -> None:
        self._services = outside.services
        self._policy = outside.policy

    def handlers(self) -> dict[str, Handler]:
        """Return the services by the names of their types."""
        return {
            "SpawnEntity": self._spawn,
            "DeleteEntity": self._delete,
            "GetEntities": self._list,
            "GetEntitiesStates": self._states,
            "GetEntityState": self._get,
            "SetEntityState": self._set,
        }

    def _names(self) -> list[str]:
        names: list[str] = self._services["list_models"]({})["models"]
        return names

    def _known(self, name: str) -> str:
        if name not in self._names():
            raise RefusedError(NOT_FOUND, f"there is no entity '{name}'")
        return name

    def _spawn(self, request: Message, response: Message) -> None:
        self._policy.admit("spawn")  # before a file is looked for
        name = self._new_name(request.name, request.allow_renaming)
        text = _text(getattr(request, "entity_resource", request), self._policy)
        found = [kind for mark, kind in _FORMATS.items() if mark in text]
        if not found:
            raise RefusedError(_FORMAT, "expected the text of a URDF or an SDF file")
        pose = request.initial_pose.pose
        place, turn = _numbers(pose.position, "xyz"), _numbers(pose.orientation, "xyzw")
        if any(value != value for value in (*place, *turn)):
            raise RefusedError(_BAD_POSE, "initial_pose: not a number")
        try:
            self._services["spawn"](
                {
                    "name": name,
                    "text": text,
                    "format": found[0],
                    "namespace": request.entity_namespace,
                    "position": place,
                    "orientation": turn,
                }
            )
        except OutriderError as error:
            code = _BAD_POSE if isinstance(error, PlaceError) else _PARSE
            raise RefusedError(code, str(error)) from None
        response.entity_name = name

    def _new_name(self, name: str, renaming: bool) -> str:
        taken = set(self._names())
        if name and name not in taken:
            return name
        if not renaming:
            code = _NOT_UNIQUE if name else _NAME_INVALID
            raise RefusedError(code, f"'{name}' is taken" if name else "the name is empty")
        stem = name or "entity"
        return next(f"{stem}_{i}" for i in range(1, 10**6) if f"{stem}_{i}" not in taken)

    def _delete(self, request: Message, _: Message) -> None:
        self._services["remove"]({"name": self._known(request.entity)})

    def _list(self, request: Message, response: Message) -> None:
        response.entities = self._filtered(request.filters)

    def _states(self, request: Message, response: Message) -> None:
        names = self._filtered(request.filters)
        response.entities = names
        response.states = [self._state(name) for name in names]

    def _filtered(self, filters: Any) -> list[str]:
        if filters.categories or filters.tags.tags or filters.bounds.points:
            raise RefusedError(UNSUPPORTED, "entities are found by name only")
        try:
            return found_names(filters.filter, self._names())
        except BridgeError as error:
            raise RefusedError(FAILED, str(error)) from None

    def _get(self, request: Message, response: Message) -> None:
        response.state = self._state(self._known(request.entity))

    def _state(self, name: str) -> Any:
        from simulation_interfaces.msg import EntityState

        found = self._services["get_state"]({"name": name})
        state = EntityState()
        seconds, rest = divmod(round(found["time_s"] * 1e9), 10**9)
        state.header.stamp.sec, state.header.stamp.nanosec = seconds, rest
        state.header.frame_id = "world"
        _fill(state.pose.position, "xyz", found["position"])
        _fill(state.pose.orientation, "xyzw", found["orientation"])
        _fill(state.twist.linear, "xyz", found["velocity"])
        _fill(state.twist.angular, "xyz", found["angular_velocity"])
        return state

    def _set(self, request: Message, _: Message) -> None:
        state = request.state
        if request.set_acceleration:
            raise RefusedError(UNSUPPORTED, "accelerations follow from forces: set pose or twist")
        asked: Data = {"name": self._known(request.entity)}
        asked["frame"] = state.header.frame_id
        if request.set_pose:
            asked["position"] = _numbers(state.pose.position, "xyz")
            asked["orientation"] = _numbers(state.pose.orientation, "xyzw")
        if request.set_twist:
            asked["velocity"] = _numbers(state.twist.linear, "xyz")
            asked["angular_velocity"] = _numbers(state.twist.angular, "xyz")
        self._services["set_state"](asked)


def _text(resource: Any, policy: Policy) -> str:
    """Return the text of a resource, or of the file that it names."""
    if not resource.uri:
        if not resource.resource_string:
            raise RefusedError(_NO_RESOURCE, "neither uri nor resource_string is given")
        found: str = resource.resource_string
        return found
    name = resource.uri.removeprefix("file://")
    try:
        path = policy.readable(name, "spawn")
        if path.stat().st_size > _MOST_TEXT:
            raise RefusedError(_FORMAT, f"{name} is too large for a description")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, BridgeError) as error:
        raise RefusedError(_NO_RESOURCE, f"{name}: {error}") from None


def _numbers(item: object, names: str) -> list[float]:
    return [getattr(item, name) for name in names]


def _fill(item: object, names: str, values: list[float]) -> None:
    for name, value in zip(names, values, strict=True):
        setattr(item, name, value)
