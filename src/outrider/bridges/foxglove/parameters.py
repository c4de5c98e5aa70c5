"""Speed and pause as Foxglove parameters."""

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from outrider.bridges.foxglove.sdk import sdk
from outrider.bridges.peer_errors import PeerErrors
from outrider.core.errors import OutriderError
from outrider.messages.services.reading import Service

if TYPE_CHECKING:
    from foxglove import Parameter
    from foxglove.websocket import WebSocketServer

_SPEED, _PAUSED = "/outrider/speed", "/outrider/paused"
_PERIOD_S = 1.0


class FoxgloveParameters:
    """Publishes the parameters and applies changes to them."""

    def __init__(self, services: Mapping[str, Service], peer_errors: PeerErrors) -> None:
        self._services, self._peer_errors = services, peer_errors
        self._shown: dict[str, float | bool] = {}
        self._closed = threading.Event()

    def get(self, names: list[str]) -> "list[Parameter]":
        """Return the parameters of these names, or all."""
        now = self._now()
        return [_parameter(n, value) for n, value in now.items() if not names or n in names]

    def set(self, asked: "list[Parameter]") -> "list[Parameter]":
        """Carry settings out; return how things stand then."""
        for parameter in asked:
            try:
                self._carry_out(parameter.name, parameter.get_value())
            except (OutriderError, TypeError, ValueError) as error:
                self._peer_errors.note(
                    "refused parameters", f"{parameter.name:.80}: {error!s:.200}"
                )
        return self.get([parameter.name for parameter in asked])

    def start(self, server: "WebSocketServer") -> None:
        """Tell clients of changes from now on."""
        # In a thread of its own: the loop may take its time to answer, or not run yet.
        threading.Thread(
            target=self._keep, args=(server,), name="outrider-foxglove-parameters", daemon=True
        ).start()

    def close(self) -> None:
        """Tell no more."""
        self._closed.set()

    def _keep(self, server: "WebSocketServer") -> None:
        while not self._closed.wait(_PERIOD_S):
            self._publish(server)

    def _publish(self, server: "WebSocketServer") -> None:
        now = self._now()
        changed = [_parameter(n, v) for n, v in now.items() if self._shown.get(n) != v]
        self._shown = now
        if changed and not self._closed.is_set():
            server.publish_parameter_values(changed)

    def _carry_out(self, name: str, value: float | bool) -> None:
        if name == _SPEED:
            self._services["set_speed"]({"speed": float(value)})
        elif name == _PAUSED:
            self._services["pause" if value else "resume"]({})

    def _now(self) -> dict[str, float | bool]:
        try:
            status = self._services["status"]({})
        except OutriderError:  # the loop does not run, or not yet
            return dict(self._shown)
        return {_SPEED: float(status["speed"]), _PAUSED: bool(status["paused"])}


def _parameter(name: str, value: float | bool) -> "Parameter":
    made: Parameter = sdk().Parameter(name, value=value)
    return made
