"""The Open Interface byte by byte, on a robot of which only the bus is there."""

import struct

import pytest

from outrider.bus.bus import Bus
from outrider.devices.create.body import CreateBody
from outrider.devices.create.create import CreateInterface
from outrider.devices.create.opcodes import Mode
from outrider.messages.types import header, message_class

MS = 1_000_000
TYPES = {
    "/bumper": "outrider_msgs/msg/Bumper",
    "/cliff": "outrider_msgs/msg/Cliffs",
    "/wheel_drop": "outrider_msgs/msg/WheelDrops",
    "/wheel_encoders": "outrider_msgs/msg/WheelEncoders",
    "/odometer": "outrider_msgs/msg/Odometer",
}
CLIFFS = ["left", "front_left", "front_right", "right"]


class Bench:
    """A Create without a simulation: messages are said by hand, time moves when told."""

    def __init__(self, generation=2):
        self.bus = Bus()
        for topic, kind in TYPES.items():
            self.bus.declare(topic, kind)
        self.bus.declare("/cmd_vel", "geometry_msgs/msg/Twist", direction="in")
        self.driven = self.bus.subscribe("/cmd_vel", kept="all")
        self.robot = CreateInterface(CreateBody(self.bus, "", lambda: True), generation)
        self.now = 0

    def say(self, topic, *values):
        message = message_class(TYPES[topic])(header(self.now, ""), *values)
        self.bus.publish(topic, message, self.now)

    def send(self, *data):
        return self.robot.receive(bytes(data), self.now)

    def wait(self, ms):
        said = b""
        for _ in range(int(ms)):
            self.now += MS
            said += self.robot.tick(self.now)
        return said

    def speeds(self):
        """Return the newest command: m/s and rad/s."""
        found = None
        while (item := self.driven.poll()) is not None:
            found = item[1]
        return found and (found.linear.x, found.angular.z)


@pytest.fixture
def bench():
    bench = Bench()
    bench.send(128, 132)
    return bench


def test_modes_follow_the_commands():
    bench = Bench()
    assert bench.robot.mode == Mode.OFF
    bench.send(132)
    assert bench.robot.mode == Mode.OFF  # not before start
    for command, mode in [(128, 1), (131, 2), (132, 3), (130, 2), (128, 1)]:
        bench.send(command)
        assert bench.robot.mode == mode
        assert bench.send(142, 35) == bytes([mode])


def test_a_passive_robot_does_not_drive():
    bench = Bench()
    bench.send(128, 137, 0, 100, 128, 0)
    bench.wait(20)
    assert bench.speeds() is None
    assert bench.robot.refused == 1


@pytest.mark.parametrize(
    ("data", "left", "right"),
    [
        ((137, 255, 56, 1, 244), -153, -247),  # the manual's example: -200 mm/s, radius 500 mm
        ((137, 0, 100, 128, 0), 100, 100),
        ((137, 0, 100, 127, 255), 100, 100),
        ((137, 0, 100, 0, 1), -100, 100),  # on the spot, counter-clockwise
        ((137, 0, 100, 255, 255), 100, -100),
        ((137, 3, 232, 128, 0), 500, 500),  # more than it can
        ((145, 0, 150, 255, 206), -50, 150),  # right first
    ],
)
def test_drive_commands_become_wheel_speeds(bench, data, left, right):
    bench.send(*data)
    assert (bench.robot.wheels.left, bench.robot.wheels.right) == (left, right)
    speed, turn = bench.speeds()
    assert speed == pytest.approx(0.0005 * (left + right))
    assert turn == pytest.approx((right - left) / 235.0)
    assert struct.unpack(">hh", bench.send(142, 41) + bench.send(142, 42)) == (right, left)


def test_a_command_is_kept_up_until_the_next(bench):
    bench.send(145, 0, 100, 0, 100)
    bench.wait(1000)
    count = 0
    while bench.driven.poll() is not None:
        count += 1
    assert 15 <= count <= 25  # before the robot's time-out, not at every tick
    bench.send(145, 0, 0, 0, 0)
    bench.wait(300)
    assert bench.speeds() == (0.0, 0.0)
    bench.wait(300)
    assert bench.speeds() is None  # a robot that stands is left alone


def test_distance_and_angle_count_since_they_were_last_read(bench):
    for _ in range(3):
        bench.say("/odometer", 10, -2)
        bench.wait(15)
    assert struct.unpack(">h", bench.send(142, 19)) == (30,)
    assert struct.unpack(">h", bench.send(142, 19)) == (0,)
    assert struct.unpack(">h", bench.send(142, 20)) == (-6,)
    bench.say("/odometer", 5, 1)
    bench.wait(15)
    assert struct.unpack(">hh", bench.send(149, 2, 19, 20)) == (5, 1)


def test_a_counter_that_is_not_read_saturates(bench):
    for _ in range(3):
        bench.say("/odometer", 20_000, 0)
        bench.wait(15)
    assert struct.unpack(">h", bench.send(142, 19)) == (32767,)


