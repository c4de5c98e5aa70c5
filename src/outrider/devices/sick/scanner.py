"""The LMS 200 as a serial device: its replies, and the scans it sends."""

from collections.abc import Callable
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.bus.bus import Bus
from outrider.devices.sick.telegram import ACK, NAK, Fault, TelegramReader, telegram
from outrider.devices.sick.variant import Variant, readings, resolvable
from outrider.messages.types import Message

SCAN = "sensor_msgs/msg/LaserScan"
_TYPE = b"LMS200;30106;V02.32"
_VERSION = b"V02.32 "
_STATUS = 0x10  # no error, indoor device
_PASSWORD = b"SICK_LMS"
_BAUDS = {0x40: 38400, 0x41: 19200, 0x42: 9600, 0x48: 500000}
_INSTALLATION, _DIAGNOSTIC, _ALL, _ON_REQUEST, _MEAN, _PART = 0x00, 0x10, 0x24, 0x25, 0x26, 0x27
_MODES = frozenset({_DIAGNOSTIC, *range(0x20, 0x2D), 0x2E, 0x50})
_SENDING = (_ALL, _MEAN, _PART)
_OK, _REFUSED = b"\x00", b"\x01"
_CONFIG_BYTES, _MEASURING_AT, _UNIT_AT = 32, 5, 6  # counted without the command
_BITS = {3: 14, 4: 14, 5: 15, 6: 15, 0x0F: 15}  # of a range, by measuring mode; else 13
_STATUS_BYTES, _ANGLE_AT = 152, 106
_NACK = b"\x92"
_MOST_MEAN = 250

_Handler: TypeAlias = Callable[["SickScanner", bytes, int], bytes]


