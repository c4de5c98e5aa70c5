"""Client JSON to bus messages: either spelling, and values that JSON cannot represent."""

from collections.abc import Mapping

from outrider.core.clock import NS_PER_S
from outrider.core.errors import BridgeError
from outrider.core.structure import Data
from outrider.messages.convert import from_dict
from outrider.messages.fields import Field, fields_of
from outrider.messages.store import full_name
from outrider.messages.types import Message

_TIME = "builtin_interfaces/msg/Time"
_MOMENTS = (_TIME, "builtin_interfaces/msg/Duration")
_HEADER = "std_msgs/msg/Header"
_ROS1_KEYS = {"secs": "sec", "nsecs": "nanosec"}


def read_message(type_name: str, data: object, now_ns: int) -> Message:
    """Return a message of a type; what is missing is zero or empty, what is unknown refused."""
    full = full_name(type_name)
    if not isinstance(data, Mapping):
        raise BridgeError(f"{full}: expected an object, got {data!r:.60}")
    return from_dict(full, _tidy_fields(full, data, now_ns))


def _tidy(full: str, data: object, now_ns: int) -> object:
    """Return data with the keys of the bus; whatever else is wrong is found by ``from_dict``."""
    if data == "now" and full == _TIME:
        return _stamp(now_ns)
    return _tidy_fields(full, data, now_ns) if isinstance(data, Mapping) else data


def _tidy_fields(full: str, data: Mapping[str, object], now_ns: int) -> Data:
    fields = {field.name: field for field in fields_of(full)}
    found: Data = {}
    if full == _HEADER and "stamp" not in data:
        found["stamp"] = _stamp(now_ns)
    for key, value in data.items():
        name = _name(full, str(key), fields)
        if name:
            found[name] = _value(fields[name], value, now_ns) if name in fields else value
    return found


def _name(full: str, key: str, fields: Mapping[str, Field]) -> str:
    """Return the bus's name of a key; nothing for one that only ROS 1 has."""
    if key in fields:
        return key
    if full in _MOMENTS and key in _ROS1_KEYS:
        return _ROS1_KEYS[key]
    if full == _HEADER and key == "seq":
        return ""
    return key.lower() if key.lower() in fields else key


def _value(field: Field, value: object, now_ns: int) -> object:
    if field.message:
        if field.is_array and isinstance(value, list):
            return [_tidy(field.message, item, now_ns) for item in value]
        return _tidy(field.message, value, now_ns)
    if field.base.startswith("float"):
        if value is None:
            return float("nan")
        if isinstance(value, list) and None in value:
            return [float("nan") if item is None else item for item in value]
    return value


def _stamp(now_ns: int) -> dict[str, int]:
    seconds, rest = divmod(now_ns, NS_PER_S)
    return {"sec": seconds, "nanosec": rest}
