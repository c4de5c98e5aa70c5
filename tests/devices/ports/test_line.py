"""Bytes on a line: at their pace, bounded, and lost at the wrong speed."""

import pytest

from outrider.devices.ports.line import Line

MS = 1_000_000


class Port:
    """A port whose program is this test."""

    address = "nowhere"

    def __init__(self):
        self.connected, self.baud = True, 9600
        self.coming, self.taken, self.room = b"", b"", 10**9

    def read(self):
        coming, self.coming = self.coming, b""
        return coming

    def write(self, data):
        fits = data[: self.room]
        self.taken += fits
        self.room -= len(fits)
        return len(fits)

    def close(self):
        pass


class Echo:
    """A device that says back what it hears."""

    kind, baud = "echo", 9600

    def __init__(self):
        self.said = b""

    def receive(self, data, _now_ns):
        return data

    def tick(self, _now_ns):
        said, self.said = self.said, b""
        return said

    def counts(self):
        return {}

    def close(self):
        pass


@pytest.fixture
def port():
    return Port()


def test_without_pace_all_goes_at_once(port):
    line = Line(port, Echo(), paced=False)
    port.coming = b"x" * 1000
    line.turn(0)
    assert port.taken == b"x" * 1000


def test_with_pace_bytes_take_ten_bits_each(port):
    line = Line(port, Echo(), paced=True)
    port.coming = b"x" * 1000
    for ms in range(1, 501):
        line.turn(ms * MS)
    assert len(port.taken) == pytest.approx(480, abs=8)  # 9600 baud is 960 bytes a second


def test_at_another_speed_nothing_gets_through(port):
    line = Line(port, Echo(), paced=True)
    port.baud, port.coming = 115200, b"hello"
    line.turn(MS)
    assert port.taken == b""
    assert line.counts()["misread_bytes"] == 5


def test_a_program_that_stops_reading_loses_the_oldest(port):
    device = Echo()
    line = Line(port, device, paced=False)
    port.room = 0
    for k in range(200):
        device.said = bytes([k]) * 1000
        line.turn(k)
    assert line.counts()["lost_bytes"] == 200_000 - 65536
    port.room = 10**9
    line.turn(300)
    assert len(port.taken) == 65536
    assert port.taken[-1] == 199


def test_nothing_waits_for_a_program_that_is_not_there(port):
    device = Echo()
    line = Line(port, device, paced=False)
    port.connected, device.said = False, b"early"
    line.turn(0)
    port.connected, device.said = True, b"late"
    line.turn(1)
    assert port.taken == b"late"


def test_bytes_are_logged_both_ways(port):
    log = []
    line = Line(port, Echo(), paced=False, log=lambda *entry: log.append(entry))
    port.coming = b"ab"
    line.turn(5)
    assert log == [("<", b"ab", 5), (">", b"ab", 5)]


def test_a_reset_of_time_does_not_silence_it(port):
    line = Line(port, Echo(), paced=True)
    port.coming = b"x" * 5000
    line.turn(100_000 * MS)
    port.taken = b""
    for ms in range(1, 101):
        line.turn(ms * MS)
    assert len(port.taken) == pytest.approx(96, abs=8)
