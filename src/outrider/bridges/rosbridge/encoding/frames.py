"""Outgoing frames, ready for the socket: made once, sent to many."""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Chunk: TypeAlias = bytes | memoryview

_TEXT, _BINARY = 0x81, 0x82  # a whole message in one frame, from a server: never masked


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message, or the pieces of one, for WebSockets and for plain sockets."""

    framed: tuple[Chunk, ...]
    bare: tuple[Chunk, ...]
    size: int


def outgoing(texts: Iterable[bytes]) -> Outgoing:
    """Return one or more JSON texts."""
    framed: list[Chunk] = []
    bare: list[Chunk] = []
    for one in texts:
        framed += (_head(_TEXT, len(one)), one)
        bare.append(one)
    return Outgoing(tuple(framed), tuple(bare), sum(len(part) for part in bare))


def outgoing_binary(chunks: list[Chunk]) -> Outgoing:
    """Return one binary message."""
    size = sum(len(chunk) for chunk in chunks)
    return Outgoing((_head(_BINARY, size), *chunks), tuple(chunks), size)


def _head(first: int, size: int) -> bytes:
    """Return a frame's head (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((first, size))
    if size < 65_536:
        return struct.pack(">BBH", first, 126, size)
    return struct.pack(">BBQ", first, 127, size)
