"""The action shared by ROS 2 simulators: a number of steps, with feedback."""

import threading
from collections.abc import Callable, Mapping

from outrider.bridges.rosbridge.actions import CANCELED, SUCCEEDED
from outrider.core.errors import BridgeError
from outrider.core.structure import Data
from outrider.messages.services.reading import Service

_AT_ONCE = 20  # steps between two looks at whether to stop
_MOST = 10_000_000
_OK, _FAILED = 1, 4  # of simulation_interfaces/Result


class SimulateSteps:
    """Steps of a paused simulation."""

    kind = "simulation_interfaces/SimulateSteps"

    def __init__(self, services: Mapping[str, Service]) -> None:
        self._services = services

    def pursue(
        self,
        arguments: object,
        feedback: Callable[[Data], None],
        canceled: threading.Event,
    ) -> tuple[int, Data]:
        """Return the status at the end and the result."""
        steps = arguments.get("steps", 1) if isinstance(arguments, dict) else None
        if type(steps) is not int or not 1 <= steps <= _MOST:
            raise BridgeError(f"steps is a whole number from 1 to {_MOST}, not {steps!r:.40}")
        done = 0
        while done < steps:
            if canceled.is_set():
                return CANCELED, _result(_FAILED, f"canceled after {done} steps")
            count = min(_AT_ONCE, steps - done)
            self._services["step"]({"steps": count})
            done += count
            feedback({"completed_steps": done, "remaining_steps": steps - done})
        return SUCCEEDED, _result(_OK, "")


def _result(code: int, text: str) -> Data:
    return {"result": {"result": code, "error_message": text}}
