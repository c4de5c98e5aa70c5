"""Rebuilds the index of a ROS 1 bag from its chunks."""

import os
from collections import Counter, defaultdict
from io import BytesIO
from typing import BinaryIO

from rosbags.rosbag1.reader import (
    ChunkInfo,
    Header,
    IndexData,
    Reader,
    ReaderError,
    RecordType,
    read_bytes,
    read_uint32,
)

from outrider.recording.bag1_chunks import bounded_chunk


def reindex(reader: Reader) -> None:
    """Open a bag and fill the reader's index; an incomplete chunk at the end is left out."""
    reader.bio = reader.path.open("rb")
    end = reader.bio.seek(0, os.SEEK_END)
    reader.bio.seek(0)
    reader.bio.readline()
    reader.connections.clear()
    reader.chunk_infos.clear()
    indexes: dict[int, list[IndexData]] = defaultdict(list)
    try:
        while reader.bio.tell() < end:
            _take_record(reader, reader.bio, indexes)
    except Exception:  # here it was cut off
        pass
    reader.indexes = {c.id: indexes[c.id] for c in reader.connections}


def _take_record(reader: Reader, bio: BinaryIO, indexes: dict[int, list[IndexData]]) -> None:
    position = bio.tell()
    header = Header.read(bio)
    if header.get_uint8("op") != RecordType.CHUNK:
        read_bytes(bio, read_uint32(bio))
        return
    bio.seek(position)
    chunk = bounded_chunk(reader.read_chunk())
    bio.seek(chunk.datapos)
    found = _messages(reader, chunk.decompressor(read_bytes(bio, chunk.datasize)))
    if not found:
        return
    reader.chunks[position] = chunk
    for connection, time_ns, offset in found:
        indexes[connection].append(IndexData(time_ns, position, offset))
    times = [time_ns for _, time_ns, _ in found]
    counts = Counter(connection for connection, _, _ in found)
    reader.chunk_infos.append(ChunkInfo(position, min(times), max(times) + 1, dict(counts)))


def _messages(reader: Reader, data: bytes) -> list[tuple[int, int, int]]:
    """Return connection, time and offset of the messages in a chunk; register its connections."""
    chunk = BytesIO(data)
    found = []
    while (offset := chunk.tell()) < len(data):
        header = Header.read(chunk)
        kind = header.get_uint8("op")
        if kind == RecordType.CONNECTION:
            _take_connection(reader, chunk, offset)
            continue
        chunk.seek(read_uint32(chunk), os.SEEK_CUR)
        if kind != RecordType.MSGDATA:
            raise ReaderError("there are other records among the messages")
        found.append((header.get_uint32("conn"), header.get_time("time"), offset))
    return found


def _take_connection(reader: Reader, chunk: BytesIO, offset: int) -> None:
    file, reader.bio = reader.bio, chunk
    try:
        chunk.seek(offset)
        connection = reader.read_connection()
    finally:
        reader.bio = file
    if all(known.id != connection.id for known in reader.connections):
        reader.connections.append(connection)
