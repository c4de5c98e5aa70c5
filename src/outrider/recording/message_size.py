"""The approximate size of a message in bytes, to bound a queue without serialising it."""

from functools import cache

import numpy as np

from outrider.messages.fields import fields_of
from outrider.messages.types import Message

_SMALL = 256  # bytes of what is not an array
_PART = 192  # bytes of one message or text in a list


def weight(message: Message) -> int:
    """Return roughly how many bytes of memory a message takes."""
    total = _SMALL
    for attribute in _arrays(message.__msgtype__):
        value = getattr(message, attribute)
        total += value.nbytes if isinstance(value, np.ndarray) else _PART * len(value)
    return total


@cache
def _arrays(type_name: str) -> tuple[str, ...]:
    return tuple(field.attribute for field in fields_of(type_name) if field.is_array)
