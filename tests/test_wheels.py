"""The check that everything has wheels, with the registry's own client and wheels made here."""

import sys
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

TOOLS = Path(__file__).parents[1] / "tools"


@pytest.fixture
def check_wheels(monkeypatch, tmp_path):
    """Return the tool, with a folder as its only index."""
    monkeypatch.syspath_prepend(str(TOOLS))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    import check_wheels

    yield check_wheels
    sys.modules.pop("check_wheels")


def _wheel(folder: Path, name: str, tag: str) -> None:
    about = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{name}-1.0-{tag}.whl", "w") as archive:
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0")
        archive.writestr(f"{about}/WHEEL", f"Wheel-Version: 1.0\nTag: {tag}")
        archive.writestr(f"{about}/RECORD", "")


def test_the_one_without_a_wheel_is_named(check_wheels, tmp_path):
    _wheel(tmp_path, "everywhere", "py3-none-any")
    _wheel(tmp_path, "compiled", "cp312-cp312-win_amd64")
    _wheel(tmp_path, "compiled", "cp312-cp312-manylinux_2_27_aarch64.manylinux_2_28_aarch64")
    wanted = [Requirement("everywhere"), Requirement("compiled>=1.0")]
    assert check_wheels.missing(wanted, "Windows", "3.12") == []
    assert check_wheels.missing(wanted, "Linux ARM", "3.12") == []
    missed = ["compiled>=1.0 on Linux ARM, Python 3.13"]
    assert check_wheels.missing(wanted, "Linux ARM", "3.13") == missed


def test_a_marker_says_where_a_wheel_is_needed(check_wheels):
    wanted = [Requirement("nowhere; sys_platform == 'win32'")]
    assert check_wheels.missing(wanted, "Linux ARM", "3.12") == []
    assert check_wheels.missing(wanted, "Windows", "3.12") == ["nowhere on Windows, Python 3.12"]


def test_what_a_dependency_needs_is_asked_for_too(check_wheels):
    needed = {}
    check_wheels._collect([Requirement("numba>=0.61")], {}, needed)
    assert needed.keys() == {"numba", "llvmlite", "numpy"}


def test_all_that_make_run_installs_is_asked_for(check_wheels, monkeypatch):
    monkeypatch.chdir(TOOLS.parent)
    names = {one.name for one in check_wheels.installed_by_make_run()}
    assert {"mujoco", "numba", "nicegui", "uvicorn"} <= names


def test_an_index_that_does_not_answer_is_told_and_no_failure(check_wheels, monkeypatch, capsys):
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setattr(check_wheels, "PYTHONS", ("3.12",))
    monkeypatch.chdir(TOOLS.parent)
    assert check_wheels.main() == 0
    assert (
        "wheels were not checked, as the package index does not answer" in capsys.readouterr().out
    )
