"""Bodies of messages: the ROS 1 serialisation, which is packed and little-endian."""

import struct
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TypeAlias

import numpy as np
from rosbags.interfaces import Nodetype

from outrider.bridges.udp.header import Buffer
from outrider.core.errors import BridgeError
from outrider.messages.convert import from_dict
from outrider.messages.fields import Field, fields_of
from outrider.messages.ros1.convert import from_ros1, to_ros1
from outrider.messages.ros1.types import Desc, deserialize, ros1_store, ros1_type, written
from outrider.messages.store import store
from outrider.messages.types import Message

Segments: TypeAlias = tuple[memoryview, ...]  # a body in pieces, to be sent one after the other

_HEADER = "std_msgs/msg/Header"
_NO_SEQ = memoryview(bytes(4))  # ROS 1 counts there; here the datagram's header does
_LARGE = 16_384  # bytes of an array from which on it is sent from where it lies


def write_body(message: Message, type_name: str) -> Segments:
    """Return the bytes of a bus message; a large array at its end is not copied."""
    bulk = _bulk(type_name)
    if bulk is not None and getattr(message, bulk[0]).nbytes >= _LARGE:
        return _around(message, type_name, *bulk)
    return _writer(type_name)(message)


def read_body(body: Buffer, type_name: str) -> Message:
    """Return the bus message in some bytes; raises BridgeError for malformed bytes."""
    return _reader(type_name)(memoryview(body))


@cache
def _writer(type_name: str) -> Callable[[Message], Segments]:
    if not fields_of(type_name):
        return lambda _: (memoryview(b""),)
    if _alike(type_name):
        write = store().serialize_ros1
        return lambda message: (_NO_SEQ, write(message, type_name))
    convert, whole = to_ros1(type_name), ros1_store().serialize_ros1
    return lambda message: (whole(convert(message), type_name),)


@cache
def _reader(type_name: str) -> Callable[[memoryview], Message]:
    if not _alike(type_name):
        convert = from_ros1(type_name)
        return lambda body: convert(deserialize(body, type_name))
    read = store().deserialize_ros1

    def reader(body: memoryview) -> Message:
        try:
            return read(body[4:], type_name)
        except Exception as error:  # whatever the bytes made of it
            raise BridgeError(f"this is not a valid {type_name}: {error!r:.60}") from None

    return reader


def _alike(type_name: str) -> bool:
    """Return whether ROS 1 has the bus's type with a header's ``seq`` before it, and no more."""
    ros1_type(type_name)  # so that the store has it
    here, there = store().fielddefs, ros1_store().fielddefs

    def same(mine: Desc, theirs: Desc) -> bool:
        if mine[0] != theirs[0]:
            return False
        if mine[0] == Nodetype.NAME:
            return bool(mine[1] == theirs[1]) and fields(mine[1], 0)
        if mine[0] == Nodetype.BASE:
            return bool(mine == theirs)
        return bool(mine[1][1] == theirs[1][1]) and same(mine[1][0], theirs[1][0])

    def fields(name: str, first: int) -> bool:
        ours, others = here[name][1][first:], there[name][1][first:]
        return [n for n, _ in ours] == [n for n, _ in others] and all(
            same(mine, theirs) for (_, mine), (_, theirs) in zip(ours, others, strict=True)
        )

    mine = here[type_name][1]
    return bool(mine) and mine[0][1] == (Nodetype.NAME, _HEADER) and fields(type_name, 1)


def definition(type_name: str) -> str:
    """Return the .msg text of a type with all that it is made of."""
    return ros1_type(type_name).definition


def _around(message: Message, type_name: str, attribute: str, tail: int) -> Segments:
    array = np.ascontiguousarray(getattr(message, attribute))
    rest = replace(message, **{attribute: array[:0]})
    small = b"".join(_writer(type_name)(rest))
    cut = len(small) - tail
    head = small[: cut - 4] + struct.pack("<I", len(array))
    return memoryview(head), array.data.cast("B"), memoryview(small)[cut:]


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
    sample = from_dict(type_name, {field.name: np.array([1, 0, 1], field.dtype)})
    whole = bytes(written(to_ros1(type_name)(sample), type_name))
    return b"".join(_around(sample, type_name, field.attribute, tail)) == whole
