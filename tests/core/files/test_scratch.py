"""Temporary folders are gone afterwards, those of killed processes at the next start."""

import subprocess
import sys

from outrider.cli.startup.quick_start import starting
from outrider.core.cache_folder import cache_dir
from outrider.core.files.scratch import scratch_folder

_KILLED = """
import os
from outrider.core.files.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "a").write_text("half")
    print(folder, flush=True)
    os.kill(os.getpid(), 9)
"""


def test_a_scratch_folder_is_empty_and_goes_with_its_block(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    with scratch_folder() as one, scratch_folder() as other:
        assert one != other
        assert not list(one.iterdir())
        (one / "a").write_text("x")
    assert not list((tmp_path / "scratch").iterdir())


def test_what_a_killed_process_left_in_the_cache_is_gone_after_the_next_start(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    command = [sys.executable, "-c", _KILLED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    (left,) = (cache_dir() / "scratch").iterdir()
    assert done.stdout.strip() == str(left)
    with starting():
        pass
    assert not left.exists()
