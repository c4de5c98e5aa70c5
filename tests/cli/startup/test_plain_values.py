"""Plain values of a command line: the same as typer's own, without its validation library."""

from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

from outrider.cli.startup.plain_values import take_plain_values


def values_of(*words: str) -> dict[str, Any]:
    """Return what a command gets, as typer converts it and as it is taken plainly: the same."""
    found = []
    for prepare in (take_plain_values, lambda command: command):
        seen: dict[str, Any] = {}
        prepare(_command(seen))(list(words), standalone_mode=False)
        found.append(seen)
    assert found[0] == found[1]
    assert [type(v) for v in found[0].values()] == [type(v) for v in found[1].values()]
    return found[0]


def _command(seen: dict[str, Any]) -> Any:
    def work(
        what: Annotated[str | None, typer.Argument()] = None,
        count: Annotated[int, typer.Option(min=0, max=9)] = 3,
        factor: float = 1.0,
        seed: int | None = None,
        folder: Path = Path("here"),
        names: Annotated[list[str] | None, typer.Option("--name")] = None,
        paths: Annotated[list[Path] | None, typer.Option("--path")] = None,
        quiet: Annotated[bool, typer.Option("--quiet")] = False,
    ) -> None:
        seen.update(locals())
        seen.pop("seen", None)

    app = typer.Typer(add_completion=False)
    app.command()(work)
    return typer.main.get_command(app)


def test_defaults_and_values_are_those_of_typer() -> None:
    assert values_of()["folder"] == Path("here")
    given = (
        "hratc",
        "--factor",
        "-0.5",
        "--seed",
        "7",
        "--folder",
        "a/b",
        "--quiet",
        "--count",
        "4",
    )
    found = values_of(*given, "--name", "x", "--name", "y", "--path", "p")
    assert (found["what"], found["factor"], found["seed"], found["count"]) == ("hratc", -0.5, 7, 4)
    assert (found["names"], found["paths"]) == (["x", "y"], [Path("p")])


def test_unusual_numbers_are_left_to_typer() -> None:
    assert values_of("--factor", "1e-3")["factor"] == 1e-3
    assert values_of("--factor", "2")["factor"] == 2.0


@pytest.mark.parametrize("words", [("--seed", "many"), ("--count", "10"), ("--factor", "1.2.3")])
def test_what_is_wrong_is_refused(words: tuple[str, ...]) -> None:
    command = take_plain_values(_command({}))
    with pytest.raises(typer.BadParameter):
        command(list(words), standalone_mode=False)


def test_help_is_shown_and_nothing_else_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    seen: dict[str, Any] = {}
    take_plain_values(_command(seen))(["--help"], standalone_mode=False)
    assert "--factor" in capsys.readouterr().out
    assert seen == {}
