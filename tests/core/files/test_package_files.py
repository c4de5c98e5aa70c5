"""Names that no file can have are told as files that are not there; devices are not read."""

import os

import pytest

from outrider.core.errors import ConfigError, OutriderError
from outrider.core.files.package_files import is_file, is_folder, refuse_devices
from outrider.loader.project.archive import opened
from outrider.scenarios.opening import find_scenario
from outrider.scenarios.session.saved_state_file import is_saved_state, read_saved_state

IMPOSSIBLE = ("a" * 300, "a\0b")


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_name_that_no_file_can_have_is_neither_file_nor_folder(tmp_path, name):
    assert not is_file(tmp_path / name)
    assert not is_folder(tmp_path / name)
    assert is_folder(tmp_path)


@pytest.mark.parametrize("name", IMPOSSIBLE)
@pytest.mark.parametrize("suffix", ["", ".yaml", ".zip", ".state"])
def test_nothing_of_such_a_name_can_be_opened_and_one_sentence_says_so(tmp_path, name, suffix):
    path = tmp_path / f"{name}{suffix}"
    assert not is_saved_state(path)
    for read in (lambda: find_scenario(f"{name}{suffix}"), lambda: find_scenario(str(path))):
        with pytest.raises(OutriderError):
            read()
    for read in (lambda: read_saved_state(path), lambda: opened(path)):
        with pytest.raises(OutriderError):
            read()


def test_pipes_and_folders_are_refused_and_what_is_not_there_is_left_to_who_reads(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(ConfigError, match="is not a file"):
            refuse_devices(tmp_path / name)
    refuse_devices(tmp_path / "nothing")
