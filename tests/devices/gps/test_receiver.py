"""A receiver on the bus: when it speaks, and which commands it obeys."""

import numpy as np
import pytest

from outrider.bus.bus import Bus
from outrider.devices.gps.receiver import Receiver
from outrider.devices.gps.sentences import framed
from outrider.messages.types import NavSatFix, NavSatStatus, header

S = 1_000_000_000


class Bench:
    def __init__(self, rate_hz=5.0):
        self.bus = Bus()
        self.bus.declare("/gps/fix", "sensor_msgs/msg/NavSatFix", rate_hz=rate_hz)
        self.device = Receiver(self.bus, "/gps/fix")

    def measure(self, time_ns):
        place = (49.9, 8.9, 45.0)
        fix = NavSatFix(header(time_ns, "gps"), NavSatStatus(0, 1), *place, np.zeros(9), 0)
        self.bus.publish("/gps/fix", fix, time_ns)
        return self.device.tick(time_ns).decode().splitlines()

    def command(self, body):
        return self.device.receive(f"{framed(body)}\r\n".encode(), 0).decode().strip()


def kinds(lines):
    return [line[3:6] for line in lines]


def test_every_measurement_is_told_once():
    bench = Bench()
    assert kinds(bench.measure(0)) == ["GGA", "GSA", "GSV", "RMC", "VTG"]
    assert bench.device.tick(1) == b""
    assert len(bench.measure(S // 5)) == 5


@pytest.mark.parametrize(("rate_hz", "baud"), [(0.5, 4800), (1.0, 9600), (5.0, 38400)])
def test_the_line_is_fast_enough_for_all_sentences(rate_hz, baud):
    assert Bench(rate_hz).device.baud == baud


def test_commands_of_mediatek_are_obeyed_and_answered():
    bench = Bench()
    assert bench.command("PMTK220,1000") == framed("PMTK001,220,3")
    told = [bool(bench.measure(k * S // 5)) for k in range(11)]
    assert [k for k, spoke in enumerate(told) if spoke] == [0, 5, 10]
    assert bench.command("PMTK314,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0") == framed("PMTK001,314,3")
    assert kinds(bench.measure(3 * S)) == ["GGA", "RMC"]
    assert bench.command("PMTK314,-1") == framed("PMTK001,314,3")
    assert bench.command("PMTK251,57600") == framed("PMTK001,251,3")
    assert bench.device.baud == 57600
    assert bench.command("PMTK605").startswith("$PMTK705")


def test_bad_commands_are_refused_and_counted():
    bench = Bench()
    assert bench.command("PMTK220,0") == framed("PMTK001,220,0")
    assert bench.command("PMTK220,99999999999999") == framed("PMTK001,220,0")
    assert bench.command("PMTK999") == framed("PMTK001,999,1")
    assert bench.device.receive(b"$PMTK220,200*00\r\n", 0) == b""
    assert bench.device.receive(b"\xff\x00garbage\r\n", 0) == b""
    assert bench.device.receive(b"$PMTK\x95\x870*32\r\n", 0) == b""
    bench.device.receive(b"x" * 100_000, 0)
    assert bench.device.counts()["refused"] == 6
