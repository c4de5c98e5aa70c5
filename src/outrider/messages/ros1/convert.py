"""Bus messages into ROS 1 messages and back: one table, made from the types themselves.

Both sides have nearly the same fields. Differences are found by comparing the types: the header's
``seq``, upper and lower case (CameraInfo), fields that one side does not have.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from rosbags.interfaces import Nodetype
from rosbags.typesys.base import normalize_fieldname
from rosbags.typesys.store import Typestore

from outrider.messages.convert import from_dict
from outrider.messages.ros1.types import Desc, adopt, ros1_store
from outrider.messages.ros1.types import default as ros1_default
from outrider.messages.store import store as bus_store
from outrider.messages.types import Message

Convert: TypeAlias = Callable[[Message], Any]


@cache
def to_ros1(source: str, target: str = "") -> Convert:
    """Return what turns a bus message into one that ``serialize`` takes."""
    adopt(target or source)
    return _message(bus_store(), ros1_store(), source, target or source, False) or _as_it_is


@cache
def from_ros1(source: str, target: str = "") -> Convert:
    """Return what turns a ROS 1 message into one of the bus."""
    adopt(source)
    found = _message(ros1_store(), bus_store(), source, target or source, True)
    assert found is not None
    return found


def _as_it_is(message: object) -> Any:
    return message


def _message(
    here: Typestore, there: Typestore, source: str, target: str, anew: bool
) -> Convert | None:
    """Return a converter; None where the same object will do (unless all is made ``anew``)."""
    mine = dict(here.fielddefs[source][1])
    letters = {name.lower(): name for name in mine}
    same = not anew
    parts: list[tuple[str, str, Convert | None]] = []
    for name, desc in there.fielddefs[target][1]:
        origin = name if name in mine else letters.get(name.lower())
        attribute = normalize_fieldname(name)
        if origin is None:
            same = False
            parts.append((attribute, "", _constant(there, target, name, desc)))
            continue
        change = _field(here, there, mine[origin], desc, anew)
        same = same and change is None and origin == name
        parts.append((attribute, normalize_fieldname(origin), change))
    return None if same else _maker(there.types[target], parts)


def _maker(kind: type[Any], parts: list[tuple[str, str, Convert | None]]) -> Convert:
    def make(message: object) -> Any:
        values = {}
        for attribute, origin, change in parts:
            value = getattr(message, origin) if origin else message
            values[attribute] = value if change is None else change(value)
        return kind(**values)

    return make


def _constant(there: Typestore, target: str, name: str, desc: Desc) -> Convert:
    """Return what gives a field its default, for messages that do not have it."""
    if there is ros1_store():
        return lambda _: ros1_default(desc)
    empty = from_dict(target, {})
    return lambda _: getattr(empty, normalize_fieldname(name))


def _field(
    here: Typestore, there: Typestore, mine: Desc, theirs: Desc, anew: bool
) -> Convert | None:
    if mine[0] == Nodetype.NAME and theirs[0] == Nodetype.NAME:
        return _message(here, there, str(mine[1]), str(theirs[1]), anew)
    if mine[0] in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        inner = _field(here, there, mine[1][0], theirs[1][0], anew)
        return None if inner is None else lambda values: [inner(value) for value in values]
    return None
