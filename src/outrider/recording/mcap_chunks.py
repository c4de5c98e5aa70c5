"""Chunks of MCAP files, decompressed within bounds: a few bytes can expand to very many."""

from dataclasses import replace

import zstandard
from mcap import stream_reader
from mcap.data_stream import ReadDataStream
from mcap.records import Chunk
from rosbags.rosbag2 import storage_mcap

from outrider.core.errors import RecordingError
from outrider.recording.bag1_chunks import MOST_BYTES, unpack_lz4

_unbounded = stream_reader.get_chunk_data_stream


def bound_chunks() -> None:
    """Let both libraries that read MCAP files refuse chunks that expand beyond the limit."""
    stream_reader.get_chunk_data_stream = _stream
    storage_mcap.DECOMPRESSORS.update(lz4=lambda data, _: unpack_lz4(data), zstd=_zstd)


def _stream(chunk: Chunk, validate_crc: bool = False) -> tuple[ReadDataStream, int]:
    if chunk.compression == "zstd":
        data = _zstd(chunk.data, chunk.uncompressed_size)
    elif chunk.compression == "lz4":
        data = unpack_lz4(chunk.data)
    else:
        return _unbounded(chunk, validate_crc)
    return _unbounded(replace(chunk, compression="", data=data), validate_crc)


def _zstd(data: bytes, size: int) -> bytes:
    """Unpack data of a size that the file tells; its own header may tell another."""
    told = max(size, zstandard.frame_content_size(data))
    if told > MOST_BYTES:
        raise RecordingError(f"a chunk of {told} bytes is larger than {MOST_BYTES}")
    return zstandard.decompress(data, size)
