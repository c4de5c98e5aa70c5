import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

import outrider as o
from outrider.scenarios.session.session import Session

INSTALLED = any(entry.name == "outrider" for entry in entry_points(group="pytest11"))
PLUGIN = [] if INSTALLED else ["-p", "outrider.testing.plugin"]  # not twice
EXAMPLE = Path(__file__).parents[2] / "examples" / "ci"
TESTS = """
import pytest

def test_that_passes(outrider_sim):
    sim = outrider_sim("jackal", "physics.engine=kinematic")
    sim.run(0.1)
    assert sim.time_s == pytest.approx(0.1)

def test_that_fails(outrider_sim):
    sim = outrider_sim("jackal", "physics.engine=kinematic")
    sim.robots["jackal"].drive(0.5)
    sim.run(0.1)
    assert sim.robots["jackal"].pose.position[0] > 5

def test_of_a_scenario(outrider_sim):
    outrider_sim.check("smoke", "duration_s=0.1", "expect=[{figure: distance_m, least: 5}]", seed=7)

def test_without_a_simulation():
    pass
"""


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", *PLUGIN, "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=250, check=False
    )


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A user's tests, of which two fail."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "test_robot.py").write_text(TESTS)
    done = pytest_in(folder, "--junitxml=junit.xml", "--outrider-seed=3")
    return folder, done


def test_the_fixture_gives_simulations_and_tells_of_failures(ran):
    _, done = ran
    assert done.returncode == 1, done.stdout + done.stderr
    assert "2 failed, 2 passed" in done.stdout


def test_a_failure_names_its_seed_its_files_and_how_to_repeat_it(ran):
    folder, done = ran
    kept = folder / "outrider-results" / "test_robot.py-test_that_fails" / "1-jackal"
    assert f"jackal: seed 3, files in {kept}" in done.stdout
    assert "again: pytest 'test_robot.py::test_that_fails' --outrider-seed 3" in done.stdout
    assert re.search(r"smoke, seed 7: jackal: distance_m is 0\S*, expected at least 5", done.stdout)
    assert "again: pytest 'test_robot.py::test_of_a_scenario' --outrider-seed 7" in done.stdout


def test_a_failure_leaves_a_recording_and_its_last_state_and_a_success_leaves_nothing(ran):
    folder, _ = ran
    left = folder / "outrider-results"
    assert sorted(path.name for path in left.iterdir()) == [
        "test_robot.py-test_of_a_scenario",
        "test_robot.py-test_that_fails",
    ]
    files = left / "test_robot.py-test_that_fails" / "1-jackal"
    poses = [e for e in o.replay(files / "run.mcap").entries() if "odom" in e.track.topic]
    assert len(poses) > 3
    assert Session.of_file(files / "end.state").simulation.time_s == pytest.approx(0.1)
    assert o.scenario(files / "scenario.yaml").seed == 3
    result = left / "test_robot.py-test_of_a_scenario" / "1-smoke" / "result.json"
    assert '"completed": false' in result.read_text()


def test_junit_xml_of_pytest_holds_the_seed(ran):
    folder, _ = ran
    cases = ElementTree.parse(folder / "junit.xml").getroot().iter("testcase")
    told = {case.get("name"): [p.get("value") for p in case.iter("property")] for case in cases}
    assert told["test_that_passes"] == []
    assert "seed 3, files in" in told["test_that_fails"][0]


def test_the_plugin_imports_nothing_heavy():
    program = (
        "import sys, outrider.testing.plugin\n"
        "print(*sorted(name for name in sys.modules if name.partition('.')[0] in"
        " ('outrider', 'numpy', 'numba', 'mujoco', 'yaml', 'rosbags', 'PIL')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["outrider", "outrider.testing", "outrider.testing.plugin"]


def test_the_commands_of_the_example_workflow_test_its_robot(tmp_path):
    """Run every command of the workflow but the installation, in a copy of the example."""
    project = tmp_path / "rover"
    shutil.copytree(EXAMPLE, project)
    steps = yaml.safe_load((EXAMPLE / "robot-tests.yml").read_text())["jobs"]["simulate"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert commands[0].startswith("pip install")
    assert len(commands) == 3
    for command in commands[1:]:
        done = subprocess.run(
            ["bash", "-ec", command],
            cwd=project,
            env=os.environ | {"PATH": f"{_programs(tmp_path)}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    for name, tests in (("slalom", 5), ("tests", 5)):
        suite = ElementTree.parse(project / "results" / f"{name}.xml").getroot()[0]
        assert (suite.get("tests"), suite.get("failures")) == (str(tests), "0")


def _programs(folder: Path) -> Path:
    """Return a folder with the two programs of the workflow, of this environment."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    more = " ".join(PLUGIN)
    for name, module in (("outrider", "outrider"), ("pytest", f"pytest {more}")):
        path = programs / name
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
        path.chmod(0o755)
    return programs
