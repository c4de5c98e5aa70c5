"""Commands of a similar type: which types a topic accepts instead of its own."""

from collections.abc import Callable, Iterable

from outrider.messages.fields import fields_of
from outrider.messages.store import message_class
from outrider.messages.types import Message, TwistStamped, header

_TWIST, _STAMPED = "geometry_msgs/msg/Twist", "geometry_msgs/msg/TwistStamped"
_NUMBERS = {f"std_msgs/msg/{name}" for name in ("Float32", "Float64", "Int16", "Int32")}

Conversion = Callable[[Message], Message]


def conversion(came: str, wanted: str) -> Conversion | None:
    """Return what makes a message of the wanted type from one that came, or None."""
    if came == wanted:
        return lambda message: message
    if (came, wanted) == (_STAMPED, _TWIST):
        return lambda message: message.twist
    if (came, wanted) == (_TWIST, _STAMPED):
        return lambda message: TwistStamped(header(0, ""), message)
    if came in _NUMBERS and _is_value(wanted):
        return lambda message: _valued(wanted, message.data)
    return None


def best(offered: Iterable[str], wanted: str) -> str:
    """Return the type to subscribe to, given those that are published."""
    usable = [name for name in sorted(offered) if conversion(name, wanted)]
    return wanted if wanted in usable or not usable else usable[0]


def _is_value(type_name: str) -> bool:
    """Return whether a type is a stamped number, such as those of autominy_msgs."""
    return [field.name for field in fields_of(type_name)] == ["header", "value"]


def _valued(type_name: str, number: float) -> Message:
    value = fields_of(type_name)[1]
    assert value.dtype is not None
    if value.dtype.kind in "iu" and number != number:  # NaN
        raise ValueError("not a number")
    return message_class(type_name)(header(0, ""), value.dtype.type(number).item())
