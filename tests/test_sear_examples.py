"""The counterparts of the ten listings in SEAR's user guide: each runs, and is shorter."""

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from serial_bench import running
from user_code_bench import child, simulated
from waiting import wait_until

import outrider as o
from outrider.core.files.yaml_file import parse_yaml

SEAR = Path(__file__).parents[1] / "examples" / "sear"
LINES = (24, 46, 14, 13, 21, 53, 5, 25, 144, 139)  # of the listings
needs_terminals = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no pseudo-terminals"
)


@contextmanager
def says(name, *arguments):
    """Run an example and give what it prints, line by line."""
    started = subprocess.Popen(
        [sys.executable, "-u", str(SEAR / name), *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield started.stdout
    finally:
        started.kill()
        started.wait()
        started.stdout.close()


def scenario(name):
    return parse_yaml((SEAR / name).read_text(encoding="utf-8"), name)


@pytest.mark.parametrize(("number", "most"), list(enumerate(LINES, 1)))
def test_a_counterpart_is_shorter_than_its_listing_and_the_table_says_by_how_much(number, most):
    (file,) = SEAR.glob(f"{number:02}_*")
    count = len(file.read_text(encoding="utf-8").splitlines())
    assert count < most
    table = (SEAR / "README.md").read_text(encoding="utf-8")
    row = next(line for line in table.splitlines() if f"]({file.name})" in line)
    assert f"| {most} | {count} |" in row


def test_the_environment_and_the_robot_of_listings_1_and_2_make_a_simulation(tmp_path):
    for name, file in (("01_environment.py", "yard"), ("02_robot.py", "my_roomba/my_roomba")):
        with says(name, tmp_path) as lines:
            assert lines.readline().strip() == str(tmp_path / f"{file}.yaml")
    world = o.load_world(tmp_path / "yard.yaml")
    robot = o.robot(tmp_path / "my_roomba" / "my_roomba.yaml")
    simulation = o.Simulation(world, robots=[robot])
    names = " ".join(model.name for model in world.models)
    assert all(word in names for word in ("box", "bin", "cone", "tree")), names
    for _ in range(20):
        simulation.robots["my_roomba"].drive(0.2)
        simulation.run(0.1)
    x, y, _ = simulation.robots["my_roomba"].pose.position
    assert x == pytest.approx(0.4, abs=0.05)
    assert abs(y) < 0.01


def test_listing_3_drives_forward_for_a_second_and_back():
    with simulated() as run, child("program", SEAR / "03_drive.py"):
        handle = run.simulation.robots["create"]
        wait_until(lambda: handle.velocity[0] > 0.15, "driving forward")
        wait_until(lambda: handle.velocity[0] < -0.15, "driving back")


@needs_terminals
def test_listings_4_to_6_read_scans_of_100_and_180_degrees_from_a_serial_port(tmp_path):
    with running(scenario("04_lidar.yaml"), tmp_path):
        with says("06_scan_points.py", tmp_path / "sick") as lines:
            assert lines.readline().strip() == "received 361 readings:"
            points = np.array([lines.readline().split() for _ in range(361)], float)
        with says("05_scan.py", tmp_path / "sick") as lines:
            ranges = np.array(lines.readline().split(), float)
    ahead = points[180]
    assert ahead == pytest.approx([0.0, 2.4 - 0.15], abs=0.05)  # the front of the middle box
    assert len(ranges) == 101
    assert ranges[50] == pytest.approx(ahead[1], abs=0.05)


@needs_terminals
def test_listings_7_and_8_tell_the_place_of_the_world(tmp_path):
    with (
        running(scenario("07_gps.yaml"), tmp_path),
        says("08_gps.py", tmp_path / "gps-navsat") as lines,
    ):
        words = next(line for line in lines if " N " in line).split()
    assert words[2] == "N"
    assert words[5] == "W"
    assert float(words[1]) == pytest.approx(3336.6, abs=0.05)  # 33 degrees, 36.6 minutes
    assert float(words[4]) == pytest.approx(8051.9, abs=0.05)
    assert float(words[7]) == pytest.approx(182.6, abs=20)
