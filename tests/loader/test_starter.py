"""Packages of one's own: written, installed, found by name, and tested by their own tests."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from outrider.core.errors import ConfigError
from outrider.loader.starter import STARTERS, check_package_name, write_starter

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "tilt-meter"
NAMES = {kind: f"own-{kind}" for kind in STARTERS}
PIP = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]


def texts(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def run(*command, site, cwd):
    """Run a program to which installed packages are known."""
    path = os.pathsep.join([str(ROOT / "src"), str(site)])
    env = os.environ | {"PYTHONPATH": path}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A package of every kind, and the example, installed into a folder of their own."""
    place = tmp_path_factory.mktemp("packages")
    for kind, name in NAMES.items():
        write_starter(kind, name, place / name)
    shutil.copytree(EXAMPLE, place / EXAMPLE.name)
    sources = [str(place / name) for name in (*NAMES.values(), EXAMPLE.name)]
    site = place / "site"
    run(*PIP, "--no-build-isolation", "--target", str(site), *sources, site=site, cwd=place)
    return place


def test_the_example_is_what_the_command_writes(tmp_path):
    write_starter("sensor", EXAMPLE.name, tmp_path / "again")
    assert texts(tmp_path / "again") == texts(EXAMPLE)


@pytest.mark.slow
def test_every_package_passes_its_own_tests_once_it_is_installed(installed):
    tests = [str(installed / name / "tests") for name in (*NAMES.values(), EXAMPLE.name)]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    said = run(*command, f"--rootdir={installed}", site=installed / "site", cwd=installed)
    assert " passed" in said
    assert "failed" not in said


def test_an_installed_package_is_listed_beside_our_own(installed):
    program = """
from outrider.bridges.bridge import BRIDGES
from outrider.components.catalogue import COMPONENTS
from outrider.loader.library import library_names, library_path
from outrider.sensors.catalogue import SENSORS
assert {"own-sensor", "tilt-meter", "imu"} <= set(SENSORS)
assert {"own-sensor", "tilt-meter", "bno055"} <= set(library_names("sensors"))
assert {"own-robot", "jackal"} <= set(library_names("robots"))
assert {"own-bridge", "ros1"} <= set(BRIDGES)
assert {"own-component", "gate"} <= set(COMPONENTS)
print(library_path("robots", "own-robot"))
"""
    site = installed / "site"
    said = run(sys.executable, "-c", program, site=site, cwd=installed)
    assert Path(said.strip()) == site / "own_robot/library/robots/own-robot/own-robot.yaml"


@pytest.mark.parametrize("kind", STARTERS)
def test_nothing_that_is_there_is_written_over(tmp_path, kind):
    kept = tmp_path / "mine" / "notes.txt"
    kept.parent.mkdir()
    kept.write_text("keep me")
    with pytest.raises(ConfigError, match="already exists and is not empty"):
        write_starter(kind, "mine", kept.parent)
    assert texts(tmp_path) == {"mine/notes.txt": "keep me"}


BAD = [
    "Lidar",
    "2fast",
    "../up",
    "a/b",
    "a--b",
    "-a",
    "a-",
    "class",
    "json",
    "outrider",
    "ü",
    "name;rm",
    "a.b",
]


@pytest.mark.parametrize("name", ["", "a b", "x" * 41, *BAD])
def test_a_name_that_no_package_can_have_is_refused(name, tmp_path):
    with pytest.raises(ConfigError, match=r"cannot be the name|is a reserved word of"):
        write_starter("sensor", name, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_names_may_have_dashes_digits_and_underscores():
    assert check_package_name("wind-vane_2") == "wind-vane_2"
