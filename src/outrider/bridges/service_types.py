"""Services with ROS types, for requests as bytes of either ROS or as JSON."""

from collections.abc import Callable
from functools import cache

from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import FieldDesc

from outrider.core.structure import Data
from outrider.messages.ros1.convert import from_ros1
from outrider.messages.ros1.types import Ros1Service, new, ros1_service, ros1_store
from outrider.messages.store import FILLER, add
from outrider.messages.types import Message

_FILLER: tuple[str, FieldDesc] = (FILLER, (Nodetype.BASE, ("uint8", 0)))


@cache
def service_type(name: str) -> Ros1Service:
    """Return a service type of the library; its two messages are types of the bus from then on."""
    kind = ros1_service(name)
    for side in (kind.request, kind.response):
        constants, fields = ros1_store().fielddefs[side]
        add({side: (constants, fields or [_FILLER])})
    return kind


def answered(
    kind: Ros1Service, handler: Callable[[Message], Data], request: Message
) -> tuple[Message, Message]:
    """Return the response to a request, as a message of ROS 1 and as one of the bus."""
    response = new(kind.response, **handler(request))
    return response, from_ros1(kind.response)(response)
