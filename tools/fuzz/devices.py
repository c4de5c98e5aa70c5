"""Damaged bytes on the serial line of every device: none fails, answers without end, or stays mute.

Each case is a fresh device that gets valid commands, damaged, in pieces of any length while time
goes on. Afterwards it must answer one whole command as always (an Open Interface may wait for
something that never comes, as the real one does: there its speed must be one that it can drive).
"""

import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from tools.fuzz import limits
from tools.fuzz.limits import Outcome, limit_memory
from tools.fuzz.mutate import Rng, damaged, generator

from outrider.bus.bus import Bus
from outrider.devices.create.body import CreateBody
from outrider.devices.create.create import CreateInterface
from outrider.devices.device import Device
from outrider.devices.gps.receiver import Receiver
from outrider.devices.gps.sentences import framed
from outrider.devices.ports.telnet import Telnet
from outrider.devices.sick.scanner import SickScanner
from outrider.devices.sick.telegram import checksum, telegram
from outrider.messages.types import LaserScan, NavSatFix, NavSatStatus, header

_MS = 1_000_000
_REST_MS = 300  # that the line rests before the last command
_MOST_ANSWER = 4_000_000  # bytes that one case may make a device say
_MOST_MM_S = 500.0
_SHOWN = 40

_CREATE = (
    *(b"\x80", b"\x83", b"\x84", b"\x89\x00\xc8\x80\x00", b"\x91\x00\x64\xff\x9c", b"\x8e\x64"),
    *(b"\x95\x03\x07\x13\x14", b"\x94\x02\x1d\x0d", b"\x96\x00", b"\x96\x01", b"\x9c\x01\x90"),
    *(b"\x98\x05\x9b\x0a\x89\x00\x00\x00\x00", b"\x99", b"\x9a", b"\x9b\x02", b"\x9d\xff\xa6"),
    *(b"\x9e\x05", b"\x8c\x00\x02\x3e\x0c\x42\x0c", b"\x8d\x00", b"\x8b\x02\x00\x64", b"\x81\x0a"),
    *(b"\x07", b"\xad", b"\x85", b"\x92\x7f\xff\x80\x00", b"\x88\x01"),
)
_SICK = (
    *(b"\x10", b"\x20\x24", b"\x20\x25", b"\x20\x00SICK_LMS", b"\x20\x42", b"\x20\x48"),
    *(b"\x30\x01", b"\x31", b"\x3a", b"\x3b\x64\x00\x64\x00", b"\x3b\xb4\x00\x32\x00", b"\x74"),
    *(b"\x20\x2a\x01\x00\x32\x00", b"\x20\x26\x05", b"\x77" + bytes(34)),
)
_GPS = (
    *("PMTK220,200", "PMTK314,0,1,0,1,0,0", "PMTK314,-1", "PMTK251,38400", "PMTK605", "PMTK000"),
    *("PMTK220", "GPGGA,1,2,3", "PMTK999,1,2,3"),
)
_TELNET = (
    *(b"\xff\xfb\x2c", b"\xff\xfd\x00", b"\xff\xfa\x2c\x01\x00\x00\x25\x80\xff\xf0", b"data"),
    *(b"\xff\xff", b"\xff\xfa\x2c\x05\x08\xff\xf0", b"\xff\xfa\x2c\x00\xff\xf0", b"\xff\xfe\x03"),
)


@dataclass(slots=True)
class Bench:
    """A device, what a valid peer says to it, and how it shows that it is well."""

    device: Device
    talks: tuple[bytes, ...]
    well: Callable[[Device, int], str]  # returns what is wrong


def _create(generation: int) -> Bench:
    bus = Bus()
    bus.declare("/odometer", "outrider_msgs/msg/Odometer")
    bus.declare("/cmd_vel", "geometry_msgs/msg/Twist", direction="in")
    device = CreateInterface(CreateBody(bus, "", lambda: True), generation)
    return Bench(device, _CREATE, _drivable)


def _sick() -> Bench:
    bus = Bus()
    bus.declare("/scan", "sensor_msgs/msg/LaserScan")
    device = SickScanner(bus, "/scan")
    ranges = np.linspace(1.0, 4.6, 721, dtype=np.float32)
    bus.publish("/scan", _scan(ranges), 0)
    return Bench(device, tuple(telegram(body, 0) for body in _SICK), _answers_status)


def _gps() -> Bench:
    bus = Bus()
    bus.declare("/gps/fix", "sensor_msgs/msg/NavSatFix", rate_hz=5.0)
    device = Receiver(bus, "/gps/fix")
    fix = NavSatFix(header(0, "gps"), NavSatStatus(0, 1), 49.9, 8.9, 45.0, np.zeros(9), 0)
    bus.publish("/gps/fix", fix, 0)
    talks = tuple(f"{framed(body)}\r\n".encode() for body in _GPS)
    return Bench(device, talks, _answers_version)


class _TelnetDevice:
    """The line over TCP as if it were a device: what it makes of bytes is its answer."""

    kind: ClassVar[str] = "rfc2217"

    def __init__(self) -> None:
        self.telnet, self.baud = Telnet(), 0

    def receive(self, data: bytes, now_ns: int) -> bytes:  # noqa: ARG002 - a device's shape
        """Return data and answers."""
        said = self.telnet.feed(data) + bytes(self.telnet.answer)
        self.telnet.answer.clear()
        return said

    def tick(self, now_ns: int) -> bytes:  # noqa: ARG002 - a device's shape
        """Say nothing by itself."""
        return b""

    def counts(self) -> dict[str, int]:
        """Count nothing."""
        return {}

    def close(self) -> None:
        """Hold nothing."""


