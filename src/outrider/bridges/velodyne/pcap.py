"""Packets as a network sniffer would have written them: a pcap file with Ethernet frames."""

import errno
import ipaddress
import os
import struct
from contextlib import suppress
from pathlib import Path

from outrider.core.clock import NS_PER_S
from outrider.core.errors import BridgeError

_FILE = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65_535, 1)  # nanoseconds, Ethernet
_ETHERNET = bytes.fromhex("ffffffffffff6076880000000800")  # the maker's first three bytes
_SENSOR = ipaddress.IPv4Address("192.168.1.201").packed
_ALL = ipaddress.IPv4Address("255.255.255.255").packed


class PcapFile:
    """Written as packets are sent; readable up to its last whole packet at any time."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("xb", buffering=0)  # what is not written is known at once
            self._whole = 0
            self._append(_FILE)
        except FileExistsError:
            raise BridgeError(f"velodyne: the file '{path}' already exists") from None
        except OSError as error:
            with suppress(OSError):
                path.unlink()
            raise BridgeError(f"velodyne: '{path}' cannot be written: {error.strerror}") from None

    def add(self, time_ns: int, port: int, payload: bytes) -> None:
        """Append one packet as the sensor would have broadcast it."""
        frame = (
            _ETHERNET
            + _ip(len(payload) + 8)
            + struct.pack(">HHHH", port, port, len(payload) + 8, 0)
        )
        seconds, rest = divmod(time_ns, NS_PER_S)
        size = len(frame) + len(payload)
        self._append(struct.pack("<IIII", seconds, rest, size, size) + frame + payload)

    def _append(self, data: bytes) -> None:
        """Write all of it, or nothing and raise."""
        written = self._file.write(data)
        if written != len(data):  # a disk takes what it can, and says at the next write why no more
            self._file.truncate(self._whole)
            self._file.seek(self._whole)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._whole += written

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


def _ip(length: int) -> bytes:
    head = struct.pack(">BBHHHBBH", 0x45, 0, length + 20, 0, 0x4000, 64, 17, 0) + _SENSOR + _ALL
    total = sum(struct.unpack(">10H", head))
    checksum = ~(total % 0xFFFF or 0xFFFF) & 0xFFFF
    return head[:10] + struct.pack(">H", checksum) + head[12:]
