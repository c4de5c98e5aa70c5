"""Pending messages as plain data and back."""

import numpy as np

from outrider.core.state import State, Value
from outrider.messages.convert import from_dict
from outrider.messages.fields import fields_of
from outrider.messages.types import Message


def message_state(message: Message) -> State:
    """Return a message by its type and its fields; arrays stay arrays."""
    return State(type=message.__msgtype__, fields=_fields(message))


def message_of(state: State) -> Message:
    """Return the message of a state: only known types, with values that fit their fields."""
    return from_dict(state.text("type"), state.part("fields"))


def _fields(message: Message) -> State:
    values: dict[str, Value] = {}
    for field in fields_of(message.__msgtype__):
        value: Message = getattr(message, field.attribute)
        if field.message:
            value = [_fields(item) for item in value] if field.is_array else _fields(value)
        elif isinstance(value, np.generic):
            value = value.item()
        elif field.is_array and field.dtype is not None:
            value = np.asarray(value)
        values[field.name] = value
    return State(values)
