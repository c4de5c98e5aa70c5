"""Control of the simulation as ROS 1 services."""

from collections.abc import Callable
from typing import Any

from outrider.bridges.any_service import call_any
from outrider.bridges.bridge import Outside
from outrider.bridges.ros1.gazebo import GazeboServices
from outrider.bridges.ros1.node import Ros1Node
from outrider.bridges.ros1.outflow import Outflow

_TRIGGERS = ("pause", "resume", "reset", "reset_world", "undo", "redo", "stop")


class ControlServices:
    """Our own services beside the ones that gazebo_ros has."""

    def __init__(
        self, node: Ros1Node, outside: Outside, flow: Outflow, gazebo: bool, states_hz: float
    ) -> None:
        self._outside = outside
        self._gazebo = GazeboServices(node, outside, flow, states_hz) if gazebo else None
        for name in _TRIGGERS:
            if name in outside.services:
                node.serve(f"{node.name}/{name}", "std_srvs/Trigger", self._trigger(name))
        node.serve(f"{node.name}/set_paused", "std_srvs/SetBool", self._set_paused)
        node.serve(f"{node.name}/call", "outrider_msgs/Call", self._call)
        node.serve(f"{node.name}/get_loggers", "roscpp/GetLoggers", lambda _: {})
        node.serve(f"{node.name}/set_logger_level", "roscpp/SetLoggerLevel", lambda _: {})

    def start(self) -> None:
        """Begin."""
        if self._gazebo is not None:
            self._gazebo.start()

    def close(self) -> None:
        """End."""
        if self._gazebo is not None:
            self._gazebo.close()

    def _trigger(self, name: str) -> Callable[[Any], dict[str, Any]]:
        return lambda _: self._answer(name, "", "message")

    def _set_paused(self, request: Any) -> dict[str, Any]:
        return self._answer("pause" if request.data else "resume", "", "message")

    def _call(self, request: Any) -> dict[str, Any]:
        return self._answer(request.service, request.arguments, "answer")

    def _answer(self, name: str, arguments: str, field: str) -> dict[str, Any]:
        success, text = call_any(self._outside.services, name, arguments)
        return {"success": success, field: text}
