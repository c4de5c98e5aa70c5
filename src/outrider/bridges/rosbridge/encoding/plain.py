"""Messages as JSON-compatible values: one generated function per type and form."""

from base64 import b64encode
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import numpy as np
import orjson

from outrider.bridges.rosbridge.encoding.forms import Form, shaping, slots
from outrider.core.structure import Data
from outrider.messages.fields import Field
from outrider.messages.types import Message

Plain: TypeAlias = Callable[[Message], Data]

_OCTETS = ("uint8", "char")


def json_bytes(value: object) -> bytes:
    """Return JSON text; what is not a number becomes null, as the real server has it."""
    return orjson.dumps(value, default=str, option=orjson.OPT_SERIALIZE_NUMPY)


@cache
def plain(full: str, form: Form) -> Plain:
    """Return what turns a message of the bus into dictionaries, arrays and scalars."""
    shape, inner = shaping(full, form), _inner(full, form)
    return lambda message: inner(shape(message))


@cache
def _inner(full: str, form: Form) -> Plain:
    parts = [(key, field.attribute, _change(field, form)) for key, field in slots(full, form)]

    def convert(message: Message) -> Data:
        return {
            key: getattr(message, name) if change is None else change(getattr(message, name))
            for key, name, change in parts
        }

    return convert


def _change(field: Field, form: Form) -> Callable[[Message], object] | None:
    if field.message:
        inner = _inner(field.message, form)
        return (lambda values: [inner(value) for value in values]) if field.is_array else inner
    if not field.is_array or field.base == "string":
        return None
    dtype = field.dtype
    if field.base in _OCTETS:
        return lambda value: b64encode(np.ascontiguousarray(value, dtype).data).decode("ascii")
    return lambda value: np.ascontiguousarray(value, dtype)
