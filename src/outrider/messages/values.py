"""Single message values, checked before they can break a serialiser."""

from base64 import b64decode

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import BusError
from outrider.messages.fields import Field, dtype_of

_FLOAT32_MOST = float(np.finfo(np.float32).max)


def refuse(where: str, expected: str, data: object) -> BusError:
    """Return the error that names the location, what was expected and what was found."""
    shown = repr(data[:8] if isinstance(data, list | tuple | str | bytes) else data)
    return BusError(f"{where}: expected {expected}, got {shown[:60]}")


def number(base: str, data: object, where: str) -> bool | int | float:
    """Return a scalar of a base type."""
    if isinstance(data, np.generic):
        data = data.item()
    if base == "bool":
        if not isinstance(data, bool):
            raise refuse(where, "true or false", data)
        return data
    if isinstance(data, bool) or not isinstance(data, int | float):
        raise refuse(where, "a number", data)
    return _real(base, data, where) if base.startswith("float") else _whole(base, data, where)


def _real(base: str, data: int | float, where: str) -> float:
    try:
        value = float(data)
    except OverflowError:
        raise refuse(where, f"a {base}", data) from None
    if base == "float32" and _FLOAT32_MOST < abs(value) < float("inf"):
        raise refuse(where, "a float32", data)
    return value


def _whole(base: str, data: int | float, where: str) -> int:
    info = np.iinfo(dtype_of(base).name)
    if not isinstance(data, int) or not info.min <= data <= info.max:
        raise refuse(where, f"a whole number from {info.min} to {info.max}", data)
    return data


def text(data: object, longest: int, where: str) -> str:
    """Return text that UTF-8 can carry; ``longest`` of 0 is no bound."""
    if not isinstance(data, str):
        raise refuse(where, "text", data)
    if longest and len(data) > longest:
        raise refuse(where, f"at most {longest} characters", data)
    if not data.isascii() and any("\ud800" <= letter <= "\udfff" for letter in data):
        raise refuse(where, "text of whole characters", data)
    return data


def numbers(field: Field, data: object, where: str) -> NDArray[np.generic]:
    """Return an array of a field's type and length, from a list, an array, bytes or base64."""
    array = _as_array(field, data, where)
    if field.count and array.size != field.count:
        raise BusError(f"{where}: expected {field.count} values, got {array.size}")
    if field.most and array.size > field.most:
        raise BusError(f"{where}: expected at most {field.most} values, got {array.size}")
    return array


def _as_array(field: Field, data: object, where: str) -> NDArray[np.generic]:
    dtype = field.dtype
    assert dtype is not None
    if dtype == np.uint8 and isinstance(data, str | bytes | bytearray):
        return _octets(data, where)
    if not isinstance(data, list | tuple | np.ndarray):
        raise refuse(where, f"a list of {field.base}", data)
    try:
        found = np.asarray(data)
    except (ValueError, OverflowError):
        raise refuse(where, f"a list of {field.base}", data) from None
    if found.ndim == 1 and found.size == 0:
        return np.zeros(0, dtype)
    if found.ndim != 1 or not (found.dtype == dtype or _fits(found, dtype)):
        raise refuse(where, f"a list of {field.base}", data)
    return found.astype(dtype)


def _fits(found: NDArray[np.void], dtype: np.dtype[np.generic]) -> bool:
    if dtype.kind == "b":
        return found.dtype.kind == "b"
    if dtype.kind == "f":
        return found.dtype.kind in "iuf" and _in_float_range(found, dtype)
    if found.dtype.kind not in "iu":
        return False
    info = np.iinfo(dtype.name)
    return bool(int(found.min()) >= info.min and int(found.max()) <= info.max)


def _in_float_range(found: NDArray[np.void], dtype: np.dtype[np.generic]) -> bool:
    if dtype.itemsize >= 8 or found.dtype.kind != "f":
        return True
    finite = found[np.isfinite(found)]
    return bool(finite.size == 0 or np.abs(finite).max() <= _FLOAT32_MOST)


def _octets(data: str | bytes | bytearray, where: str) -> NDArray[np.generic]:
    try:
        raw = b64decode(data, validate=True) if isinstance(data, str) else bytes(data)
    except ValueError:
        raise refuse(where, "numbers or base64 text", data) from None
    return np.frombuffer(raw, np.uint8).copy()
