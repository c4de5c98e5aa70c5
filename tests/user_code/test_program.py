"""User code of beginners: it drives, it fails, it hangs, it changes; the simulation goes on."""

import os

import pytest
from user_code_bench import EXAMPLES, child, simulated
from waiting import wait_until

from outrider.user_code.scaling import adxl330, hmc6352, idg500


@pytest.fixture(scope="module")
def run():
    with simulated() as run:
        yield run


@pytest.fixture
def write(tmp_path):
    def write(text):
        file = tmp_path / "mine.py"
        file.write_text(text)
        # a second save within the clock's resolution must be seen, too
        stamp = file.stat().st_mtime_ns + 1_000_000 * (len(text) + 1)
        os.utime(file, ns=(stamp, stamp))
        return file

    return write


def test_the_example_drives_and_lists_its_sensors(run):
    handle = run.simulation.robots["create"]
    start = handle.pose.position.copy()
    with child("program", EXAMPLES / "first_robot.py") as program:
        program.says("my sensors: ")
        assert "/ping," in program.said
        assert "/cmd_vel" not in program.said
        wait_until(lambda: abs(handle.pose.position - start).max() > 0.1, "driving")
    wait_until(lambda: abs(handle.velocity[0]) < 0.01, "standing: its command has timed out")


def test_sensors_are_asked_by_name(run, write):
    file = write(
        "def setup(robot):\n"
        "    print('far', 0.02 < robot.distance('ping') <= 3.0)\n"
        "    print('up', round(robot.acceleration('imu').z))\n"
        "    print('still', max(map(abs, robot.gyro())) < 20)\n"
        "    print('bump', repr(robot.bumped()))\n"
        "    print('place', len(robot.position()))\n"
        "    robot.distance('pong')\n"
    )
    with child("program", file) as program:
        program.says("there is no sensor 'pong' (did you mean 'ping'?)")
        for said in ("far True", "up 10", "still True", "bump ''", "place 2"):
            assert said in program.said
        assert "mine.py, line 7, in setup" in program.said


def test_an_error_names_the_line_and_a_changed_file_starts_again(run, write):
    file = write("def loop(robot):\n    speed = 1 / 0\n")
    with child("program", file) as program:
        program.says("mine.py, line 2, in loop: speed = 1 / 0")
        program.says("ZeroDivisionError: division by zero")
        assert "program.py" not in program.said  # our own lines are not shown
        write("def loop(robot)\n    pass\n")
        program.says("mine.py, line 1: expected ':'")
        write("def loops(robot):\n    pass\n")
        program.says("mine.py defines neither setup() nor loop(); it has 'loops' (did you")
        write("def loop():\n    pass\n")
        program.says("mine.py: TypeError: loop() takes 0 positional arguments but 1 was given")
        write(
            "import asyncio\n"
            "async def loop(robot):\n"
            "    print('better')\n"
            "    await asyncio.sleep(1)\n"
        )
        program.says("better")
    assert run.runner.pacer is not None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("robot.driv(0.2)", "has no attribute 'driv' (did you mean 'drive'?)"),
        ("robott.drive(0.2)", "name 'robott' is not defined (did you mean 'robot'?)"),
        ("robot.drive('fast')", "drive('fast', 0.0): expected two numbers, m/s and degrees/s"),
        ("robot.scan()", "no sensor with sensor_msgs/msg/LaserScan messages; it has /"),
    ],
)
def test_a_slip_is_told_in_a_sentence_that_helps(run, write, line, told):
    with child("program", write(f"def setup(robot):\n    {line}\n")) as program:
        program.says(told)


def test_a_stuck_loop_is_told_and_the_robot_stops(run, write):
    file = write("def loop(robot):\n    robot.drive(0.1)\n    while True:\n        pass\n")
    before = run.simulation.time_ns
    handle = run.simulation.robots["create"]
    with child("program", file) as program:
        program.says("loop() in mine.py has not returned for 5 s, it is at line")
        wait_until(lambda: abs(handle.velocity[0]) < 0.01, "standing")
    assert run.simulation.time_ns > before


def test_a_callback_gets_every_measurement(run, write):
    file = write(
        "seen = []\n"
        "def setup(robot):\n"
        "    robot.on('ping', seen.append)\n"
        "def loop(robot):\n"
        "    if len(seen) > 5:\n"
        "        print('ranges', len(seen), 'range' in seen[0])\n"
    )
    with child("program", file) as program:
        program.says("ranges 6 True")


def test_it_ends_with_the_simulation(write):
    file = write("def loop(robot):\n    print('running')\n    robot.sleep(0.1)\n")
    with simulated() as run, child("program", file) as program:
        program.says("running")
        run.runner.stop()
    assert "Traceback" not in program.said


@pytest.mark.parametrize(
    ("value", "steps"), [(0.0, 465), (-9.8, 558), (9.8, 372), (-1000.0, 1023), (1000.0, 0)]
)
def test_the_accelerometer_has_a_third_of_a_volt_a_g(value, steps):
    assert adxl330(value) == steps


def test_gyroscope_and_compass_are_scaled_as_the_parts_do():
    assert idg500(0.0) == int(1.35 * 310.303)
    assert idg500(100.0) == int(1.55 * 310.303)
    assert hmc6352(0.0) == 0
    assert hmc6352(90.2) == 905  # half degrees, rounded up
    assert hmc6352(-90.0) == 2700
    assert hmc6352(359.9) == 0
