"""The examples in other languages: each drives the AutoMiny up to a wall and stops before it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from ros1_bench import environment
from rosbridge_bench import running

from outrider.scenarios.scenario import RobotEntry
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
WALL = ObjectSpec("wall", pose=PoseSpec(2.0), shape=BoxSpec(size=(0.2, 6.0, 1.0)))
ROBOTS = (RobotEntry("autominy"),)

pytestmark = pytest.mark.peer


def stopped(text):
    """Return the distance and the number of scans that an example tells of."""
    found = re.search(r"stopped (\S+) m before the nearest thing after (\d+) scans", text)
    assert found, text
    return float(found[1]), int(found[2])


def check(sim, text):
    distance, scans = stopped(text)
    assert 0.3 < distance <= 1.0
    assert scans >= 3
    assert 0.5 < sim.pose("autominy").position[0] < 1.9
    assert sim.goes_on()


@pytest.mark.skipif(
    shutil.which("rostopic") is None or not Path("/usr/include/ros/ros.h").exists(),
    reason="roscpp (libroscpp-dev) is not installed",
)
def test_a_node_in_c_plus_plus_drives_up_to_a_wall(tmp_path):
    source, program = EXAMPLES / "cpp" / "drive_to_wall.cpp", tmp_path / "drive_to_wall"
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "roscpp"], capture_output=True, text=True, check=True
    ).stdout.split()
    subprocess.run(["g++", str(source), "-o", str(program), *flags], check=True, timeout=150)
    with running("ros1:master=own,port=0", robots=ROBOTS, obstacles=(WALL,)) as sim:
        env = environment(sim.bridge.node.master, tmp_path)
        done = subprocess.run(
            [str(program)], env=env, capture_output=True, text=True, timeout=140, check=False
        )
        assert done.returncode == 0, done.stderr
        check(sim, done.stdout)


@pytest.mark.skipif(shutil.which("octave-cli") is None, reason="octave is not installed")
def test_a_script_in_octave_drives_up_to_a_wall():
    with running("rosbridge:port=0,tcp_port=0", robots=ROBOTS, obstacles=(WALL,)) as sim:
        script = EXAMPLES / "octave" / "drive_to_wall.m"
        done = subprocess.run(
            ["octave-cli", "--quiet", str(script), str(sim.bridge.tcp_port)],
            capture_output=True,
            text=True,
            timeout=140,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        check(sim, done.stdout)


@pytest.mark.parametrize(("language", "file"), [("cpp", "cpp"), ("octave", "m")])
def test_each_example_is_a_page_long_and_stands_in_the_docs(language, file):
    code = (EXAMPLES / language / f"drive_to_wall.{file}").read_text(encoding="utf-8")
    assert len(code.splitlines()) <= 65
    page = (EXAMPLES.parent / "docs" / "other-languages.md").read_text(encoding="utf-8")
    assert f"```{language}\n{code}```" in page
