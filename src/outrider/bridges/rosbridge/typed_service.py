"""Services of the simulation with ROS types, for clients that use JSON."""

from collections.abc import Callable, Mapping

from outrider.bridges.rosbridge.encoding.forms import Form, slots
from outrider.bridges.rosbridge.encoding.plain import plain
from outrider.bridges.rosbridge.encoding.reading import read_message
from outrider.bridges.service_types import answered, service_type
from outrider.core.errors import BridgeError
from outrider.core.structure import Data
from outrider.messages.types import Message


class TypedService:
    """Reads a request, has it carried out, and writes the response."""

    def __init__(
        self, kind: str, handler: Callable[[Message], Data], now_ns: Callable[[], int]
    ) -> None:
        self.kind = kind
        self._handler, self._now_ns = handler, now_ns

    def answer(self, arguments: object, form: Form) -> Data:
        """Return the response as JSON can hold it."""
        kind = service_type(self.kind)
        fields = named(arguments, kind.request, form)
        request = read_message(kind.request, fields, self._now_ns())
        _, response = answered(kind, self._handler, request)
        return plain(kind.response, form)(response)


def named(arguments: object, request: str, form: Form) -> Mapping[str, object]:
    """Return arguments by name; a list has them in the order of the type."""
    if arguments is None:
        return {}
    if isinstance(arguments, list):
        names = [key for key, _ in slots(request, form)]
        if len(arguments) > len(names):
            raise BridgeError(f"expected at most {len(names)} arguments, got {len(arguments)}")
        return dict(zip(names, arguments, strict=False))
    if not isinstance(arguments, Mapping):
        raise BridgeError(f"expected arguments as an object or a list, got {arguments!r:.60}")
    return arguments
