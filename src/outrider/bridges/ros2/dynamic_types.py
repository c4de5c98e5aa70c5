"""Message types that no installed ROS 2 package has, created for rclpy at run time.

rclpy takes a type from a compiled package. Publishing and receiving serialised messages, however,
needs only the type's name, hash and fields; they are written here where Fast DDS looks for them.
Such a class carries bytes only: it has no fields and cannot be used for services.
"""

import ctypes
import importlib.metadata
import os
from ctypes import addressof
from functools import cache
from pathlib import Path
from typing import Any

from outrider.bridges.ros2.layout import (
    ASK,
    FIND,
    MOST,
    Callbacks,
    Hash,
    MessageMember,
    MessageMembers,
    TypeSupport,
)
from outrider.core.errors import BridgeError
from outrider.messages.fields import Field, fields_of
from outrider.messages.store import FILLER, store

_FAST = b"rosidl_typesupport_fastrtps_c"
_INTROSPECTION = b"rosidl_typesupport_introspection_c"
_DISTRIBUTIONS = {"jazzy"}  # those whose layout is known to be ours
_KINDS = {
    "float32": 1,
    "float64": 2,
    "bool": 6,
    "byte": 7,
    "char": 8,
    "uint8": 8,
    "int8": 9,
    "uint16": 10,
    "int16": 11,
    "uint32": 12,
    "int32": 13,
    "uint64": 14,
    "int64": 15,
    "string": 16,
}
_MESSAGE = 18
_kept: list[object] = []  # what C code points to lives as long as the process


def can_make(middleware: str) -> bool:
    """Return whether types can be made for this middleware and distribution."""
    return middleware == "rmw_fastrtps_cpp" and _distribution() in _DISTRIBUTIONS


@cache
def made_class(type_name: str) -> type[Any]:
    """Return a class that rclpy takes for the type of serialised messages."""
    capsule = _capsule(_handle(type_name))
    slots = (
        "_TYPE_SUPPORT",
        "_CREATE_ROS_MESSAGE",
        "_CONVERT_FROM_PY",
        "_CONVERT_TO_PY",
        "_DESTROY_ROS_MESSAGE",
    )
    kind = type("MadeType", (type,), dict.fromkeys(slots, capsule))
    made: type[Any] = kind(type_name.rpartition("/")[2], (), {"__doc__": type_name})
    return made


def _distribution() -> str:
    try:
        importlib.metadata.version("ros-jazzy-rclpy")
    except importlib.metadata.PackageNotFoundError:
        return os.environ.get("ROS_DISTRO", "")
    return "jazzy"


def _handle(type_name: str) -> TypeSupport:
    """Return what rclpy hands down to Fast DDS: both kinds of knowledge, found by identifier."""
    package, _, name = type_name.split("/")
    callbacks = Callbacks(f"{package}::msg".encode(), name.encode(), most=MOST(_unbounded))
    fast = TypeSupport(_FAST, addressof(callbacks))
    known = {_FAST: addressof(fast), _INTROSPECTION: addressof(_introspection(type_name))}
    answers = _answers(type_name)
    fast.find = FIND(lambda _, identifier: known.get(identifier))
    fast.hash, fast.description, fast.sources = answers
    _kept.extend((callbacks, fast, *answers))
    return fast


def _unbounded(bounds: Any) -> int:
    bounds[0] = b"\0"
    return 0


def _answers(type_name: str) -> tuple[Any, Any, Any]:
    """Return the functions that give a type's hash and an empty description of it."""
    digest = bytes.fromhex(store().hash_rihs01(type_name).removeprefix("RIHS01_"))
    hash_ = Hash(1, (ctypes.c_uint8 * 32)(*digest))
    _kept.append(hash_)
    library = _runtime()
    prefix = "rosidl_runtime_c__type_description__"
    description = _created(library, f"{prefix}TypeDescription__create")
    sources = _created(library, f"{prefix}TypeSource__Sequence__create", 0)
    return (
        ASK(lambda _: addressof(hash_)),
        ASK(lambda _: description),
        ASK(lambda _: sources),
    )


@cache
def _runtime() -> ctypes.CDLL:
    """Return the library that rclpy has already loaded, from any folder."""
    with Path("/proc/self/maps").open(encoding="utf-8") as maps:
        for line in maps:
            if "librosidl_runtime_c.so" in line:
                return ctypes.CDLL(line.split(maxsplit=5)[5].strip())
    raise BridgeError("ros2: the library rosidl_runtime_c is not loaded")


def _created(library: ctypes.CDLL, function: str, *sizes: int) -> int:
    create = getattr(library, function)
    create.restype, create.argtypes = ctypes.c_void_p, [ctypes.c_size_t] * len(sizes)
    found: int = create(*sizes)
    return found


@cache
def _introspection(type_name: str) -> TypeSupport:
    """Return the fields of a type, as the graph and other middlewares want them."""
    package, _, name = type_name.split("/")
    fields = _with_filler(type_name)
    rows = (MessageMember * len(fields))(*(_member(field) for field in fields))
    members = MessageMembers(
        f"{package}__msg".encode(), name.encode(), len(fields), members=addressof(rows)
    )
    handle = TypeSupport(_INTROSPECTION, addressof(members))
    handle.find = FIND(lambda _, wanted: addressof(handle) if wanted == _INTROSPECTION else None)
    _kept.extend((rows, members, handle))
    return handle


def _with_filler(type_name: str) -> tuple[Field, ...]:
    """Return a type's fields; one without any has the octet that ROS 2 writes for it."""
    return fields_of(type_name) or (Field(FILLER, "", "uint8"),)


def _member(field: Field) -> MessageMember:
    inner = addressof(_introspection(field.message)) if field.message else None
    return MessageMember(
        field.name.encode(),
        _MESSAGE if field.message else _KINDS[field.base],
        field.longest,
        inner,
        is_array=field.is_array,
        count=max(field.count, field.most, 0),
        is_bounded=field.most > 0,
    )


def _capsule(handle: TypeSupport) -> object:
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    found: object = new(addressof(handle), None, None)
    return found
