"""The header of every datagram: Table 1 of Sobczak et al., packed and little-endian.

More than 127 parts do not fit its signed bytes. Such a message has -1 in both, and the real
numbers in eight bytes after the padding; who knows only the table refuses it as malformed.
"""

import re
import struct
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from outrider.core.errors import BridgeError

Buffer: TypeAlias = bytes | bytearray | memoryview

_FIXED = struct.Struct("<bbibbiibb")  # type, size, seq, part, parts, sec, nanosec, two sizes
_MANY = struct.Struct("<ii")
PART_AT, PARTS_AT = 6, 7  # where the bytes PartNumber and PartsMax are
MOST_PARTS = 127  # that the table's own bytes can count
MOST_HEADER = 124  # the largest multiple of 4 that HeaderSize can hold
MOST_NAMES = MOST_HEADER - _FIXED.size  # bytes of topic and link together
MOST_NAMES_OF_MANY = MOST_NAMES - _MANY.size
MOST_DATAGRAM = 65_507  # bytes that UDP over IPv4 carries
SEQUENCE = 2**31  # numbers after which SeqNumber starts again at 0
_PATTERN = re.compile(r"[A-Za-z0-9_/*?]+", re.ASCII)


class MalformedError(BridgeError):
    """A datagram that does not keep to the protocol."""


class Header(NamedTuple):
    """One datagram's header; ``link`` is the frame of the message where that fits."""

    type: int
    seq: int
    part: int
    parts: int
    sec: int
    nanosec: int
    topic: str
    link: str = ""


def write_header(header: Header) -> bytearray:
    """Return the header's bytes."""
    many = header.parts > MOST_PARTS
    names = _written_names(header.topic, header.link, many)
    part, parts = (-1, -1) if many else (header.part, header.parts)
    fixed = _FIXED.pack(
        header.type,
        names.header_bytes,
        header.seq,
        part,
        parts,
        header.sec,
        header.nanosec,
        names.topic_bytes,
        names.link_bytes,
    )
    tail = _MANY.pack(header.part, header.parts) if many else b""
    return bytearray(fixed + names.padded + tail)


class _WrittenNames(NamedTuple):
    """Topic and link as they stand in every header of their messages."""

    header_bytes: int
    topic_bytes: int
    link_bytes: int
    padded: bytes


@lru_cache(maxsize=1024)
def _written_names(topic: str, link: str, many: bool) -> _WrittenNames:
    raw_topic, raw_link = topic.encode(), link.encode()
    names = len(raw_topic) + len(raw_link)
    if names > (MOST_NAMES_OF_MANY if many else MOST_NAMES):
        raise BridgeError(f"udp: the names '{topic}' and '{link}' are too long")
    padding = -(_FIXED.size + names) % 4
    return _WrittenNames(
        header_bytes=_FIXED.size + names + padding + (_MANY.size if many else 0),
        topic_bytes=len(raw_topic),
        link_bytes=len(raw_link),
        padded=raw_topic + raw_link + bytes(padding),
    )


@lru_cache(maxsize=1024)
def link_fits(topic: str, link: str, parts: int) -> bool:
    """Return whether the header has room for the link beside the topic."""
    most = MOST_NAMES_OF_MANY if parts > MOST_PARTS else MOST_NAMES
    return len(topic.encode()) + len(link.encode()) <= most


def number_message(header: Header, seq: int) -> Header:
    """Return the header with its sequence number; ``_replace`` takes twice the time."""
    return Header._make((header.type, seq, *header[2:]))


def number_part(raw: bytearray, part: int, parts: int) -> None:
    """Set the part number in a header's bytes."""
    if parts > MOST_PARTS:
        _MANY.pack_into(raw, len(raw) - _MANY.size, part, parts)
    else:
        raw[PART_AT] = part


def read_header(datagram: Buffer) -> tuple[Header, int]:
    """Return the header of a datagram and where its body begins, or refuse it."""
    if len(datagram) < _FIXED.size:
        raise MalformedError(f"a datagram of {len(datagram)} bytes has no header")
    kind, size, seq, part, parts, sec, nanosec, topic, link = _FIXED.unpack_from(datagram)
    names_end = _FIXED.size + topic + link
    if topic < 0 or link < 0 or size % 4 or not names_end <= size <= len(datagram):
        raise MalformedError(f"HeaderSize {size} does not fit names of {topic} and {link} bytes")
    if part == parts == -1:
        if size < names_end + _MANY.size:
            raise MalformedError("a header without the numbers of its many parts")
        part, parts = _MANY.unpack_from(datagram, size - _MANY.size)
    if not 0 <= part < parts:
        raise MalformedError(f"part {part} of {parts}")
    if seq < 0 or not 0 <= nanosec < 1_000_000_000:
        raise MalformedError(f"SeqNumber {seq} or TimeNsec {nanosec} is out of range")
    topic_name, link_name = _names(bytes(datagram[_FIXED.size : names_end]), topic)
    fields = (kind, seq, part, parts, sec, nanosec, topic_name, link_name)
    return Header._make(fields), size  # by keywords it takes three times as long


@lru_cache(maxsize=1024)
def _names(raw: bytes, cut: int) -> tuple[str, str]:
    try:
        topic, link = raw[:cut].decode(), raw[cut:].decode()
    except UnicodeDecodeError:
        raise MalformedError("a topic or link that is not UTF-8") from None
    if topic and not _PATTERN.fullmatch(topic):
        raise MalformedError(f"{topic!r:.60} is not the name of a topic")
    return topic, link
