"""Messages as text, in the manner of YAML."""

import json
from collections.abc import Iterator

from outrider.core.structure import Data

SHOWN_BYTES = 64  # of an array of bytes, on the screen
_SHOWN_VALUES = 12  # of any other array


def message_lines(message: Data, indent: str = "") -> Iterator[str]:
    """Yield a message in the manner of YAML, long arrays shortened."""
    for key, value in message.items():
        if isinstance(value, dict):
            yield f"{indent}{key}:"
            yield from message_lines(value, indent + "  ")
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            yield f"{indent}{key}:"
            for item in value:
                first, *rest = list(message_lines(item, indent + "  ")) or ["{}"]
                yield f"{indent}- {first.lstrip()}"
                yield from rest
        else:
            yield f"{indent}{key}: {_scalar(value)}"


def _scalar(value: object) -> str:
    if isinstance(value, list):
        shown = ", ".join(_scalar(item) for item in value[:_SHOWN_VALUES])
        left = len(value) - _SHOWN_VALUES
        return f"[{shown}, ... {left} more]" if left > 0 else f"[{shown}]"
    if isinstance(value, str):
        return value if value and value.isprintable() else json.dumps(value)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return str(value)
