"""A user's controller on a serial port of its own, asked as on the real robot."""

import struct
import subprocess
import sys

import pytest
import serial
from user_code_bench import SEAR, child, simulated

from outrider.core.files.yaml_file import parse_yaml
from outrider.user_code.controller import encoded

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")


@pytest.fixture(scope="module")
def run():
    text = (SEAR / "roomba_sensors.yaml").read_text()
    with simulated(parse_yaml(text, "example")) as run:
        yield run


def test_the_example_answers_the_example(run, tmp_path):
    port = tmp_path / "controller"
    with child("controller", SEAR / "10_controller.py", port) as controller:
        controller.says(f"answers at {port}")
        asked = subprocess.run(
            [sys.executable, SEAR / "09_ask_controller.py", port],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert asked.returncode == 0, f"{asked.stderr}\n{controller.said}"
    lines = asked.stdout.splitlines()
    left, ahead, *_, heading = (int(line.split()[-1]) for line in lines)
    assert 50 <= left <= 300
    assert 50 <= ahead <= 300
    x, y, z = (int(word) for word in lines[2].split()[1:])
    assert (x, y) == (pytest.approx(465, abs=3), pytest.approx(465, abs=3))
    assert z == pytest.approx(372, abs=3)  # one g upward
    assert 0 <= heading < 3600


def test_a_controller_that_fails_says_so_and_goes_on(run, tmp_path):
    script = tmp_path / "mine.py"
    script.write_text(
        "def answer(robot, number):\n"
        "    if number == 50:\n"
        "        raise RuntimeError('broken sensor')\n"
        "    return number\n"
    )
    port = tmp_path / "controller"
    with child("controller", script, port) as controller:
        controller.says("answers at")
        with serial.Serial(str(port), timeout=30) as line:
            line.write(bytes([0x8E, 50, 0x8E, 42, 1, 2, 0x8E, 60]))
            controller.says("mine.py, line 3, in answer: raise RuntimeError('broken sensor')")
            line.write(bytes([0x8E, 99]))
            assert struct.unpack(">H", line.read(2)) == (99,)
    assert run.simulation.time_ns > 0


def test_a_controller_that_sleeps_answers_late_and_one_that_loops_is_told(run, tmp_path):
    slow, stuck = tmp_path / "slow.py", tmp_path / "stuck.py"
    slow.write_text(
        "import time\ndef answer(robot, number):\n    time.sleep(1)\n    return number\n"
    )
    stuck.write_text("def answer(robot, number):\n    while True:\n        pass\n")
    before = run.simulation.time_ns
    with (
        child("controller", slow, tmp_path / "a") as first,
        child("controller", stuck, tmp_path / "b") as second,
    ):
        first.says("answers at")
        second.says("answers at")
        with (
            serial.Serial(str(tmp_path / "a"), timeout=30) as one,
            serial.Serial(str(tmp_path / "b"), timeout=0.1) as other,
        ):
            one.write(bytes([0x8E, 50]))
            other.write(bytes([0x8E, 50]))
            assert struct.unpack(">H", one.read(2)) == (50,)
            second.says("answer() in stuck.py has not returned for 5 s, it is at line")
            assert other.read(2) == b""
    assert run.simulation.time_ns > before


def test_a_protocol_of_ones_own_gets_all_bytes(run, tmp_path):
    script = tmp_path / "mine.py"
    script.write_text("def receive(robot, data):\n    return data[::-1]\n")
    port = tmp_path / "controller"
    with child("controller", script, port) as controller:
        controller.says("answers at")
        with serial.Serial(str(port), timeout=30) as line:
            line.write(b"a")
            assert line.read(1) == b"a"


def test_answers_are_whole_numbers_of_16_bits():
    assert encoded(None) == b""
    assert encoded(258) == b"\x01\x02"
    assert encoded(-1) == b"\xff\xff"
    assert encoded([1, 2.6]) == b"\x00\x01\x00\x03"
    assert encoded(b"raw") == b"raw"
