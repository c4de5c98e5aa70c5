"""The help of every command: flags are flags, and values have names that people know."""

import subprocess
import sys

import pytest
import typer
from click.testing import CliRunner

from outrider.cli import scenario
from outrider.cli.main import app, main
from outrider.cli.output.help_text import plain_help

OUTRIDER = [sys.executable, "-c", "from outrider.cli.main import main; main()"]


def _commands(command, path=()):
    below = getattr(command, "commands", {})
    if not below:
        yield path
    for name, item in below.items():
        yield from _commands(item, (*path, name))


ROOT = plain_help(typer.main.get_command(app))


@pytest.mark.parametrize("path", _commands(ROOT), ids=" ".join)
def test_no_help_shows_the_types_of_python(path):
    said = CliRunner().invoke(ROOT, [*path, "--help"], catch_exceptions=False)
    assert said.exit_code == 0
    for word in ("<bool>", "<str>", "<int>", "<float>", "<path>", "list[", "BOOLEAN", "[["):
        assert word not in said.stdout, said.stdout


@pytest.mark.parametrize("text", ["", "# nothing but a comment\n", "---\n"])
@pytest.mark.parametrize("command", [["run"], ["check"], ["scenario", "run"]])
def test_an_empty_file_is_no_scenario(tmp_path, command, text):
    file = tmp_path / "empty.yaml"
    file.write_text(text)
    done = subprocess.run(
        [*OUTRIDER, *command, str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert f"{file}: the file is empty" in done.stderr


def test_an_interrupted_scenario_says_so(monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(scenario, "_run_all", interrupted)
    done = CliRunner().invoke(ROOT, ["scenario", "run", "smoke"])
    assert done.exit_code == 130
    assert "outrider: interrupted: 'smoke' did not finish" in done.stderr


def test_a_command_interrupted_while_it_starts_says_so(monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(scenario, "announce_compiling", interrupted)
    monkeypatch.setattr(sys, "argv", ["outrider", "scenario", "run", "smoke"])
    with pytest.raises(SystemExit) as ending:
        main()
    assert ending.value.code == 130
    assert capsys.readouterr().err.strip() == "outrider: interrupted"
