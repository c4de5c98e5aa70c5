"""A Create, a SICK and a satellite receiver of one simulation: over TCP, and ill-treated."""

import os
import random
import struct
import sys
from pathlib import Path

import pynmea2
import pytest
import serial
from serial_bench import running
from waiting import wait_until

from outrider.devices.sick.telegram import telegram

ROBOT = {
    "model": "create",
    "sensors": [
        {"name": "sick", "model": "sick-lms200-serial", "pose": {"x": 0.15, "z": 0.2}},
        {"name": "gps", "model": "ublox-m8", "pose": {"z": 0.1}},
    ],
}
SCENE = {"world": "sick-boxes", "robots": [ROBOT]}
needs_terminals = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no pseudo-terminals"
)


def lines(run):
    """Return the lines of the devices by their kinds."""
    wait_until(lambda: len(run.bridges[0].lines) == 3, "three devices")
    return {line.device.kind: line for line in run.bridges[0].lines.values()}


def goes_on(run):
    before = run.simulation.time_ns
    wait_until(lambda: run.simulation.time_ns > before, "time")


def drives(run, line):
    handle = run.simulation.robots["create"]
    line.write(bytes([128, 131, 137, 0, 100, 128, 0]))  # start, safe, 100 mm/s straight on
    wait_until(lambda: handle.velocity[0] > 0.09, "driving")
    line.write(bytes([137, 0, 0, 0, 0]))
    wait_until(lambda: abs(handle.velocity[0]) < 1e-3, "standing")
    line.reset_input_buffer()
    line.write(bytes([142, 19]))
    return struct.unpack(">h", line.read(2))[0]


def scans(line):
    """Return the ranges of one scan in millimetres."""
    line.reset_input_buffer()
    line.write(telegram(b"\x30\x01", 0))
    head = line.read(8)
    assert head[:3] == b"\x06\x02\x80"  # ACK, then a telegram of the scanner
    count = struct.unpack("<H", head[6:])[0] & 0x3FF
    values = struct.unpack(f"<{count}H", line.read(2 * count))
    line.read(3)  # status and checksum
    return [value & 0x1FFF for value in values]


def test_pyserials_rfc_2217_reaches_all_three_over_tcp(tmp_path):
    with running(SCENE, tmp_path, ",tcp=0") as run:
        at = {kind: line.port.address for kind, line in lines(run).items()}
        assert all(address.startswith("rfc2217://127.0.0.1:") for address in at.values())
        bauds = {"create": 115200, "sick": 9600, "gps": 38400}
        ports = {
            kind: serial.serial_for_url(at[kind], baudrate=baud, timeout=30)
            for kind, baud in bauds.items()
        }
        wait_until(lambda: run.simulation.time_s > 0.2, "a first scan")
        seen = scans(ports["sick"])
        sentence = next(line for line in ports["gps"] if b"GGA" in line)
        moved = drives(run, ports["create"])
        for port in ports.values():
            port.close()
    assert len(seen) == 361
    assert seen[180] == pytest.approx(2250, abs=40)  # the middle box
    assert pynmea2.parse(sentence.decode().strip(), check=True).sentence_type == "GGA"
    assert moved > 5
    assert list(tmp_path.iterdir()) == []  # no pseudo-terminals


@needs_terminals
def test_ports_that_are_opened_and_closed_a_thousand_times_serve_the_next_program(tmp_path):
    with running(SCENE, tmp_path) as run:
        lines(run)
        before = len(list(Path("/dev/fd").iterdir()))
        for number in range(1000):
            port = ("create", "sick", "gps-navsat")[number % 3]
            descriptor = os.open(tmp_path / port, os.O_RDWR | os.O_NOCTTY)
            os.write(descriptor, bytes([128, 142][: number % 3]))  # nothing, or half a command
            os.close(descriptor)
        assert len(list(Path("/dev/fd").iterdir())) == before
        goes_on(run)
        with serial.Serial(str(tmp_path / "sick"), 9600, timeout=30) as line:
            assert len(scans(line)) == 361


@needs_terminals
def test_garbage_on_all_ports_is_counted_and_the_simulation_goes_on(tmp_path):
    source = random.Random(3)
    with running(SCENE, tmp_path) as run:
        lines(run)
        for name in ("create", "sick", "gps-navsat"):
            with serial.Serial(str(tmp_path / name), timeout=30) as line:
                for _ in range(20):
                    line.write(source.randbytes(200) + b"\n")
                    line.reset_input_buffer()
        wait_until(lambda: run.bridges[0].counts().get("refused", 0) > 10, "refusals")
        goes_on(run)
        with serial.Serial(str(tmp_path / "gps-navsat"), timeout=30) as line:
            assert b"GGA" in next(one for one in line if b"GGA" in one)
        counts = run.bridges[0].counts()
    assert not [name for name in counts if name.startswith("failed")]
    assert counts["noise_bytes"] > 1000
