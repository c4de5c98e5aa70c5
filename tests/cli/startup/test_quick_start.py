"""A start leaves the process as it found it; a run looks for garbage among new things only."""

import gc
import os
import subprocess
import sys
from contextlib import suppress

import pytest

from outrider.cli.startup.quick_start import starting
from outrider.core.process.garbage_collection import freeze_existing


@pytest.mark.parametrize("own", [None, "egl"])
def test_a_start_leaves_no_trace(own, monkeypatch):
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    if own:
        monkeypatch.setenv("MUJOCO_GL", own)
    with suppress(ValueError), starting():
        assert not gc.isenabled()
        assert os.environ["MUJOCO_GL"] == (own or "disable")
        raise ValueError("there is no such world")
    assert gc.isenabled()
    assert os.environ.get("MUJOCO_GL") == own


def test_a_run_spares_what_is_there_and_gives_it_back():
    gc.unfreeze()  # what tests before have spared
    with freeze_existing():
        assert gc.get_freeze_count() > 10_000
        assert gc.isenabled()
    assert gc.get_freeze_count() == 0


@pytest.mark.parametrize(
    "command",
    [
        ("run", "empty", "--headless", "--speed", "0", "--duration", "0.01"),
        ("check", "empty"),
        ("snapshot", "empty", "-o", "picture.png"),
        ("export", "empty", "--to", "empty.sdf"),
        ("scenario", "run", "scenario.yaml"),
    ],
)
def test_no_command_runs_code_of_the_current_folder(command, tmp_path):
    (tmp_path / "scenario.yaml").write_text("world: empty\nduration_s: 0.01\n")
    mark = tmp_path / "ran"
    for name in ("ctypes", "numpy", "json", "outrider"):
        (tmp_path / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\nraise SystemExit(7)\n")
    env = {k: v for k, v in os.environ.items() if k not in ("MUJOCO_GL", "PYTHONSAFEPATH")}
    program = [sys.executable, "-P", "-c", "from outrider.cli.main import main; main()"]
    done = subprocess.run(
        [*program, *command],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not mark.exists()
