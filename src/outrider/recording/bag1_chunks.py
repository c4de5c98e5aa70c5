"""Chunks of ROS 1 bags, decompressed within bounds: a few bytes can expand to very many."""

from bz2 import BZ2Decompressor
from collections.abc import Callable

import lz4.frame
from rosbags.rosbag1.reader import Chunk, Reader, decompressors

from outrider.core.errors import RecordingError

MOST_BYTES = 1024 * 1024 * 1024  # of one chunk


def bounded(reader: Reader) -> None:
    """Decompress all chunks of a reader within bounds."""
    reader.chunks = {place: bounded_chunk(chunk) for place, chunk in reader.chunks.items()}


def bounded_chunk(chunk: Chunk) -> Chunk:
    """Return a chunk that refuses to expand beyond the limit."""
    unpack = _BOUNDED.get(chunk.decompressor)
    return chunk if unpack is None else chunk._replace(decompressor=unpack)


def _bz2(data: bytes) -> bytes:
    unpacker = BZ2Decompressor()
    return _whole(unpacker.decompress(data, MOST_BYTES), unpacker.eof)


def unpack_lz4(data: bytes) -> bytes:
    """Return what an LZ4 frame holds."""
    unpacker = lz4.frame.LZ4FrameDecompressor()
    return _whole(unpacker.decompress(data, max_length=MOST_BYTES), unpacker.eof)


def _whole(data: bytes, complete: bool) -> bytes:
    if not complete:
        raise RecordingError(f"a chunk is cut off, or has more than {MOST_BYTES} bytes")
    return data


_BOUNDED: dict[Callable[[bytes], bytes], Callable[[bytes], bytes]] = {
    decompressors["bz2"]: _bz2,
    decompressors["lz4"]: unpack_lz4,
}
