"""The LMS 200 telegram by telegram; those marked so in the fact sheet stand in public drivers."""

import math

import numpy as np
import pytest

from outrider.bus.bus import Bus
from outrider.devices.sick.scanner import SickScanner
from outrider.devices.sick.telegram import checksum, telegram
from outrider.messages.types import LaserScan, header

MS = 1_000_000
STREAM = "02 00 02 00 20 24 34 08"
ON_REQUEST = "02 00 02 00 20 25 35 08"
INSTALL = "02 00 0A 00 20 00 53 49 43 4B 5F 4C 4D 53 BE C5"
ONE_SCAN = "02 00 02 00 30 01 31 18"
VARIANTS = {
    (100, 100): "02 00 05 00 3B 64 00 64 00 1D 0F",
    (100, 50): "02 00 05 00 3B 64 00 32 00 B1 59",
    (100, 25): "02 00 05 00 3B 64 00 19 00 E7 72",
    (180, 100): "02 00 05 00 3B B4 00 64 00 97 49",
    (180, 50): "02 00 05 00 3B B4 00 32 00 3B 1F",
}


def scan(ranges):
    count = len(ranges)
    step = math.pi / (count - 1)
    return LaserScan(
        header=header(0, "laser"),
        angle_min=-math.pi / 2,
        angle_max=math.pi / 2,
        angle_increment=step,
        time_increment=0.0,
        scan_time=0.013,
        range_min=0.1,
        range_max=8.0,
        ranges=np.asarray(ranges, np.float32),
        intensities=np.zeros(0, np.float32),
    )


class Bench:
    def __init__(self, ranges=None):
        self.bus = Bus()
        self.bus.declare("/scan", "sensor_msgs/msg/LaserScan")
        self.device = SickScanner(self.bus, "/scan")
        self.now = 0
        self.see(np.linspace(1.0, 4.6, 721) if ranges is None else ranges)

    def see(self, ranges):
        self.bus.publish("/scan", scan(ranges), self.now)

    def send(self, text):
        return self.device.receive(bytes.fromhex(text), self.now)

    def wait(self, ms):
        said = []
        for _ in range(int(ms)):
            self.now += MS
            said.append(self.device.tick(self.now))
        return [one for one in said if one]


def values(answer):
    """Return the unit and the values of a scan, its framing checked."""
    assert answer[:2] == b"\x02\x80"
    assert checksum(answer[:-2]) == int.from_bytes(answer[-2:], "little")
    assert int.from_bytes(answer[2:4], "little") == len(answer) - 6
    assert answer[4] == 0xB0
    head = int.from_bytes(answer[5:7], "little")
    found = np.frombuffer(answer[7:-3], "<u2")
    assert len(found) == head & 0x3FF
    return head >> 14, found


def test_the_checksum_is_that_of_public_drivers():
    for text in (STREAM, ON_REQUEST, INSTALL, ONE_SCAN, *VARIANTS.values()):
        data = bytes.fromhex(text)
        assert checksum(data[:-2]).to_bytes(2, "little") == data[-2:]
    ok = telegram(bytes.fromhex("A0 00 10"))
    assert ok == bytes.fromhex("02 80 03 00 A0 00 10 16 0A")
    three = telegram(bytes.fromhex("B0 03 40 E8 03 D0 07 B8 0B 10"))
    assert three == bytes.fromhex("02 80 0A 00 B0 03 40 E8 03 D0 07 B8 0B 10 22 2A")


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_variant_has_its_values_and_its_rate(variant):
    bench = Bench()
    angle, step = variant
    answer = bench.send(VARIANTS[variant])
    assert answer[:1] == b"\x06"
    expected = bytes([0xBB, 1]) + angle.to_bytes(2, "little") + step.to_bytes(2, "little")
    assert answer[1:] == telegram(expected + b"\x10")
    unit, found = values(bench.send(ONE_SCAN)[1:])
    count = angle * 100 // step + 1
    directions = np.linspace(-angle / 2, angle / 2, count)
    assert unit == 1
    assert np.array_equal(found, np.rint(1000 * (1.0 + 3.6 * (directions + 90) / 180)))
    bench.send(STREAM)
    assert len(bench.wait(1000)) == pytest.approx(75 * step / 100, abs=2)


def test_what_cannot_be_measured_has_its_own_numbers():
    ranges = np.full(721, 2.0)
    ranges[0], ranges[2], ranges[4], ranges[6] = math.inf, -math.inf, math.nan, 9.0
    _, found = values(Bench(ranges).send(ONE_SCAN)[1:])
    assert found[:5].tolist() == [8191, 0, 8191, 8191, 2000]


