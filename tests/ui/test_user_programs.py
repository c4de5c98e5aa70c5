"""A user's program that only runs stays in its file as it was written."""

from pathlib import Path

import pytest

from outrider.core.errors import FormatError
from outrider.ui.console_log import ConsoleLog
from outrider.ui.programs import RobotPrograms

LATIN = b"# -*- coding: latin-1 -*-\r\nname = 'Gr\xf6\xdfe'\r\n\r\ndef loop(robot):\r\n    pass\r\n"


@pytest.fixture
def programs(monkeypatch):
    monkeypatch.setattr("outrider.ui.programs.UserProcess", lambda *_, **__: None)
    made = RobotPrograms(ConsoleLog())
    yield made
    made.close()


def test_a_file_that_only_runs_keeps_its_bytes_and_its_links(programs, tmp_path: Path) -> None:
    real, link = tmp_path / "real.py", tmp_path / "link.py"
    real.write_bytes(LATIN)
    link.symlink_to(real)
    program = programs.take("jackal", link)
    program.start("")
    assert "Größe" in program.text
    assert link.is_symlink()
    assert real.read_bytes() == LATIN


def test_a_file_that_cannot_be_written_runs(programs, tmp_path: Path, monkeypatch) -> None:
    def refuse(*_: object) -> None:
        raise FormatError("cannot be written")

    monkeypatch.setattr("outrider.ui.programs.write_whole", refuse)
    file = tmp_path / "first.py"
    file.write_bytes(LATIN)
    programs.take("jackal", file).start("")


def test_what_is_changed_in_the_editor_is_written_in_the_encoding_that_it_names(
    programs, tmp_path: Path
) -> None:
    file = tmp_path / "first.py"
    file.write_bytes(LATIN)
    program = programs.take("jackal", file)
    program.text = program.text.replace("pass", "robot.stop()")
    program.start("")
    assert b"'Gr\xf6\xdfe'" in file.read_bytes()
    assert b"robot.stop()" in file.read_bytes()


def test_a_program_of_the_editor_is_written_before_it_runs(programs) -> None:
    program = programs.of("jackal")
    program.start("")
    assert program.file.read_text() == program.text
    program.text = "def loop(robot):\n    'Größe'\n"
    program.start("")
    assert program.file.read_bytes() == program.text.encode()
