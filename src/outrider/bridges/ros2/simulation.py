"""simulation_interfaces: the services that ROS 2 simulators have in common, where installed.

Service names are those of the types in lower case (``/get_entities``), in the node's namespace.
"""

import re
from collections.abc import Callable
from typing import TypeAlias

from outrider.bridges.bridge import Outside
from outrider.bridges.ros2.entities import Entities
from outrider.bridges.ros2.results import FAILED, OK, UNSUPPORTED, RefusedError, reason
from outrider.bridges.ros2.types import installed
from outrider.messages.types import Message

Handler: TypeAlias = Callable[[Message, Message], None]  # fills in the response

_ALREADY, _STOPPED, _PLAYING, _PAUSED, _QUITTING = 101, 0, 1, 2, 3
_FEATURES = (0, 1, 9, 10, 11, 20, 22, 24, 25, 26, 31, 32, 40, 44)  # numbers of SimulatorFeatures
_RESET_STATE, _RESET_ALL = 2, (0, 255)


def add_simulation_services(offer: Callable[..., None], outside: Outside) -> None:
    """Offer those whose types are installed."""
    simulation, entities = _Simulation(outside), Entities(outside)
    for name, handler in {**simulation.handlers(), **entities.handlers()}.items():
        kind = installed(f"simulation_interfaces/srv/{name}")
        if kind is not None:
            offer(kind, _snake(name), _answering(handler))


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _answering(handler: Handler) -> Callable[[Message, Message], Message]:
    """Return a service that reports its result; no exception may reach the executor."""

    def answer(request: Message, response: Message) -> Message:
        code, text = OK, ""
        try:
            handler(request, response)
        except RefusedError as refused:
            code, text = refused.code, str(refused)
        except Exception as error:  # told to whoever asked
            code, text = FAILED, reason(error)
        if hasattr(response, "result"):
            response.result.result, response.result.error_message = code, text
        return response

    return answer


class _Simulation:
    """State, steps, reset and world."""

    def __init__(self, outside: Outside) -> None:
        self._services = outside.services
        self._scenario = outside.scenario

    def handlers(self) -> dict[str, Handler]:
        """Return the services by the names of their types."""
        return {
            "GetSimulatorFeatures": self._features,
            "GetSimulationState": self._get_state,
            "SetSimulationState": self._set_state,
            "StepSimulation": self._step,
            "ResetSimulation": self._reset,
            "LoadWorld": self._load_world,
            "GetCurrentWorld": self._world,
        }

    def _features(self, _: Message, response: Message) -> None:
        response.features.features = list(_FEATURES)
        response.features.spawn_formats = ["urdf", "sdf"]
        response.features.custom_info = "Outrider"

    def _state(self) -> int:
        status = self._services["status"]({})
        if not status["paused"]:
            return _PLAYING
        return _PAUSED if status["steps"] else _STOPPED

    def _get_state(self, _: Message, response: Message) -> None:
        response.state.state = self._state()

    def _set_state(self, request: Message, _: Message) -> None:
        wanted = request.state.state
        if wanted == self._state():
            raise RefusedError(_ALREADY, "it is in that state")
        actions = {
            _STOPPED: ("pause", "reset"),
            _PLAYING: ("resume",),
            _PAUSED: ("pause",),
            _QUITTING: ("stop",),
        }
        if wanted not in actions:
            raise RefusedError(UNSUPPORTED, f"cannot change to the state {wanted}")
        for service in actions[wanted]:
            self._services[service]({})

    def _step(self, request: Message, _: Message) -> None:
        self._services["step"]({"steps": request.steps})

    def _reset(self, request: Message, _: Message) -> None:
        if request.scope in _RESET_ALL:
            self._services["reset"]({})
        elif request.scope == _RESET_STATE:
            self._services["reset_world"]({})
        else:
            raise RefusedError(UNSUPPORTED, "everything can be reset, or the state alone (scope 2)")

    def _load_world(self, request: Message, response: Message) -> None:
        uri = request.world_resource.uri
        if not uri:
            raise RefusedError(102, "a world is named by its uri: a name of the library, or a file")
        self._services["load_world"]({"world": uri.removeprefix("file://")})
        response.world.name = uri
        response.world.world_resource.uri = uri

    def _world(self, _: Message, response: Message) -> None:
        response.world.name = self._services["world_properties"]({})["world"] or self._scenario
