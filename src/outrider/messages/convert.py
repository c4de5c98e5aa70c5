"""Messages as plain dictionaries, for JSON, scripts and terminals."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from outrider.core.errors import BusError, near_match
from outrider.core.structure import Data
from outrider.messages.fields import Field, empty_array, fields_of
from outrider.messages.store import full_name, message_class
from outrider.messages.types import Message
from outrider.messages.values import number, numbers, refuse, text


def to_dict(
    message: Message, *, octets: Literal["list", "base64"] = "list", longest: int | None = None
) -> Data:
    """Return the message as dictionaries, lists and scalars (NaN and infinity stay floats).

    ``octets`` says how uint8 arrays are written; those of more than ``longest`` values become
    ``"<n bytes>"``.
    """
    out: Data = {}
    for field in fields_of(message.__msgtype__):
        value = getattr(message, field.attribute)
        if field.message:
            out[field.name] = (
                [to_dict(item, octets=octets, longest=longest) for item in value]
                if field.is_array
                else to_dict(value, octets=octets, longest=longest)
            )
        elif field.is_array:
            out[field.name] = _array(field, value, octets, longest)
        else:
            out[field.name] = value.item() if isinstance(value, np.generic) else value
    return out


def from_dict(type_name: str, mapping: Mapping[str, object]) -> Message:
    """Return a message of a type; missing fields are zero or empty, unknown ones are refused."""
    full = full_name(type_name)
    message_class(full)  # so that an unknown type is named, not its first field
    return _message(full, mapping, full)


def _array(field: Field, value: Any, octets: str, longest: int | None) -> Any:
    if field.base == "string":
        return list(value)
    array = np.asarray(value, field.dtype)
    if array.dtype == np.uint8:
        if longest is not None and array.size > longest:
            return f"<{array.size} bytes>"
        if octets == "base64":
            return b64encode(array.tobytes()).decode("ascii")
    return array.tolist()


def _message(type_name: str, mapping: object, where: str) -> Message:
    if not isinstance(mapping, Mapping):
        raise refuse(where, f"a mapping of {type_name}", mapping)
    fields = fields_of(type_name)
    names = {field.name for field in fields}
    for key in mapping:
        if key not in names:
            raise BusError(f"{where}: unknown field {key!r}{near_match(str(key), names)}")
    values = {
        field.attribute: _value(field, mapping[field.name], _inside(where, field.name))
        if field.name in mapping
        else _default(field)
        for field in fields
    }
    return message_class(type_name)(**values)


def _inside(where: str, name: str) -> str:
    """Return the place of a field as ``type: outer.inner``."""
    return f"{where}.{name}" if ": " in where else f"{where}: {name}"


def _value(field: Field, data: object, where: str) -> Any:
    if field.dtype is not None:
        return numbers(field, data, where) if field.is_array else number(field.base, data, where)
    if not field.is_array:
        return _single(field, data, where)
    if not isinstance(data, list | tuple):
        raise refuse(where, "a list", data)
    if field.count and len(data) != field.count:
        raise refuse(where, f"{field.count} values", data)
    if field.most and len(data) > field.most:
        raise refuse(where, f"at most {field.most} values", data)
    return [_single(field, item, f"{where}[{i}]") for i, item in enumerate(data)]


def _single(field: Field, data: object, where: str) -> Any:
    if field.message:
        return _message(field.message, data, where)
    return text(data, field.longest, where)


def _default(field: Field) -> Any:
    if field.is_array:
        if field.dtype is not None:
            return empty_array(field)
        return [_default_single(field) for _ in range(field.count)]
    return _default_single(field)


def _default_single(field: Field) -> Any:
    if field.message:
        return _message(field.message, {}, field.message)
    if field.base == "string":
        return ""
    if field.base == "bool":
        return False
    return 0.0 if field.base.startswith("float") else 0
