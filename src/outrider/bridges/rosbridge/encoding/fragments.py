"""Long messages in fragments, both ways; incomplete ones are discarded."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from outrider.bridges.rosbridge.encoding.plain import json_bytes
from outrider.core.errors import BridgeError
from outrider.core.structure import Data

_MOST_BEGUN = 16  # messages of one client that may be incomplete
_MOST_PIECES = 100_000
SHORTEST = 256  # characters of a piece; a client that asks for less gets this


def cut(text: bytes, size: int | None, name: str) -> list[bytes]:
    """Return the text, or the ``fragment`` messages it takes where none may be longer."""
    if not size or len(text) <= size:
        return [text]
    letters = text.decode()
    size = max(size, SHORTEST)
    total = math.ceil(len(letters) / size)
    return [
        json_bytes(
            {
                "op": "fragment",
                "id": name,
                "data": letters[number * size : (number + 1) * size],
                "num": number,
                "total": total,
            }
        )
        for number in range(total)
    ]


@dataclass(slots=True)
class _Begun:
    began_s: float
    total: int
    pieces: dict[int, str] = field(default_factory=dict)
    size: int = 0


class Fragments:
    """The incomplete messages of one client: bounded in number, size and age."""

    def __init__(
        self, most: int, timeout_s: float, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        """``most`` is how many characters all of them may have together."""
        self._most, self._timeout_s, self._now_s = most, timeout_s, now_s
        self._begun: dict[str, _Begun] = {}

    def add(self, message: Data) -> str | None:
        """Take a piece; return the whole text if it was the last that was missing."""
        name, data, number, total = _checked(message)
        begun = self._begun.setdefault(name, _Begun(self._now_s(), total))
        if begun.total != total or number in begun.pieces:
            del self._begun[name]
            raise BridgeError(f"fragment: piece {number} of {total} of {name!r:.60} does not fit")
        begun.pieces[number] = data
        begun.size += len(data)
        if len(begun.pieces) == total:
            del self._begun[name]
            return "".join(begun.pieces[i] for i in range(total))
        self._check_room(name)
        return None

    def expire(self) -> int:
        """Forget what has taken too long; return how many that were."""
        limit_s = self._now_s() - self._timeout_s
        late = [name for name, begun in self._begun.items() if begun.began_s < limit_s]
        for name in late:
            del self._begun[name]
        return len(late)

    def _check_room(self, name: str) -> None:
        held = sum(begun.size for begun in self._begun.values())
        if held > self._most or len(self._begun) > _MOST_BEGUN:
            del self._begun[name]
            raise BridgeError(
                f"fragment: at most {_MOST_BEGUN} messages of {self._most} characters together"
                f" may be unfinished; {name!r:.60} is given up"
            )


def _checked(message: Data) -> tuple[str, str, int, int]:
    name, data = str(message.get("id", "")), message.get("data")
    number, total = message.get("num"), message.get("total")
    if isinstance(total, float):  # some servers and clients divide and do not round
        total = math.ceil(total)
    if (
        not isinstance(data, str)
        or type(number) is not int
        or type(total) is not int
        or not 0 <= number < total <= _MOST_PIECES
    ):
        raise BridgeError("fragment: expected id, data, and num below total")
    return name, data, number, total
