"""The fields of a message type, in the form that conversion needs."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import FieldDesc
from rosbags.typesys.base import normalize_fieldname

from outrider.messages.store import FILLER, store

_OCTETS = {"byte", "char"}


@dataclass(frozen=True, slots=True)
class Field:
    """One field; ``base`` is empty for messages, ``count`` is -1 if it is not an array."""

    name: str
    attribute: str  # the name, unless that is a word of Python
    base: str = ""
    message: str = ""
    count: int = -1  # values of a fixed array; 0 for a sequence
    most: int = 0  # values of a bounded sequence; 0 for no bound
    longest: int = 0  # characters of a bounded string; 0 for no bound

    @property
    def is_array(self) -> bool:
        """Whether it holds several values."""
        return self.count >= 0

    @property
    def dtype(self) -> np.dtype[np.generic] | None:
        """The type of a numeric array's values; None for text and messages."""
        return dtype_of(self.base) if self.base and self.base != "string" else None


def dtype_of(base: str) -> np.dtype[np.generic]:
    """Return the numpy type of a ROS base type."""
    return np.dtype("uint8" if base in _OCTETS else base)


def empty_array(field: Field) -> NDArray[np.generic]:
    """Return the default of a numeric array."""
    return np.zeros(field.count, field.dtype)


@cache
def fields_of(type_name: str) -> tuple[Field, ...]:
    """Return the fields of a type by its full name."""
    # A stored type never changes, so what is worked out once stays true.
    return tuple(field_of(n, d) for n, d in store().fielddefs[type_name][1] if n != FILLER)


def field_of(name: str, desc: FieldDesc) -> Field:
    """Return a field as any type store describes it."""
    count = most = -1
    if desc[0] == Nodetype.ARRAY:
        count, most, inner = desc[1][1], 0, desc[1][0]
    elif desc[0] == Nodetype.SEQUENCE:
        count, most, inner = 0, desc[1][1], desc[1][0]
    else:
        inner = desc
    attribute = normalize_fieldname(name)
    if inner[0] == Nodetype.NAME:
        return Field(name, attribute, message=inner[1], count=count, most=most)
    base, longest = inner[1]
    return Field(name, attribute, base=base, count=count, most=most, longest=longest)
