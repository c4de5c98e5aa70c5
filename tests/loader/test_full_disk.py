"""A disk that is full: one sentence, nothing half made, and what was there before stays."""

import resource
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from outrider.bridges.velodyne.pcap import PcapFile
from outrider.core.errors import FormatError, WorldError
from outrider.core.structure import from_data
from outrider.formats.export_file import export_file
from outrider.loader.project.folder import new_project
from outrider.loader.starter import write_starter
from outrider.loader.world import build_world
from outrider.messages.catkin_package import write_message_package
from outrider.specs.world import WorldSpec
from outrider.vehicles.robot import load_robot


@contextmanager
def at_most(size):
    """Let no file grow beyond a size: the system itself refuses the write."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_project_is_made_whole_or_not_at_all(tmp_path):
    (tmp_path / "empty").mkdir()
    for name in ("new", "empty"):
        with at_most(200), pytest.raises(FormatError, match="cannot be written"):
            new_project(tmp_path / name)
    assert [path.name for path in tmp_path.rglob("*")] == ["empty"]
    new_project(tmp_path / "new")


def test_a_starter_is_written_whole_or_not_at_all(tmp_path):
    with at_most(400), pytest.raises(FormatError, match=r"pyproject\.toml: cannot be written"):
        write_starter("component", "mine", tmp_path / "mine")
    assert not list(tmp_path.iterdir())


def test_a_message_package_is_written_whole_or_not_at_all(tmp_path):
    with at_most(100), pytest.raises(FormatError, match="cannot be written"):
        write_message_package("autominy_msgs", tmp_path / "autominy_msgs")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", [".urdf", ".sdf", ".xml"])
def test_an_export_leaves_no_meshes_without_their_file(tmp_path, suffix):
    files = tmp_path / "jackal_files"
    files.mkdir()
    (files / "mine.txt").write_text("mine")
    with at_most(4000), pytest.raises(FormatError, match="cannot be written"):
        export_file(load_robot("jackal").model, tmp_path / f"jackal{suffix}")
    assert [path.name for path in tmp_path.rglob("*")] == ["jackal_files", "mine.txt"]


def test_ground_on_disk_says_that_the_disk_is_full(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    ground = {"type": "endless", "size": [510.0, 510.0], "cell": 1.0, "pixels": 0}
    with at_most(100_000), pytest.raises(WorldError, match="cannot be written: File too large"):
        build_world(from_data(WorldSpec, {"ground": ground}))
    assert not list((tmp_path / "grounds").iterdir())


def test_a_run_whose_recording_ended_early_says_so_by_its_exit_code(tmp_path):
    def small_disk():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    command = [sys.executable, "-m", "outrider", "run", "drive-10s", "--headless", "--speed", "0"]
    done = subprocess.run(
        [*command, "--record", str(tmp_path / "a.mcap")],
        preexec_fn=small_disk,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "the recording ended early: File too large" in done.stderr
    assert "drove" in done.stdout  # the run itself went on to its end
    assert done.returncode == 2


def test_a_pcap_file_ends_with_its_last_whole_packet(tmp_path):
    file = PcapFile(tmp_path / "a.pcap")
    with at_most(5000):
        for number in range(3):
            file.add(number, 2368, bytes(1206))
        with pytest.raises(OSError, match="No space left"):
            file.add(3, 2368, bytes(1206))
    file.close()
    assert (tmp_path / "a.pcap").stat().st_size == 24 + 3 * (16 + 42 + 1206)
