"""Control of the simulation as services with ROS types: any bridge may offer them."""

from collections.abc import Callable

from outrider.bridges.any_service import call_any
from outrider.bridges.bridge import Outside
from outrider.bridges.gazebo_services import Fields, Row
from outrider.messages.services.table import TRIGGERS
from outrider.messages.types import Message


class ControlServices:
    """Our own services in addition to those of gazebo_ros."""

    def __init__(self, outside: Outside, space: str) -> None:
        """``space`` is what their names begin with, as ``/outrider``."""
        self._outside, self._space = outside, space

    def rows(self) -> list[Row]:
        """Return name, type and handler of each."""
        space = self._space
        triggers = [name for name in TRIGGERS if name in self._outside.services]
        return [
            *((f"{space}/{name}", "std_srvs/Trigger", self._trigger(name)) for name in triggers),
            (f"{space}/set_paused", "std_srvs/SetBool", self._set_paused),
            (f"{space}/call", "outrider_msgs/Call", self._call),
        ]

    def _trigger(self, name: str) -> Callable[[Message], Fields]:
        return lambda _: self._answer(name, "", "message")

    def _set_paused(self, request: Message) -> Fields:
        return self._answer("pause" if request.data else "resume", "", "message")

    def _call(self, request: Message) -> Fields:
        return self._answer(request.service, request.arguments, "answer")

    def _answer(self, name: str, arguments: str, field: str) -> Fields:
        success, text = call_any(self._outside.services, name, arguments)
        return {"success": success, field: text}
