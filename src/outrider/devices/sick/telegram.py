"""Telegrams of the LMS 2xx: framing and checksum."""

from dataclasses import dataclass, field
from enum import IntEnum

STX, ACK, NAK = 0x02, 0x06, 0x15
_HEAD = 4  # STX, address, two bytes of length
_LONGEST = 812  # bytes between length and checksum
_ADDRESSES = (0x00, 0x01, 0x80)  # to all, to the first device
_GAP_NS = 100_000_000  # a telegram that rests longer than this is given up
_OF_DEVICE = 0x80


class Fault(IntEnum):
    """Errors in a telegram."""

    CHECKSUM = 1


def checksum(data: bytes) -> int:
    """Return SICK's CRC."""
    crc = before = 0
    for byte in data:
        crc = ((crc & 0x7FFF) << 1) ^ 0x8005 if crc & 0x8000 else crc << 1
        crc ^= before << 8 | byte
        before = byte
    return crc & 0xFFFF


def telegram(body: bytes, address: int = _OF_DEVICE) -> bytes:
    """Return a telegram that contains a command or a reply."""
    whole = bytes([STX, address]) + len(body).to_bytes(2, "little") + body
    return whole + checksum(whole).to_bytes(2, "little")


@dataclass(slots=True)
class TelegramReader:
    """Finds telegrams in the received bytes; noise between them is skipped."""

    noise: int = 0  # bytes that belonged to no telegram
    _begun: bytearray = field(default_factory=bytearray)
    _fed_ns: int = 0

    def feed(self, data: bytes, now_ns: int) -> None:
        """Take bytes; an incomplete telegram that timed out is dropped."""
        if self._begun and not 0 <= now_ns - self._fed_ns < _GAP_NS:
            self.noise += len(self._begun)
            self._begun.clear()
        self._begun += data
        self._fed_ns = now_ns

    def next(self) -> bytes | Fault | None:
        """Return the next command, a fault to be answered, or None."""
        self._skip()
        if len(self._begun) < _HEAD:
            return None
        end = _HEAD + int.from_bytes(self._begun[2:_HEAD], "little") + 2
        if len(self._begun) < end:
            return None
        whole = bytes(self._begun[:end])
        del self._begun[:end]
        if checksum(whole[:-2]) != int.from_bytes(whole[-2:], "little"):
            self.noise += end
            return Fault.CHECKSUM
        return whole[_HEAD:-2]

    def _skip(self) -> None:
        while self._begun and not self._may_begin():
            del self._begun[0]
            self.noise += 1

    def _may_begin(self) -> bool:
        begun = self._begun
        if begun[0] != STX or (len(begun) > 1 and begun[1] not in _ADDRESSES):
            return False
        length = int.from_bytes(begun[2:_HEAD], "little")
        return len(begun) < _HEAD or 0 < length <= _LONGEST