def test_bumps_drops_and_cliffs_have_their_bits(bench):
    bench.say("/bumper", True, False, False)
    bench.say("/wheel_drop", ["left", "right", "castor"], [False, True, True])
    bench.say("/cliff", CLIFFS, [False, True, False, True], [4000, 10, 3000, 5])
    bench.wait(15)
    assert bench.send(142, 7) == bytes([0b10110])
    assert bench.send(149, 4, 9, 10, 11, 12) == bytes([0, 1, 0, 1])
    assert struct.unpack(">HHHH", bench.send(149, 4, 28, 29, 30, 31)) == (4000, 10, 3000, 5)


@pytest.mark.parametrize(("generation", "in_sum"), [(1, False), (2, True)])
def test_the_stream_comes_every_15_ms_with_its_checksum(generation, in_sum):
    bench = Bench(generation)
    bench.send(128, 148, 2, 29, 13)
    said = bench.wait(149)
    frames = [said[i : i + 8] for i in range(0, len(said), 8)]
    assert len(frames) == 10
    for frame in frames:
        assert frame[:3] == bytes([19, 5, 29])
        assert frame[5] == 13
        assert sum(frame if in_sum else frame[1:]) % 256 == 0
    bench.send(150, 0)
    assert bench.wait(100) == b""
    bench.send(150, 1)
    assert len(bench.wait(29)) == 16
    bench.send(148, 0)
    assert bench.wait(100) == b""


def test_the_manuals_stream_example_has_the_manuals_checksum():
    from outrider.devices.create.stream import SensorStream

    frame = SensorStream(header_in_sum=False).frame(bytes([29, 2, 25, 13, 0]))
    assert frame == bytes([19, 5, 29, 2, 25, 13, 0, 182])


@pytest.mark.parametrize("danger", ["cliff", "drop"])
def test_the_safe_mode_stops_at_cliffs_and_dropped_wheels(danger):
    bench = Bench()
    bench.send(128, 131, 145, 0, 100, 0, 100)
    bench.wait(15)
    if danger == "cliff":
        bench.say("/cliff", CLIFFS, [True, False, False, False], [0, 4000, 4000, 4000])
    else:
        bench.say("/wheel_drop", ["left", "right"], [True, False])
    bench.wait(15)
    assert bench.robot.mode == Mode.PASSIVE
    assert bench.speeds() == (0.0, 0.0)


def test_the_full_mode_drives_over_cliffs(bench):
    bench.say("/cliff", CLIFFS, [True] * 4, [0] * 4)
    bench.send(145, 0, 100, 0, 100)
    bench.wait(30)
    assert bench.robot.mode == Mode.FULL
    assert bench.speeds() == (0.1, 0.0)


def test_a_script_drives_waits_and_stops(bench):
    script = (137, 0, 100, 128, 0, 156, 1, 44, 137, 0, 0, 0, 0)
    bench.send(152, len(script), *script)
    assert bench.send(154) == bytes([len(script), *script])
    bench.send(153)
    bench.wait(30)
    assert bench.speeds() == (0.1, 0.0)
    bench.say("/odometer", 299, 0)
    bench.wait(30)
    assert bench.robot.wheels.moving
    assert bench.send(142, 35) == b""  # it ignores all else meanwhile
    bench.say("/odometer", 1, 0)
    assert bench.wait(30) == b"\x03"  # what was asked is answered afterwards
    assert not bench.robot.wheels.moving


def test_a_script_that_starts_itself_does_not_hang(bench):
    bench.send(152, 1, 153, 153)
    bench.wait(200)


def test_it_waits_for_time_angle_and_events(bench):
    bench.send(155, 5, 142, 35)
    assert bench.wait(480) == b""
    assert bench.wait(40) == b"\x03"
    bench.send(157, 254, 152, 142, 35)  # -360 degrees
    bench.say("/odometer", 0, -359)
    assert bench.wait(30) == b""
    bench.say("/odometer", 0, -1)
    assert bench.wait(30) == b"\x03"
    bench.send(158, 5, 142, 35)  # a bump
    assert bench.wait(30) == b""
    bench.say("/bumper", False, False, True)
    assert bench.wait(30) == b"\x03"
    bench.send(158, 251, 142, 35)  # the end of a bump
    assert bench.wait(30) == b""
    bench.say("/bumper", False, False, False)
    assert bench.wait(30) == b"\x03"


def test_songs_play_for_as_long_as_their_notes(bench):
    bench.send(140, 3, 2, 60, 32, 64, 32, 141, 3)
    bench.wait(500)
    assert bench.send(149, 2, 36, 37) == bytes([3, 1])
    bench.wait(550)
    assert bench.send(142, 37) == b"\x00"


def test_half_commands_and_garbage_harm_nothing(bench):
    bench.send(137, 0)
    bench.wait(30)
    bench.send(100, 128, 0)
    assert bench.robot.wheels.left == 100
    assert bench.send(0, 1, 99, 200, 255, 142, 35) == b"\x03"
    assert bench.robot.counts()["unknown_bytes"] == 5
    bench.send(148, 255)
    bench.send(*range(255))
    bench.wait(100)


def test_a_baud_change_is_taken(bench):
    bench.send(129, 7)
    assert bench.robot.baud == 19200
    bench.send(129, 99)
    assert bench.robot.baud == 19200
