"""Plain values to a service's request, and its reply to plain values."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from outrider.core.structure import Data, from_data
from outrider.messages.services.requests import ScenarioKeys
from outrider.messages.services.table import ServiceRow

Arguments: TypeAlias = Data
Answer: TypeAlias = Data
Service: TypeAlias = Callable[[Arguments], Answer]  # as bridges and ports call it
Handler: TypeAlias = Callable[[Any], Any]  # takes the row's request, returns its reply
# prepares a request in any thread; the result is carried out between two steps
Preparing: TypeAlias = Callable[[Any], Callable[[], Any]]


@dataclasses.dataclass(frozen=True, slots=True)
class Rest:
    """What a handler leaves to be done after the loop has gone on; it returns the reply."""

    work: Callable[[], Any]


def settled(reply: Any) -> Any:
    """Return a reply after what was left of its work is done, in the caller's thread."""
    return reply.work() if isinstance(reply, Rest) else reply


def read_request(row: ServiceRow, arguments: Mapping[str, object]) -> Any:
    """Return a row's request; unknown keys and wrong types are refused, with a near match."""
    if issubclass(row.request, ScenarioKeys):
        own = {field.name for field in dataclasses.fields(row.request)} - {"keys"}
        keys = {str(key): value for key, value in arguments.items() if key not in own}
        rest = {key: value for key, value in arguments.items() if key in own}
        return from_data(row.request, {**rest, "keys": keys}, row.name)
    return from_data(row.request, arguments, row.name)


def plain_reply(reply: object) -> Any:
    """Return a reply with all its fields as JSON can have them."""
    if dataclasses.is_dataclass(reply) and not isinstance(reply, type):
        names = (field.name for field in dataclasses.fields(reply))
        return {name: plain_reply(getattr(reply, name)) for name in names}
    if isinstance(reply, dict):
        return {name: plain_reply(item) for name, item in reply.items()}
    if isinstance(reply, list | tuple):
        return [plain_reply(item) for item in reply]
    return reply


def answering(row: ServiceRow, handler: Handler) -> Service:
    """Return a service that takes and gives plain values."""

    def service(arguments: Arguments) -> Answer:
        answer: Answer = plain_reply(settled(handler(read_request(row, arguments))))
        return answer

    return service
