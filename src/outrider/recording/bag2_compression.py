"""Compressed ROS 2 bags, unpacked within bounds: a few bytes can expand to very many."""

import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import IO, Self

import zstandard
from rosbags.rosbag2 import reader

from outrider.core.errors import RecordingError
from outrider.recording.bag1_chunks import MOST_BYTES

_PIECE = 1024 * 1024
_MOST_TIMES = 100  # that a file may be larger than it is compressed, beyond those bytes


def bound_compression() -> None:
    """Let the library that reads ROS 2 bags refuse what expands beyond the limits."""
    vars(reader)["zstd"] = SimpleNamespace(open=_File, decompress=_message)


def _message(data: bytes) -> bytes:
    """Unpack one message."""
    with zstandard.ZstdDecompressor().stream_reader(data) as stream:
        return b"".join(_pieces(stream))


def _pieces(stream: zstandard.ZstdDecompressionReader) -> Iterator[bytes]:
    left = MOST_BYTES
    while piece := stream.read(_PIECE):
        left -= len(piece)
        if left < 0:
            raise RecordingError(f"a message expands to more than {MOST_BYTES} bytes")
        yield piece


class _File:
    """A compressed file of a bag, as it is copied to be read."""

    def __init__(self, file: IO[bytes], _mode: str) -> None:
        self._most = MOST_BYTES + _MOST_TIMES * os.fstat(file.fileno()).st_size
        self._left = self._most
        self._stream = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the file to whoever opened it."""

    def read(self, size: int) -> bytes:
        """Return the next bytes, or none."""
        piece: bytes = self._stream.read(size)
        self._left -= len(piece)
        if self._left < 0:
            raise RecordingError(f"a compressed file expands to more than {self._most} bytes")
        return piece
