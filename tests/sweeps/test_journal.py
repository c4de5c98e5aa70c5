import json
import os
import subprocess
import sys

import pytest

from outrider.core.errors import SweepError
from outrider.sweeps.journal import Journal


def write(path, *runs):
    with Journal(path) as journal:
        for run in runs:
            journal.append({"run": run, "text": "x" * 100})


def runs_in(path):
    with Journal(path) as journal:
        return sorted(journal.lines)


def test_lines_are_read_back_by_run_and_added_to(tmp_path):
    write(tmp_path / "j", 2, 1)
    write(tmp_path / "j", 3)
    assert runs_in(tmp_path / "j") == [1, 2, 3]


def test_a_line_that_a_killed_process_left_half_written_is_cut_off(tmp_path):
    path = tmp_path / "j"
    write(path, 1, 2)
    with path.open("ab") as file:
        file.write(b'{"run": 3, "te')
    with Journal(path) as journal:
        assert sorted(journal.lines) == [1, 2]
        journal.append({"run": 3})
    assert [json.loads(text)["run"] for text in path.read_text().splitlines()] == [1, 2, 3]


def test_two_sweeps_cannot_write_to_one_journal(tmp_path):
    with Journal(tmp_path / "j"), pytest.raises(SweepError, match="another sweep is writing"):
        Journal(tmp_path / "j")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of file sizes are POSIX")
def test_a_disk_that_takes_no_more_keeps_whole_lines(tmp_path):
    """The kernel refuses the third line in the middle, as a full disk does."""
    code = (
        "import resource, sys; from pathlib import Path; from outrider.sweeps.journal import *\n"
        "from outrider.core.errors import SweepError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))\n"
        "with Journal(Path(sys.argv[1])) as journal:\n"
        "    try:\n"
        "        for run in (1, 2, 3): journal.append({'run': run, 'text': 'x' * 100})\n"
        "    except SweepError as error: print(error)\n"
    )
    path = tmp_path / "j"
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    assert "cannot be written: File too large; the 2 runs before are kept" in done.stdout
    assert runs_in(path) == [1, 2]
    assert path.read_bytes().endswith(b"\n")


@pytest.mark.parametrize("run", ['"a"', "[1]", "null", "1.5", "true", "[" * 100_000])
def test_a_line_whose_run_is_no_number_ends_what_is_read(tmp_path, run):
    path = tmp_path / "results.jsonl"
    path.write_text('{"run": 3}\n{"run": ' + run + '}\n{"run": 1}\n')
    assert runs_in(path) == [3]
