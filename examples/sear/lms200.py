"""Telegrams to and from a SICK LMS 200: all that listings 5 and 6 need of its protocol."""

import struct
import time


def checksum(data):
    crc = before = 0
    for byte in data:
        crc = ((crc & 0x7FFF) << 1) ^ 0x8005 if crc & 0x8000 else crc << 1
        crc, before = crc ^ (before << 8 | byte), byte
    return struct.pack("<H", crc & 0xFFFF)


def ask(line, command):
    """Send a command and return its answer."""
    whole = b"\x02\x00" + struct.pack("<H", len(command)) + command
    line.write(whole + checksum(whole))
    while line.read(1) != b"\x06":  # ACK; what came before belongs to another command
        pass
    head = line.read(4)
    body, end = line.read(struct.unpack("<H", head[2:])[0]), line.read(2)
    assert checksum(head + body) == end, "a damaged telegram"
    return body


def scan_m(line):
    """Return the metres of one scan; the two top bits of its head say the unit."""
    while (answer := ask(line, b"\x30\x01"))[0] != 0xB0:  # it has just been switched on
        time.sleep(0.1)
    head = struct.unpack_from("<H", answer, 1)[0]
    unit = {0: 0.01, 1: 0.001}[head >> 14]
    values = struct.unpack_from(f"<{head & 0x3FF}H", answer, 3)
    return [round((value & 0x1FFF) * unit, 3) for value in values]
