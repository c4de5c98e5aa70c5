"""A receiver on the bus: when it speaks, and which commands it obeys."""

from dataclasses import replace

import numpy as np
import pytest

import outrider as o
from outrider.bus.bus import Bus
from outrider.devices.gps.receiver import Receiver
from outrider.devices.gps.sentences import framed
from outrider.messages.types import NavSatFix, NavSatStatus, header
from outrider.specs.sensor import SensorEntry

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


@pytest.mark.parametrize("axes", ["enu", "nwu"])
def test_the_course_is_right_whatever_axes_the_velocity_message_has(axes):
    """A Jackal's receiver publishes north, west, up, as hector's: its course was 90 degrees off."""
    jackal = o.robot("jackal", yaw_deg=30.0)
    antenna = SensorEntry(
        "gps", "hector-gps", set={"velocity_axes": axes, "velocity_sigma": [0, 0]}
    )
    spec = replace(jackal.robot.spec, sensors=(antenna,))
    robot = replace(jackal, robot=replace(jackal.robot, spec=spec))
    sim = o.Simulation(o.load_world("empty"), robots=[robot], engine="kinematic")
    device = Receiver(sim.bus, "/navsat/fix")
    for _ in range(8):
        sim.robots["jackal"].drive(1.0)
        sim.run(0.1)
    lines = [line for line in device.tick(sim.state.time_ns).decode().splitlines() if "VTG" in line]
    course, speed = (float(lines[-1].split(",")[field]) for field in (1, 7))
    assert course == pytest.approx(60.0, abs=0.5)  # clockwise from north
    assert speed == pytest.approx(3.6, abs=0.1)  # km/h
