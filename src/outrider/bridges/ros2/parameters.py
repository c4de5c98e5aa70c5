"""Node parameters that show and control the simulation: speed and paused."""

import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from outrider.core.errors import OutriderError
from outrider.core.structure import Data
from outrider.core.untyped import RosNode
from outrider.messages.services.reading import Service

if TYPE_CHECKING:
    from rcl_interfaces.msg import SetParametersResult
    from rclpy.parameter import Parameter

_REFRESH_S = 2.0


class Parameters:
    """Declares the parameters, applies changes to them, and keeps them up to date."""

    def __init__(self, node: RosNode, services: Mapping[str, Service]) -> None:
        self._node = node
        self._services = services
        self._closed = threading.Event()
        self._showing = threading.Lock()
        self._own: int | None = None  # the thread that sets them to what is, while it does
        node.declare_parameter("speed", 1.0)
        node.declare_parameter("paused", False)
        node.add_on_set_parameters_callback(self._set)
        # In a thread of its own: the loop may take its time to answer, or not run yet.
        threading.Thread(target=self._keep, name="outrider-ros2-parameters", daemon=True).start()

    def close(self) -> None:
        """Stop looking; afterwards the node may go."""
        with self._showing:
            self._closed.set()

    def _set(self, asked: "list[Parameter]") -> "SetParametersResult":
        from rcl_interfaces.msg import SetParametersResult

        if self._own == threading.get_ident():
            return SetParametersResult(successful=True)
        try:
            for parameter in asked:
                self._carry_out(parameter.name, parameter.value)
        except OutriderError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    def _carry_out(self, name: str, value: object) -> None:
        if name == "speed":
            self._services["set_speed"]({"speed": value})
        elif name == "paused":
            self._services["pause" if value else "resume"]({})

    def _keep(self) -> None:
        while not self._closed.wait(_REFRESH_S):
            with suppress(OutriderError):
                self._show(self._services["status"]({}))

    def _show(self, status: Data) -> None:
        from rclpy.parameter import Parameter

        now = {"speed": float(status["speed"]), "paused": bool(status["paused"])}
        changed = [
            Parameter(name, value=value)
            for name, value in now.items()
            if self._node.get_parameter(name).value != value
        ]
        with self._showing:
            if changed and not self._closed.is_set():
                self._own = threading.get_ident()
                try:
                    self._node.set_parameters(changed)
                finally:
                    self._own = None
