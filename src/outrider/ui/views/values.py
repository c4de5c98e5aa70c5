"""Numeric fields of messages, by name."""

import numbers
from collections.abc import Iterator

from outrider.core.structure import Data
from outrider.messages.types import Message

_MOST_SHOWN = 16


def rows_of(message: Data, prefix: str = "") -> Iterator[tuple[str, str, bool]]:
    """Yield (path, value as text, whether it is numeric) of a message as dictionaries."""
    for key, value in message.items():
        path = f"{prefix}{key}"
        if isinstance(value, dict):
            yield from rows_of(value, f"{path}.")
        elif isinstance(value, list):
            yield from _list_rows(value, path)
        elif isinstance(value, bool) or not isinstance(value, numbers.Real):
            yield path, str(value), False
        else:
            yield path, f"{value:.6g}" if isinstance(value, float) else str(value), True


def _list_rows(values: list[object], path: str) -> Iterator[tuple[str, str, bool]]:
    for number, value in enumerate(values[:_MOST_SHOWN]):
        if isinstance(value, dict):
            yield from rows_of(value, f"{path}.{number}.")
        elif isinstance(value, numbers.Real):
            yield f"{path}.{number}", f"{value:.6g}", True
        else:
            yield f"{path}.{number}", str(value), False
    if len(values) > _MOST_SHOWN:
        yield path, f"... {len(values)} values in all", False


def number_at(message: Message, path: str) -> float | None:
    """Return the number at a path in a message, or None."""
    value = message
    for key in path.split("."):
        try:
            value = value[int(key)] if key.isdecimal() else getattr(value, key)
        except (AttributeError, IndexError, TypeError, KeyError):
            return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
