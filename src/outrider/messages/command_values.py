"""Commands that robots ignore: those with a number that is not finite."""

import math

from outrider.core.errors import BusError
from outrider.messages.fields import fields_of
from outrider.messages.topics import TOPICS
from outrider.messages.types import Message

_COMMANDS = frozenset(topic.type for topic in TOPICS.values() if topic.direction == "in")


def refuse_ignored(topic: str, message: Message) -> None:
    """Refuse a command that no robot would follow, naming the first such number."""
    if message.__msgtype__ not in _COMMANDS:
        return
    found = _not_finite(message)
    if found is not None:
        field, value = found
        raise BusError(
            f"topic '{topic}': {field} is {value}: robots ignore commands with a number that is "
            "not finite"
        )


def _not_finite(message: Message, prefix: str = "") -> tuple[str, float] | None:
    for field in fields_of(message.__msgtype__):
        value, name = getattr(message, field.attribute), f"{prefix}{field.name}"
        if field.is_array:
            continue
        if field.message:
            found = _not_finite(value, f"{name}.")
            if found is not None:
                return found
        elif isinstance(value, float) and not math.isfinite(value):
            return name, value
    return None
