"""The one type store: ROS 2 Jazzy, our own .msg files, and types added at run time."""

import re
import threading
from collections.abc import Container, Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import FieldDesc, Typesdict
from rosbags.typesys import Stores, TypesysError, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from outrider.core.errors import BusError, near_match

_TYPE_NAME = re.compile(r"([a-z][a-z0-9_]*)/(?:msg/)?([A-Z][A-Za-z0-9_]*)", re.ASCII)
_LONGEST_NAME = 255  # of a type, as of a file
_MAX_TEXT = 65_536
_MAX_ARRAY = 1_000_000
# A type of a few lines may stand for a message without end. These are several times what the
# largest types of ROS have.
_MOST_VALUES, _MOST_MESSAGES, _DEEPEST = 1_000_000, 1000, 50  # in one message
_MOST_FIELDS = 1000  # or constants of one type
_MOST_TYPES = 5000
FILLER = "structure_needs_at_least_one_member"  # how ROS 2 writes a message without fields
_lock = threading.RLock()
_cached: list[Typestore] = []
_sizes: dict[str, "_Size"] = {}  # of types that are stored


@dataclass(frozen=True, slots=True)
class _Size:
    """What a message holds that nobody has filled, and how little of it ROS 1 may send."""

    values: int = 0
    messages: int = 0  # inside it
    depth: int = 0
    least_bytes: int = 0

    def and_(self, other: "_Size") -> "_Size":
        """Return the size of both."""
        return _Size(
            self.values + other.values,
            self.messages + other.messages,
            max(self.depth, other.depth),
            self.least_bytes + other.least_bytes,
        )

    def times(self, count: int) -> "_Size":
        """Return the size of so many."""
        return _Size(
            self.values * count, self.messages * count, self.depth, self.least_bytes * count
        )


def store() -> Typestore:
    """Return the type store, built on first use."""
    # One store for all threads: the classes of a second one would not be the same classes.
    with _lock:
        if not _cached:
            built = get_typestore(Stores.ROS2_JAZZY)
            built.register(_library_types())
            _cached.append(built)
        return _cached[0]


def full_name(name: str) -> str:
    """Return ``package/msg/Name`` for that or for the short ``package/Name``."""
    found = _TYPE_NAME.fullmatch(name) if len(name) <= _LONGEST_NAME else None
    if found is None:
        raise BusError(f"a message type is named like 'geometry_msgs/msg/Twist', not {name!r:.80}")
    return f"{found[1]}/msg/{found[2]}"


def message_class(name: str) -> type[Any]:
    """Return the class of a message type."""
    known = store().types
    full = full_name(name)
    if full not in known:
        raise BusError(f"there is no message type '{full}'{near_match(full, known)}")
    return known[full]


def register(name: str, text: str) -> type[Any]:
    """Add the type that the .msg text describes, and return its class."""
    return _register(name, text.replace("\r\n", "\n"), ())


def add(types: Typesdict) -> None:
    """Add types that another store has already parsed; those known here stay as they are."""
    with _lock:
        store().register(
            {full: fields for full, fields in types.items() if full not in store().types}
        )


def register_whole(name: str, text: str) -> type[Any]:
    """Add a type with its dependencies, as recordings describe them; known ones stay."""
    return _register(name, text, store().fielddefs)


def _register(name: str, text: str, known: Container[str]) -> type[Any]:
    full = full_name(name)
    found = parsed_types(full, text)  # takes long; publishers need the lock meanwhile
    with _lock:
        parsed = {n: d for n, d in found.items() if n not in known}
        _check_values(parsed)
        _check_references(parsed)
        sizes = _checked_sizes(parsed)
        if parsed:
            _add(full, parsed)
            _sizes.update(sizes)
        return message_class(full)


def parsed_types(full: str, text: str) -> Typesdict:
    """Return the type that a .msg text describes, and those that it brings along."""
    if len(text) > _MAX_TEXT:
        raise BusError(f"message type '{full}' has more than {_MAX_TEXT} characters of text")
    return _parse(full, text)


def _library_types() -> Typesdict:
    found: Typesdict = {}
    for package in (files("outrider") / "library" / "messages").iterdir():
        for file in _msg_files(package):
            found.update(_parse(f"{package.name}/msg/{file.name[:-4]}", file.read_text("utf-8")))
    return found


def _msg_files(package: Traversable) -> Iterator[Traversable]:
    return (file for file in package.iterdir() if file.name.endswith(".msg"))


def _parse(full: str, text: str) -> Typesdict:
    try:
        return get_types_from_msg(text, full)
    except (TypesysError, ValueError, AssertionError, RecursionError):
        raise BusError(f"message type '{full}' cannot be read: {_bad_line(text)}") from None


