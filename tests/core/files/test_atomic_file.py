"""Files are whole or absent, and what killed processes left is swept away."""

import os
import subprocess
import sys

import pytest

from outrider.core.errors import FormatError
from outrider.core.files.atomic_file import (
    beside,
    remove_leftovers,
    remove_whole,
    replacing,
    write_whole,
)

_KILLED = """
import os, sys
from pathlib import Path
from outrider.core.files.atomic_file import replacing
with replacing(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), 9)
"""


def _names(folder):
    return [path.name for path in folder.iterdir()]


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    write_whole(path, b"old")
    with pytest.raises(ZeroDivisionError), replacing(path) as file:
        file.write(b"new" * (1 // 0))
    assert path.read_bytes() == b"old"
    assert _names(tmp_path) == ["a.txt"]


def test_what_a_killed_writer_left_is_gone_after_the_next_write(tmp_path):
    path = tmp_path / "a.txt"
    write_whole(path, b"old")
    subprocess.run([sys.executable, "-c", _KILLED, str(path)], check=False)
    assert path.read_bytes() == b"old"
    assert len(_names(tmp_path)) == 2
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert _names(tmp_path) == ["a.txt"]


def test_a_writer_that_is_alive_is_left_in_peace(tmp_path):
    path = tmp_path / "a.txt"
    with replacing(path) as file:
        file.write(b"one")
        remove_leftovers(tmp_path)
    assert path.read_bytes() == b"one"


def test_a_folder_of_a_killed_writer_is_swept_with_all_that_is_in_it(tmp_path):
    name = beside(tmp_path / "map").name.replace(f"{os.getpid()}-", "999999999-")
    (tmp_path / name).mkdir()
    (tmp_path / name / "heights.npy").write_bytes(b"x")
    remove_leftovers(tmp_path)
    assert _names(tmp_path) == []


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FormatError, match="cannot be written"):
        write_whole(tmp_path / "file" / "a.txt", b"x")


def test_a_target_that_is_a_folder_is_one_sentence(tmp_path):
    with pytest.raises(FormatError, match="it is a folder"):
        write_whole(tmp_path, b"x")


def test_what_a_link_leads_to_is_not_removed_with_it(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "kept.txt").write_text("kept")
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "link").symlink_to(tmp_path / "mine")
    remove_whole(tmp_path / "made")
    assert [path.name for path in sorted(tmp_path.rglob("*"))] == ["mine", "kept.txt"]