class SickScanner:
    """Answers each telegram with ACK and a reply, and sends scans while streaming."""

    kind: ClassVar[str] = "sick"

    def __init__(self, bus: Bus, topic: str) -> None:
        self._box = bus.subscribe(topic)
        self._reader = TelegramReader()
        self._config = bytearray(_CONFIG_BYTES)
        self._next_ns = 0  # when a scan is due
        self._power_up()
        self.refused = 0  # commands that it does not have or may not obey now
        self.faults = 0  # telegrams with a wrong checksum

    def receive(self, data: bytes, now_ns: int) -> bytes:
        """Answer telegrams."""
        self._reader.feed(data, now_ns)
        answers = b""
        faulty = False
        while (found := self._reader.next()) is not None:
            if isinstance(found, Fault):
                faulty = True
                continue
            answers += bytes([ACK]) + self._answer(found, now_ns)
        if faulty:
            self.faults += 1
            answers += bytes([NAK])
        return answers

    def tick(self, now_ns: int) -> bytes:
        """Send a scan when it is due."""
        self.baud = self._next_baud
        if self.mode not in _SENDING:
            return b""
        every = self.variant.scan_ns * self._mean
        if now_ns < self._next_ns <= now_ns + every:
            return b""
        self._next_ns = max(self._next_ns, now_ns - every) + every
        if self._next_ns > now_ns + every:
            self._next_ns = now_ns + every
        values = self._values()
        return b"" if values is None else telegram(self._measured(values))

    def counts(self) -> dict[str, int]:
        """Return what was refused so far."""
        return {
            "refused": self.refused,
            "wrong_checksums": self.faults,
            "noise_bytes": self._reader.noise,
        }

    def close(self) -> None:
        """Stop listening."""
        self._box.close()

    def _power_up(self) -> None:
        self.mode, self.variant = _ON_REQUEST, Variant(180, 50)
        self.baud = self._next_baud = 9600
        self._config[:] = bytes(_CONFIG_BYTES)
        self._config[_UNIT_AT] = 1
        self._mean, self._part = 1, (1, 0)
        self._next_ns = 0

    # --- scans

    @property
    def millimetres(self) -> bool:
        """Whether ranges are in millimetres, to 8 m or more, not in centimetres, to 80 m."""
        return self._config[_UNIT_AT] == 1

    def _scan(self) -> Message | None:
        latest = self._box.latest
        return latest[1] if latest else None

    def _values(self) -> NDArray[np.uint16] | None:
        scan = self._scan()
        if scan is None or not len(scan.ranges):
            return None
        bits = _BITS.get(self._config[_MEASURING_AT], 13)
        return readings(self.variant, scan, millimetres=self.millimetres, bits=bits)

    def _measured(self, values: NDArray[np.uint16]) -> bytes:
        """Return all values of a scan, or the requested part."""
        unit = 0x4000 if self.millimetres else 0
        if self.mode == _PART:
            first, last = self._part
            values = values[first - 1 : last]
            head = b"\xb7" + first.to_bytes(2, "little") + last.to_bytes(2, "little")
        else:
            head = b"\xb0"
        count = (len(values) | unit).to_bytes(2, "little")
        return head + count + values.astype("<u2").tobytes() + bytes([_STATUS])

    # --- commands

    def _answer(self, command: bytes, now_ns: int) -> bytes:
        act = _COMMANDS.get(command[0])
        answer = act(self, command[1:], now_ns) if act else _NACK
        if answer == _NACK:
            self.refused += 1
            return telegram(_NACK + bytes([_STATUS]))
        return telegram(answer)

    def _reset(self, _data: bytes, _now_ns: int) -> bytes:
        self._power_up()
        return b"\x91" + bytes([_STATUS])

    def _set_mode(self, data: bytes, now_ns: int) -> bytes:
        taken = bool(data) and self._take_mode(data[0], data[1:], now_ns)
        self.refused += not taken
        return b"\xa0" + (_OK if taken else _REFUSED) + bytes([_STATUS])

    def _take_mode(self, mode: int, data: bytes, now_ns: int) -> bool:
        if mode in _BAUDS:
            self._next_baud = _BAUDS[mode]  # the answer goes out at the old speed
            return True
        if mode == _INSTALLATION:
            if data != _PASSWORD:
                return False
        elif mode not in _MODES or not self._take_details(mode, data):
            return False
        self.mode, self._next_ns = mode, now_ns
        return True

    def _take_details(self, mode: int, data: bytes) -> bool:
        """Set how many scans are averaged, or which part of a scan is sent."""
        mean = data[0] if mode == _MEAN and data else 1
        first, last = 1, 0
        if mode == _PART and len(data) >= 4:
            first, last = int.from_bytes(data[:2], "little"), int.from_bytes(data[2:4], "little")
        count = len(self.variant.directions)
        if not 1 <= mean <= _MOST_MEAN or (mode == _PART and not 1 <= first <= last <= count):
            return False
        self._mean, self._part = mean, (first, last)
        return True

    def _request(self, data: bytes, _now_ns: int) -> bytes:
        if data[:1] != b"\x01":
            return _NACK
        values = self._values()
        return _NACK if values is None else self._measured(values)

    def _tell_status(self, _data: bytes, _now_ns: int) -> bytes:
        block = bytearray(_STATUS_BYTES)
        block[: len(_VERSION)] = _VERSION
        block[len(_VERSION)] = self.mode
        block[_ANGLE_AT : _ANGLE_AT + 2] = self.variant.angle.to_bytes(2, "little")
        block[_ANGLE_AT + 2 : _ANGLE_AT + 4] = self.variant.step.to_bytes(2, "little")
        return b"\xb1" + bytes(block) + bytes([_STATUS])

    def _tell_type(self, _data: bytes, _now_ns: int) -> bytes:
        return b"\xba" + _TYPE + bytes([_STATUS])

    def _switch_variant(self, data: bytes, _now_ns: int) -> bytes:
        if len(data) < 4:
            return _NACK
        wanted = Variant(int.from_bytes(data[:2], "little"), int.from_bytes(data[2:4], "little"))
        scan = self._scan()
        done = wanted.possible and (scan is None or resolvable(wanted, scan))
        if done:
            self.variant, self._part = wanted, (1, 0)
            if self.mode == _PART:
                self.mode = _ON_REQUEST
        self.refused += not done
        now = self.variant
        words = now.angle.to_bytes(2, "little") + now.step.to_bytes(2, "little")
        return b"\xbb" + bytes([done]) + words + bytes([_STATUS])

    def _tell_config(self, _data: bytes, _now_ns: int) -> bytes:
        return b"\xf4" + bytes(self._config) + bytes([_STATUS])

    def _set_config(self, data: bytes, _now_ns: int) -> bytes:
        done = self.mode == _INSTALLATION and len(data) > _UNIT_AT and data[_UNIT_AT] in (0, 1)
        if done:
            block = data[:_CONFIG_BYTES]
            self._config[: len(block)] = block
        self.refused += not done
        return b"\xf7" + bytes([done]) + bytes(self._config) + bytes([_STATUS])


_COMMANDS: dict[int, _Handler] = {
    0x10: SickScanner._reset,
    0x20: SickScanner._set_mode,
    0x30: SickScanner._request,
    0x31: SickScanner._tell_status,
    0x3A: SickScanner._tell_type,
    0x3B: SickScanner._switch_variant,
    0x74: SickScanner._tell_config,
    0x77: SickScanner._set_config,
}
