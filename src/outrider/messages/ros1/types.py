"""Message and service types of ROS 1: definitions, checksums, serialisation."""

import threading
from dataclasses import dataclass
from functools import cache
from hashlib import md5
from importlib.resources import files
from typing import Any, TypeAlias

import numpy as np
from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import Typesdict
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from outrider.core.errors import BridgeError
from outrider.messages.store import FILLER, full_name, message_class
from outrider.messages.store import store as bus_store

_TF = ("tf2_msgs/msg/TFMessage", "geometry_msgs/TransformStamped[] transforms")
_TIME = "builtin_interfaces/msg/Time"
_DURATION = "builtin_interfaces/msg/Duration"
Desc: TypeAlias = Any  # a field as the type store describes it
_lock = threading.RLock()
_cached: list[Typestore] = []


@dataclass(frozen=True, slots=True)
class Ros1Type:
    """One message type on the wire."""

    name: str  # package/Name
    full: str  # package/msg/Name
    md5sum: str
    definition: str


@dataclass(frozen=True, slots=True)
class Ros1Service:
    """One service type on the wire."""

    name: str
    md5sum: str
    request: str  # full names of the two messages
    response: str


def ros1_store() -> Typestore:
    """Return the store of ROS 1 types, built on first use."""
    with _lock:
        if not _cached:
            built = get_typestore(Stores.ROS1_NOETIC)
            built.register(get_types_from_msg(_TF[1], _TF[0]))
            _cached.append(built)
        return _cached[0]


@cache
def ros1_type(name: str) -> Ros1Type:
    """Return a type by its short or full name; those of the bus are known by themselves."""
    full = full_name(name)
    adopt(full)
    definition, checksum = ros1_store().generate_msgdef(full, ros_version=1)
    return Ros1Type(_short(full), full, checksum, definition)


@cache
def ros1_service(name: str) -> Ros1Service:
    """Return a service type of the library."""
    package, _, kind = name.partition("/")
    folder = files("outrider") / "library" / "messages" / package
    file = folder / f"{kind}.srv"
    if not file.is_file():
        raise BridgeError(f"there is no service type '{name}'")
    return register_service(name, file.read_text("utf-8"))


def register_service(name: str, text: str) -> Ros1Service:
    """Add a service type from its .srv text."""
    package, _, kind = name.partition("/")
    head, separator, tail = ("\n" + text).partition("\n---")
    if not separator:
        raise BridgeError(f"service type '{name}' has no line '---'")
    sides = []
    for part, end in ((head, "Request"), (tail, "Response")):
        full = f"{package}/msg/{kind}{end}"
        _register(full, part)
        sides.append(full)
    checksum = md5("".join(_checked_text(side) for side in sides).encode()).hexdigest()
    return Ros1Service(name, checksum, sides[0], sides[1])


def new(full: str, **values: Any) -> Any:
    """Return a message of the ROS 1 store; what is not given is zero or empty."""
    adopt(full)
    kind = ros1_store().types[full]
    fields = ros1_store().fielddefs[full][1]
    return kind(**{n: values[n] if n in values else default(d) for n, d in fields})


def default(desc: Desc) -> Any:
    """Return the value of a field that nobody set."""
    kind, inner = desc
    if kind == Nodetype.NAME:
        return new(str(inner))
    if kind == Nodetype.BASE:
        base = inner[0]
        return "" if base == "string" else False if base == "bool" else 0
    element, count = inner
    if element[0] == Nodetype.BASE and element[1][0] != "string":
        octets = ("byte", "char")
        base = "uint8" if element[1][0] in octets else element[1][0]
        return np.zeros(count if kind == Nodetype.ARRAY else 0, base)
    return [default(element) for _ in range(count)] if kind == Nodetype.ARRAY else []


def ros1_fields_of(full: str) -> list[tuple[str, Desc]]:
    """Return a type's own fields; a message without any is written as no bytes at all."""
    return [(n, d) for n, d in ros1_store().fielddefs[full][1] if n != FILLER]


def serialize(message: object, full: str) -> bytes:
    """Return a message's bytes."""
    return bytes(written(message, full))


def written(message: object, full: str) -> memoryview:
    """Return a message's bytes as they were written: nothing is copied."""
    return ros1_store().serialize_ros1(message, full) if ros1_fields_of(full) else memoryview(b"")


def deserialize(data: bytes | memoryview, full: str) -> Any:
    """Return the message in some bytes; raises BridgeError for bytes that are none."""
    try:
        if not ros1_fields_of(full):
            return new(full)
        return ros1_store().deserialize_ros1(data, full)
    except Exception as error:  # whatever the bytes made of it
        raise BridgeError(f"this is not a valid {_short(full)}: {error!r:.60}") from None


def adopt(full: str) -> None:
    """Know a type that so far only the bus or the library knows."""
    known = ros1_store().fielddefs
    if full in known:
        return
    message_class(full)  # says so if there is none
    constants, fields = bus_store().fielddefs[full]
    with _lock:
        for _, desc in fields:
            if part := _reference(desc):
                adopt(part)
        if full not in known:
            kept = [(n, d) for n, d in fields if n != FILLER]
            ros1_store().register({full: (constants, kept)})


def _register(full: str, text: str) -> None:
    lines = [line for line in text.split("\n") if line.split("#")[0].strip()]
    types: Typesdict = {full: ([], [])}
    if lines:
        types = get_types_from_msg("\n".join(lines), full)
    for _, desc in types[full][1]:
        if part := _reference(desc):
            adopt(part)
    with _lock:
        ros1_store().register(types)


def _reference(desc: Desc) -> str:
    if desc[0] == Nodetype.NAME:
        return "" if desc[1] in (_TIME, _DURATION) else str(desc[1])
    return "" if desc[0] == Nodetype.BASE else _reference(desc[1][0])


def _checked_text(full: str) -> str:
    """Return the text that a checksum is made of."""
    constants, _ = ros1_store().fielddefs[full]
    lines = [f"{base} {name}={value}" for name, base, value in constants]
    return "\n".join([*lines, *(_checked_field(n, d) for n, d in ros1_fields_of(full))])


def _checked_field(name: str, desc: Desc) -> str:
    kind, inner = desc
    suffix = ""
    if kind in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        element, count = inner
        suffix = f"[{count}]" if kind == Nodetype.ARRAY else "[]"
        kind, inner = element
    if kind == Nodetype.BASE:
        return f"{inner[0]}{suffix} {name}"
    if inner in (_TIME, _DURATION):
        return f"{'time' if inner == _TIME else 'duration'}{suffix} {name}"
    return f"{ros1_type(str(inner)).md5sum} {name}"


def _short(full: str) -> str:
    return full.replace("/msg/", "/")