def _bad_line(text: str) -> str:
    """Return the line that a parser failed at."""
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            get_types_from_msg(line, "outrider_msgs/msg/Line")
        except (TypesysError, ValueError, AssertionError, RecursionError):
            return f"line {number} is not 'type name' or 'type NAME=value': {line[:60]!r}"
    return "its lines do not form a message"


def _check_values(parsed: Typesdict) -> None:
    """Refuse constants that do not fit their type, and arrays of an impossible length."""
    for full, (constants, fields) in parsed.items():
        for name, base, value in constants:
            if isinstance(value, str) != (base == "string"):
                raise BusError(
                    f"message type '{full}': constant {name} must be {base}, got {value!r}"
                )
        for name, desc in fields:
            if desc[0] == Nodetype.ARRAY and not 0 < desc[1][1] <= _MAX_ARRAY:
                raise BusError(
                    f"message type '{full}': array {name} must hold 1 to {_MAX_ARRAY} values,"
                    f" not {desc[1][1]}"
                )


def _check_references(parsed: Typesdict) -> None:
    """Refuse fields of unknown types, and types that contain themselves."""
    known = store().fielddefs
    for full in parsed:
        for part in _parts(parsed, full):
            if part not in parsed and part not in known:
                raise BusError(
                    f"message type '{full}' has a field of the unknown type '{part}'"
                    f"{near_match(part, known)}"
                )


def _parts(parsed: Typesdict, full: str) -> list[str]:
    """Return the message types among the fields of one new type."""
    return [name for _, desc in parsed[full][1] if (name := _reference(desc))]


def _reference(desc: FieldDesc) -> str:
    if desc[0] == Nodetype.NAME:
        return desc[1]
    if desc[0] == Nodetype.BASE:
        return ""
    return _reference(desc[1][0])


def _checked_sizes(parsed: Typesdict) -> dict[str, _Size]:
    """Return the sizes of new types; refuse what no computer could make a message of."""
    if len(store().fielddefs.keys() | parsed.keys()) > _MOST_TYPES:
        raise BusError(f"there are {_MOST_TYPES} message types already")
    sizes = {full: size for full, size in _sizes.items() if full not in parsed}
    for full, (constants, fields) in parsed.items():
        if max(len(constants), len(fields)) > _MOST_FIELDS:
            raise BusError(
                f"message type '{full}' has more than {_MOST_FIELDS} fields or constants"
            )
        size = _measured(full, parsed, sizes, ())
        if size.values > _MOST_VALUES or size.messages > _MOST_MESSAGES:
            raise BusError(
                f"message type '{full}' holds {size.values} values and {size.messages} messages;"
                f" at most {_MOST_VALUES} and {_MOST_MESSAGES} are accepted"
            )
    return sizes


def _measured(
    full: str, parsed: Typesdict, sizes: dict[str, _Size], above: tuple[str, ...]
) -> _Size:
    if full in above:
        raise BusError(f"message type '{full}' contains itself")
    if full not in sizes and len(above) <= _DEEPEST:
        inside, size = (*above, full), _Size()
        _, fields = parsed.get(full) or store().fielddefs[full]
        for name, desc in ((n, d) for n, d in fields if n != FILLER):
            size = size.and_(_field_size(f"'{full}': {name}", desc, parsed, sizes, inside))
        sizes[full] = size
    if full not in sizes or sizes[full].depth + len(above) > _DEEPEST:
        raise BusError(f"message type '{(*above, full)[0]}' is nested more than {_DEEPEST} deep")
    return sizes[full]


def _field_size(
    where: str,
    desc: FieldDesc,
    parsed: Typesdict,
    sizes: dict[str, _Size],
    above: tuple[str, ...],
) -> _Size:
    if desc[0] == Nodetype.BASE:
        return _Size(values=1, least_bytes=1)
    if desc[0] == Nodetype.NAME:
        size = _measured(desc[1], parsed, sizes, above)
        return _Size(size.values, size.messages + 1, size.depth + 1, size.least_bytes)
    element, count = desc[1]
    size = _field_size(where, element, parsed, sizes, above)
    if size.least_bytes == 0:  # four bytes could announce four thousand million of them
        raise BusError(f"message type {where} is a list of messages without fields")
    if desc[0] == Nodetype.ARRAY:
        return size.times(count)
    return _Size(depth=size.depth, least_bytes=1)


def _add(full: str, parsed: Typesdict) -> None:
    try:
        store().register(parsed)
    except TypesysError as error:
        if "already present" in str(error):
            raise BusError(f"message type '{full}' is already known with other fields") from None
        raise BusError(f"message type '{full}' has two fields with the same name") from None
