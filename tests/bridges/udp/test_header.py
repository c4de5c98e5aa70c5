"""The header of Table 1, byte for byte, and what is refused."""

import struct

import pytest

from outrider.bridges.udp.header import (
    MOST_NAMES,
    MOST_NAMES_OF_MANY,
    Header,
    MalformedError,
    number_part,
    read_header,
    write_header,
)
from outrider.core.errors import BridgeError

TWIST = Header(9, 5, 0, 1, 12, 500_000_000, "/cmd_vel")


def test_the_fields_lie_where_table_1_puts_them():
    raw = bytes(write_header(Header(2, 0x01020304, 3, 7, 0x0A0B0C0D, 42, "/imu", "base")))
    assert raw[:2] == bytes((2, 28))
    assert raw[2:6] == bytes((4, 3, 2, 1))  # SeqNumber
    assert raw[6:8] == bytes((3, 7))  # PartNumber, PartsMax
    assert raw[8:12] == bytes((0x0D, 0x0C, 0x0B, 0x0A))
    assert struct.unpack_from("<i", raw, 12) == (42,)
    assert raw[16:18] == bytes((4, 4))
    assert raw[18:26] == b"/imubase"
    assert raw[26:] == bytes(2)  # padding


def test_the_shortest_header_has_twenty_bytes_as_the_paper_says():
    assert len(write_header(TWIST._replace(topic=""))) == 20


@pytest.mark.parametrize("names", range(0, MOST_NAMES + 1, 7))
def test_what_is_written_is_read_back_at_any_length_of_names(names):
    header = TWIST._replace(topic="/" * (names // 2), link="x" * (names - names // 2))
    raw = write_header(header)
    assert len(raw) % 4 == 0
    assert read_header(bytes(raw) + b"body") == (header, len(raw))


def test_more_than_127_parts_are_counted_behind_the_padding():
    header = TWIST._replace(part=300, parts=1000)
    raw = write_header(header)
    assert raw[6:8] == b"\xff\xff"  # -1 and -1: no numbers of the table
    assert struct.unpack("<ii", raw[-8:]) == (300, 1000)
    assert read_header(raw)[0] == header
    number_part(raw, 999, 1000)
    assert read_header(raw)[0].part == 999


def test_one_who_knows_only_the_table_sees_no_valid_part_in_it():
    raw = write_header(TWIST._replace(part=300, parts=1000))
    part, parts = struct.unpack_from("<bb", raw, 6)
    assert not 0 <= part < parts


def test_names_that_do_not_fit_are_refused():
    with pytest.raises(BridgeError, match="too long"):
        write_header(TWIST._replace(topic="/" + "a" * MOST_NAMES))
    long = TWIST._replace(topic="/" * (MOST_NAMES_OF_MANY + 1))
    write_header(long)
    with pytest.raises(BridgeError, match="too long"):
        write_header(long._replace(parts=128))


def _changed(place, value, size=1):
    raw = write_header(TWIST)
    raw[place : place + size] = value.to_bytes(size, "little", signed=True)
    return bytes(raw)


@pytest.mark.parametrize(
    ("datagram", "says"),
    [
        (b"", "no header"),
        (bytes(17), "no header"),
        (bytes(18), "HeaderSize 0"),
        (bytes((9, 20)) + bytes(18), "part 0 of 0"),
        (_changed(1, 24), "HeaderSize"),  # shorter than its names
        (_changed(1, 127), "HeaderSize"),
        (_changed(1, 100), "HeaderSize"),  # longer than the datagram
        (_changed(1, -4), "HeaderSize"),
        (_changed(16, -1), "HeaderSize"),
        (_changed(17, -8), "HeaderSize"),
        (_changed(2, -1, 4), "SeqNumber"),
        (_changed(12, 1_000_000_000, 4), "TimeNsec"),
        (_changed(12, -1, 4), "TimeNsec"),
        (_changed(6, 1), "part 1 of 1"),
        (_changed(7, -1), "part 0 of -1"),
        (_changed(18, 0x20), "not the name of a topic"),
        (_changed(18, -1), "UTF-8"),
    ],
)
def test_a_malformed_header_is_refused_by_name(datagram, says):
    with pytest.raises(MalformedError, match=says):
        read_header(datagram)


def test_a_longer_header_than_needed_is_read_so_that_the_format_can_grow():
    raw = write_header(TWIST) + bytes(4)
    raw[1] += 4
    assert read_header(raw) == (TWIST, len(raw))
