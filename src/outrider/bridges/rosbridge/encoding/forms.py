"""The two forms of messages: types and fields spelled as in ROS 1 or as in ROS 2."""

from collections.abc import Callable
from functools import cache
from typing import Literal, TypeAlias

from outrider.messages.fields import Field, field_of, fields_of
from outrider.messages.ros1.convert import to_ros1
from outrider.messages.ros1.types import adopt
from outrider.messages.ros1.types import ros1_fields_of as ros1_fields
from outrider.messages.store import full_name
from outrider.messages.types import Message

Form: TypeAlias = Literal["ros1", "ros2"]
Slot: TypeAlias = tuple[str, Field]  # the key that a client sees, and the field behind it

_MOMENTS = ("builtin_interfaces/msg/Time", "builtin_interfaces/msg/Duration")
_ROS1_KEYS = {"sec": "secs", "nanosec": "nsecs"}
_BETWEEN = ("/msg/", "/srv/", "/action/")


def form_of(spelling: str) -> Form:
    """Return whose spelling a type's name is: ROS 2 has the kind of thing in its middle."""
    return "ros2" if any(part in spelling for part in _BETWEEN) else "ros1"


def spelled(full: str, form: Form) -> str:
    """Return the name of a message type as a client of that form writes it."""
    return full if form == "ros2" else full.replace("/msg/", "/")


def spelled_service(short: str, form: Form) -> str:
    """Return the name of a service type as a client of that form writes it."""
    return short if form == "ros1" else short.replace("/", "/srv/", 1)


def short_name(spelling: str) -> str:
    """Return ``package/Name`` for any spelling of a type's name."""
    for part in _BETWEEN:
        spelling = spelling.replace(part, "/")
    return spelling


@cache
def slots(full: str, form: Form) -> tuple[Slot, ...]:
    """Return the keys of a message type in a form, in order."""
    full = full_name(full)
    if form == "ros2":
        return tuple((field.name, field) for field in fields_of(full))
    adopt(full)
    names = _ROS1_KEYS if full in _MOMENTS else {}
    return tuple((names.get(name, name), field_of(name, desc)) for name, desc in ros1_fields(full))


def shaping(full: str, form: Form) -> Callable[[Message], Message]:
    """Return what gives a message of the bus the attributes that the form's fields name."""
    return to_ros1(full) if form == "ros1" else _as_it_is


def _as_it_is(message: Message) -> Message:
    return message
