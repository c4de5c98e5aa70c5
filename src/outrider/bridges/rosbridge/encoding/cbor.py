"""Messages as CBOR: one writer per type and form; large arrays are never copied.

A general library copies an image twice and inspects every value: for a 640x480 image it takes
about thirty times as long (``outrider bench web``).
"""

import struct
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.bridges.rosbridge.encoding.forms import Form, shaping, slots
from outrider.messages.fields import Field
from outrider.messages.types import Message

Chunks: TypeAlias = list[bytes | memoryview]
Write: TypeAlias = Callable[["CborWriter", Any], None]

_LARGE = 4096  # bytes from which an array stays where it is
_UNSIGNED, _NEGATIVE, _BYTES, _TEXT, _LIST, _MAP, _TAG = range(7)
_TAGS = {
    "uint16": 69,
    "uint32": 70,
    "uint64": 71,
    "int8": 72,
    "byte": 72,
    "int16": 77,
    "int32": 78,
    "int64": 79,
    "float32": 85,
    "float64": 86,
}
_FLOAT64 = b"\xfb"


class CborWriter:
    """Gathers what is written, with large arrays as they are in memory."""

    def __init__(self) -> None:
        self.near = bytearray()
        self._chunks: Chunks = []

    def array(self, values: memoryview) -> None:
        """Write bytes that may be many."""
        if values.nbytes < _LARGE:
            self.near += values
            return
        self._chunks += (bytes(self.near), values)
        self.near.clear()

    def chunks(self) -> Chunks:
        """Return all that was written."""
        return [*self._chunks, bytes(self.near)] if self.near else self._chunks


def head(major: int, value: int) -> bytes:
    """Return the first bytes of an item: its kind, and a count or a value."""
    if value < 24:
        return bytes((major << 5 | value,))
    for extra, (most, code) in enumerate(((0xFF, "B"), (0xFFFF, "H"), (0xFFFFFFFF, "I"))):
        if value <= most:
            return struct.pack(f">B{code}", major << 5 | 24 + extra, value)
    return struct.pack(">BQ", major << 5 | 27, value)


def text(value: str) -> bytes:
    """Return a text."""
    encoded = value.encode()
    return head(_TEXT, len(encoded)) + encoded


def whole(value: int) -> bytes:
    """Return a whole number of up to 64 bits."""
    return head(_UNSIGNED, value) if value >= 0 else head(_NEGATIVE, -1 - value)


def published(topic: str, message: Message, form: Form) -> Chunks:
    """Return a ``publish`` of a message."""
    writer = _opened(topic)
    full = message.__msgtype__
    _message(full, form)(writer, shaping(full, form)(message))
    return writer.chunks()


def published_raw(topic: str, time_ns: int, body: memoryview) -> Chunks:
    """Return a ``publish`` of a message's own serialisation."""
    writer = _opened(topic)
    seconds, rest = divmod(time_ns, 1_000_000_000)
    writer.near += head(_MAP, 3) + text("secs") + whole(seconds) + text("nsecs") + whole(rest)
    writer.near += text("bytes") + head(_BYTES, body.nbytes)
    writer.array(body)
    return writer.chunks()


def _opened(topic: str) -> CborWriter:
    writer = CborWriter()
    writer.near += head(_MAP, 3) + text("op") + text("publish") + text("topic") + text(topic)
    writer.near += text("msg")
    return writer


@cache
def _message(full: str, form: Form) -> Write:
    fields = slots(full, form)
    opening = head(_MAP, len(fields))
    parts = [(text(key), field.attribute, _field(field, form)) for key, field in fields]

    def write(writer: CborWriter, message: Message) -> None:
        writer.near += opening
        for key, name, value in parts:
            writer.near += key
            value(writer, getattr(message, name))

    return write


def _field(field: Field, form: Form) -> Write:
    if field.message:
        inner = _message(field.message, form)
        return _each(inner) if field.is_array else inner
    if not field.is_array:
        return _scalar(field.base)
    if field.base == "string":
        return _each(_text)
    if field.base in ("uint8", "char"):
        return _octets
    if field.base in _TAGS and not field.count:
        return _tagged(field)
    return _fixed if field.base.startswith("float") else _each(_scalar(field.base))


def _scalar(base: str) -> Write:
    if base == "string":
        return _text
    if base == "bool":
        return _bool
    return _float if base.startswith("float") else _whole


def _text(writer: CborWriter, value: Any) -> None:
    writer.near += text(value)


def _bool(writer: CborWriter, value: object) -> None:
    writer.near += b"\xf5" if value else b"\xf4"


def _float(writer: CborWriter, value: object) -> None:
    writer.near += struct.pack(">Bd", 0xFB, value)


def _whole(writer: CborWriter, value: Any) -> None:
    writer.near += whole(int(value))


def _each(inner: Write) -> Write:
    def write(writer: CborWriter, values: Any) -> None:
        writer.near += head(_LIST, len(values))
        for value in values:
            inner(writer, value)

    return write


def _octets(writer: CborWriter, values: object) -> None:
    octets = _view(np.ascontiguousarray(values, np.uint8))
    writer.near += head(_BYTES, octets.nbytes)
    writer.array(octets)


def _view(array: NDArray[np.generic]) -> memoryview:
    return array.reshape(-1).view(np.uint8).data


def _tagged(field: Field) -> Write:
    opening = head(_TAG, _TAGS[field.base])
    dtype = np.dtype(np.int8 if field.base == "byte" else field.dtype).newbyteorder("<")

    def write(writer: CborWriter, values: object) -> None:
        array = np.ascontiguousarray(values).astype(dtype, copy=False)
        writer.near += opening + head(_BYTES, array.nbytes)
        writer.array(_view(array))

    return write


def _fixed(writer: CborWriter, values: Any) -> None:
    """Write an array of fixed length as a list of numbers, as the real server does."""
    items = np.empty(len(values), [("head", "u1"), ("value", ">f8")])
    items["head"], items["value"] = _FLOAT64[0], values
    writer.near += head(_LIST, len(values)) + items.tobytes()
