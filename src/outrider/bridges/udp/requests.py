"""The body of a Subscribe message."""

from typing import NamedTuple

from outrider.bridges.udp.header import Buffer
from outrider.bridges.udp.table import STANDARD, SUBSCRIBE
from outrider.bridges.udp.wire import Segments, read_body, write_body
from outrider.core.errors import BridgeError
from outrider.messages.store import message_class

_TYPE = STANDARD[SUBSCRIBE]


class Request(NamedTuple):
    """A subscription; its topic is in the header."""

    wanted: bool = True
    type: int = 0  # 0: whichever the topic has
    most_hz: float = 0.0  # in simulated time; 0: all
    token: str = ""


def write_request(
    number: int = 0, *, wanted: bool = True, most_hz: float = 0.0, token: str = ""
) -> Segments:
    """Return the bytes of a request."""
    return write_body(message_class(_TYPE)(wanted, number, most_hz, token), _TYPE)


def read_request(body: Buffer) -> Request:
    """Return what a request asks for; an empty one asks for all."""
    if not body:
        return Request()
    found = read_body(body, _TYPE)
    if not 0.0 <= found.most_hz <= 1e6:  # not a number is refused as well
        raise BridgeError(f"a subscription asks for {found.most_hz} Hz")
    return Request(found.wanted, found.type, found.most_hz, found.token)
