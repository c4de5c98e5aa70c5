"""Bodies of messages: the ROS 1 serialisation, which is packed and little-endian."""

import struct
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TypeAlias

import numpy as np

from outrider.bridges.udp.header import Buffer
from outrider.messages.convert import from_dict
from outrider.messages.fields import Field, fields_of
from outrider.messages.ros1.convert import from_ros1, to_ros1
from outrider.messages.ros1.types import deserialize, ros1_store, ros1_type, written
from outrider.messages.types import Message

Segments: TypeAlias = tuple[memoryview, ...]  # a body in pieces, to be sent one after the other

_LARGE = 16_384  # bytes of an array from which on it is sent from where it lies


def write_body(message: Message, type_name: str) -> Segments:
    """Return the bytes of a bus message; a large array at its end is not copied."""
    bulk = _bulk(type_name)
    if bulk is not None and getattr(message, bulk[0]).nbytes >= _LARGE:
        return _around(message, type_name, *bulk)
    return (_writer(type_name)(message),)


def read_body(body: Buffer, type_name: str) -> Message:
    """Return the bus message in some bytes; raises BridgeError for bytes that are none."""
    return _reader(type_name)(memoryview(body))


@cache
def _writer(type_name: str) -> Callable[[Message], memoryview]:
    convert = to_ros1(type_name)
    if not fields_of(type_name):
        return lambda _: memoryview(b"")
    serialize = ros1_store().serialize_ros1
    return lambda message: serialize(convert(message), type_name)


@cache
def _reader(type_name: str) -> Callable[[memoryview], Message]:
    convert = from_ros1(type_name)
    return lambda body: convert(deserialize(body, type_name))


def definition(type_name: str) -> str:
    """Return the .msg text of a type with all that it is made of."""
    return ros1_type(type_name).definition


def _around(message: Message, type_name: str, attribute: str, tail: int) -> Segments:
    array = np.ascontiguousarray(getattr(message, attribute))
    rest = replace(message, **{attribute: array[:0]})
    small = written(to_ros1(type_name)(rest), type_name)
    cut = len(small) - tail
    head = bytes(small[: cut - 4]) + struct.pack("<I", len(array))
    return memoryview(head), memoryview(array).cast("B"), small[cut:]


@cache
def _bulk(type_name: str) -> tuple[str, int] | None:
    """Return the array that a type ends with, and how many bytes may follow it; None if none."""
    tail = 0
    for field in reversed(fields_of(type_name)):
        if field.is_array:
            found = _sequence(field)
            return (field.attribute, tail) if found and _proven(type_name, field, tail) else None
        if field.dtype is None:
            return None
        tail += field.dtype.itemsize
    return None


def _sequence(field: Field) -> bool:
    return field.dtype is not None and field.count == 0


def _proven(type_name: str, field: Field, tail: int) -> bool:
    """Return whether a small message written in pieces is what it is as a whole."""
    sample = from_dict(type_name, {field.name: [1, 0, 1]})
    whole = bytes(written(to_ros1(type_name)(sample), type_name))
    return b"".join(_around(sample, type_name, field.attribute, tail)) == whole
