"""Packets as a network sniffer would have written them: a pcap file with Ethernet frames."""

import ipaddress
import struct
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
            self._file = path.open("xb")
        except FileExistsError:
            raise BridgeError(f"velodyne: the file '{path}' already exists") from None
        except OSError as error:
            raise BridgeError(f"velodyne: '{path}' cannot be written: {error.strerror}") from None
        self._file.write(_FILE)

    def add(self, time_ns: int, port: int, payload: bytes) -> None:
        """Append one packet as the sensor would have broadcast it."""
        frame = (
            _ETHERNET
            + _ip(len(payload) + 8)
            + struct.pack(">HHHH", port, port, len(payload) + 8, 0)
        )
        seconds, rest = divmod(time_ns, NS_PER_S)
        size = len(frame) + len(payload)
        self._file.write(struct.pack("<IIII", seconds, rest, size, size) + frame + payload)

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


def _ip(length: int) -> bytes:
    head = struct.pack(">BBHHHBBH", 0x45, 0, length + 20, 0, 0x4000, 64, 17, 0) + _SENSOR + _ALL
    total = sum(struct.unpack(">10H", head))
    checksum = ~(total % 0xFFFF or 0xFFFF) & 0xFFFF
    return head[:10] + struct.pack(">H", checksum) + head[12:]