def _rfc2217() -> Bench:
    return Bench(_TelnetDevice(), _TELNET, _passes_data)


BENCHES: dict[str, Callable[[], Bench]] = {
    "create1": lambda: _create(1),
    "create2": lambda: _create(2),
    "sick": _sick,
    "gps": _gps,
    "rfc2217": _rfc2217,
}


def _drivable(device: Device, now_ns: int) -> str:  # noqa: ARG001 - a check's shape
    assert isinstance(device, CreateInterface)
    fastest = max(abs(device.wheels.left), abs(device.wheels.right))
    return "" if fastest <= _MOST_MM_S else f"a wheel is to turn at {fastest} mm/s"


def _answers_status(device: Device, now_ns: int) -> str:
    answer = device.receive(telegram(b"\x31", 0), now_ns)
    start = answer.find(b"\x06\x02\x80")
    if start < 0 or answer[start + 5] != 0xB1:
        return f"no status but {answer[:_SHOWN]!r}"
    length = 6 + int.from_bytes(answer[start + 3 : start + 5], "little")
    whole = answer[start + 1 : start + 1 + length]
    good = checksum(whole[:-2]) == int.from_bytes(whole[-2:], "little")
    return "" if good else "a status with a wrong checksum"


def _answers_version(device: Device, now_ns: int) -> str:
    answer = device.receive(f"\r\n{framed('PMTK605')}\r\n".encode(), now_ns)
    return "" if b"PMTK705" in answer else f"no version but {answer[:_SHOWN]!r}"


def _passes_data(device: Device, now_ns: int) -> str:
    device.receive(b"\xff\xf0" + bytes(600), now_ns)  # ends a setting that is not whole
    answer = device.receive(b"hello", now_ns)
    return "" if answer == b"hello" else f"no data but {answer[:_SHOWN]!r}"


def _scan(ranges: NDArray[np.float32]) -> LaserScan:
    return LaserScan(
        header=header(0, "laser"),
        angle_min=-math.pi / 2,
        angle_max=math.pi / 2,
        angle_increment=math.pi / (len(ranges) - 1),
        time_increment=0.0,
        scan_time=0.013,
        range_min=0.1,
        range_max=8.0,
        ranges=ranges,
        intensities=ranges[:0],
    )


def bytes_of(bench: Bench, rng: Rng) -> bytes:
    """Return what a case sends: valid commands in any order, most of them damaged."""
    talk = b"".join(rng.choice(bench.talks) for _ in range(rng.randint(1, 12)))
    if rng.random() < 0.1:
        return rng.randbytes(rng.randint(1, 2000))
    return damaged(talk, rng) if rng.random() < 0.8 else talk


def fault_of(bench: Bench, data: bytes, rng: Rng) -> str:
    """Return what is wrong with a device that got these bytes, or nothing."""
    now_ns, said, at = 0, 0, 0
    while at < len(data):
        piece = data[at : at + rng.choice((1, 2, 7, 50, 1000))]
        at += len(piece)
        said += len(bench.device.receive(piece, now_ns))
        now_ns += rng.choice((1, 2, 20)) * _MS
        said += len(bench.device.tick(now_ns))
    for _ in range(_REST_MS):
        now_ns += _MS
        said += len(bench.device.tick(now_ns))
    if said > _MOST_ANSWER:
        return f"{said} bytes of answers"
    return bench.well(bench.device, now_ns)


def outcome(number: int, seed: int, only: str = "") -> tuple[Outcome, bytes]:
    """Run one case; return what became of it, and its bytes."""
    kinds = [only] if only else list(BENCHES)
    kind, rng = kinds[number % len(kinds)], generator(seed, number)
    bench = BENCHES[kind]()
    data, began_s = bytes_of(bench, rng), time.process_time()
    try:
        fault = fault_of(bench, data, rng)
    except Exception as error:  # that is what this looks for
        fault = f"{type(error).__name__}: {error!s:.80}"
    refused = any(bench.device.counts().values())
    bench.device.close()
    seconds = time.process_time() - began_s
    return Outcome(number, kind, refused=refused, fault=fault, seconds=seconds), data


def outcomes(first: int, count: int, seed: int, only: str = "") -> Iterator[Outcome]:
    """Run the cases of a range in workers with limits."""
    yield from limits.outcomes(["tools.fuzz.devices", str(seed), only], first, count)


def work(first: int, last: int, seed: int, only: str) -> None:
    """Be a worker: say on standard output what becomes of each case."""
    talk = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # devices say what their songs and lamps do
    limit_memory()
    with os.fdopen(talk, "w", encoding="utf-8", buffering=1) as out:
        for number in range(first, last):
            out.write(json.dumps({"begun": number, "kind": "device", "bytes": ""}) + "\n")
            found, data = outcome(number, seed, only)
            said = {name: getattr(found, name) for name in found.__slots__}
            out.write(json.dumps({**said, "first_bytes": repr(data[:_SHOWN])}) + "\n")


if __name__ == "__main__":
    _, _seed, _only, _first, _last = sys.argv
    work(int(_first), int(_last), int(_seed), _only)
