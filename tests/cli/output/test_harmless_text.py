"""Names and texts of others are shown, but cannot steer the terminal."""

import io
import sys

import pytest

from outrider.cli.main import main
from outrider.cli.output.harmless_text import HarmlessStream, harmless, progress_console


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b2J", "\\x9b2J"),
        ("over\rwritten", "over\\rwritten"),
        ("back\x08", "back\\x08"),
        ("turned \u202eround", "turned \\u202eround"),
        ("half \ud800", "half \\ud800"),
        ("two\nlines\r\nand\ttabs \x1b[1;32min green\x1b[0m", None),
        ("Grüße, 機器人 🤖", None),
    ],
)
def test_control_characters_are_written_out(text, shown):
    assert harmless(text) == (text if shown is None else shown)


def test_a_stream_is_otherwise_itself():
    under = io.StringIO()
    stream = HarmlessStream(under)
    print("\x1b[2J", file=stream)
    assert under.getvalue() == "\\x1b[2J\n"
    assert stream.isatty() is False
    assert stream.getvalue() == under.getvalue()


def test_the_live_line_is_drawn_on_the_stream_itself(monkeypatch):
    under = io.StringIO()
    monkeypatch.setattr(sys, "stderr", HarmlessStream(under))
    assert progress_console().file is under


def test_names_from_a_file_do_not_reach_the_terminal_raw(tmp_path, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    file = tmp_path / "s.yaml"
    file.write_text('world: empty\nrobots: [{model: "\\e[2Jgone", name: "\\e[1A"}]\n')
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "argv", ["outrider", "run", str(file), "--headless"])
    with pytest.raises(SystemExit):
        main()
    assert "\x1b[2J" not in terminal.getvalue()
    assert "\\x1b[2Jgone" in terminal.getvalue()
