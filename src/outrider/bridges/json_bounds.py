"""JSON from clients is counted before it is read.

Whoever reads it has the interpreter until the end, and the loop waits: 15 MB of brackets take a
second. What is allowed here takes some hundredths.
"""

from typing import TypeVar

from outrider.core.errors import BridgeError

_MOST = (
    (",", 1_000_000, "values"),
    ("[", 100_000, "lists"),
    ("{", 100_000, "objects"),
    (":", 200_000, "keys"),
)
T = TypeVar("T", bound=str | bytes | bytearray)


def checked(text: T) -> T:
    """Return a text that is about to be read as JSON; refuse one of too many parts."""
    for sign, most, parts in _MOST:
        found = text.count(sign) if isinstance(text, str) else text.count(sign.encode())
        if found > most:
            raise BridgeError(f"more than {most} {parts} in one message are not read")
    return text