def test_centimetres_are_set_in_installation_mode_only():
    bench = Bench(np.full(721, 12.34))
    assert values(bench.send(ONE_SCAN)[1:])[1][0] == 8191  # beyond 8 m in millimetres
    block = bytearray(32)
    change = telegram(b"\x77" + bytes(block), 0).hex()
    assert bench.send(change)[5:7] == b"\xf7\x00"
    assert bench.send("02 00 0A 00 20 00" + b"WRONG_PW".hex() + "00 00")[-1:] == b"\x15"
    wrong = telegram(b"\x20\x00WRONG_PW", 0).hex()
    assert bench.send(wrong)[1:] == telegram(b"\xa0\x01\x10")
    assert bench.send(INSTALL)[1:] == telegram(b"\xa0\x00\x10")
    assert bench.send(change)[5:7] == b"\xf7\x01"
    assert bench.send("02 00 01 00 74 50 12")[1:] == telegram(b"\xf4" + bytes(block) + b"\x10")
    bench.send(ON_REQUEST)
    unit, found = values(bench.send(ONE_SCAN)[1:])
    assert (unit, found[0]) == (0, 1234)


def test_it_streams_until_it_is_told_to_stop():
    bench = Bench()
    assert bench.wait(200) == []
    assert bench.send(STREAM) == b"\x06" + bytes.fromhex("02 80 03 00 A0 00 10 16 0A")
    frames = bench.wait(200)
    assert len(frames) in (7, 8)
    assert all(values(frame)[0] == 1 for frame in frames)
    bench.send(ON_REQUEST)
    assert bench.wait(200) == []


def test_a_part_of_the_scan_can_be_streamed():
    bench = Bench()
    part = telegram(b"\x20\x27" + (11).to_bytes(2, "little") + (20).to_bytes(2, "little"), 0)
    bench.send(part.hex())
    frame = bench.wait(30)[0]
    assert frame[4] == 0xB7
    assert int.from_bytes(frame[9:11], "little") & 0x3FF == 10
    backwards = telegram(b"\x20\x27" + (20).to_bytes(2, "little") + (11).to_bytes(2, "little"), 0)
    assert bench.send(backwards.hex())[1:] == telegram(b"\xa0\x01\x10")


def test_a_baud_change_is_answered_at_the_old_speed():
    bench = Bench()
    assert bench.device.baud == 9600
    assert bench.send("02 00 02 00 20 40 50 08")[1:] == telegram(b"\xa0\x00\x10")
    assert bench.device.baud == 9600
    bench.wait(1)
    assert bench.device.baud == 38400


def test_status_type_and_reset_are_answered():
    bench = Bench()
    bench.send(VARIANTS[(100, 50)])
    status = bench.send("02 00 01 00 31 15 12")[1:]
    assert status[4] == 0xB1
    # counted from the command, as the Player driver does
    assert int.from_bytes(status[4 + 107 : 4 + 109], "little") == 100
    assert int.from_bytes(status[4 + 109 : 4 + 111], "little") == 50
    assert bench.send("02 00 01 00 3A 1E 12")[5:].startswith(b"\xbaLMS200")
    assert bench.send("02 00 01 00 10 34 12")[5] == 0x91
    assert bench.device.variant == (180, 50)


def test_noise_wrong_checksums_and_unknown_commands_are_told_apart():
    bench = Bench()
    assert bench.send("ff 00 11" + ONE_SCAN)[:1] == b"\x06"
    assert bench.send("02 00 02 00 30 01 31 19") == b"\x15"
    assert bench.send(telegram(b"\x99", 0).hex())[1:] == telegram(b"\x92\x10")
    assert bench.send(ONE_SCAN[:11]) == b""
    bench.wait(500)
    assert bench.send(ONE_SCAN)[:1] == b"\x06"  # the half one is given up
    counts = bench.device.counts()
    assert counts["wrong_checksums"] == 1
    assert counts["refused"] == 1
    assert counts["noise_bytes"] >= 3


def test_a_variant_that_the_simulated_scanner_cannot_resolve_is_refused():
    bench = Bench(np.full(181, 2.0))
    assert bench.send(VARIANTS[(100, 25)])[6] == 0
    assert bench.send(VARIANTS[(180, 100)])[6] == 1
    assert bench.send(VARIANTS[(180, 50)])[6] == 0
