"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from outrider.core.errors import ConfigError

Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Override a scenario value, e.g. robots.0.pose.x=2. Repeatable.",
    ),
]
Arguments: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--arg", metavar="NAME:=VALUE", help="Argument for xacro. Repeatable."),
]
SearchPaths: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--path", metavar="DIR", help="Search path for packages, models, meshes. Repeatable."
    ),
]
HeightSize: TypeAlias = Annotated[
    str | None, typer.Option("--size", metavar="X,Y,Z", help="Size of a height image in metres.")
]
Seed: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Seed for all random numbers.")
]
Bridges: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--bridge",
        metavar="NAME[:KEY=VALUE,...]",
        help="Bridge to other programs, e.g. ros1:master=own. Repeatable.",
    ),
]

Files: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--files",
        metavar="DIR",
        help="Folder where programs on a bridge may save and load files (none by default).",
    ),
]

Trust: TypeAlias = Annotated[
    bool,
    typer.Option("--trust", help="Run the Python components that the opened files name."),
]


def xacro_arguments(given: list[str] | None) -> dict[str, str]:
    """Return the values of ``--arg``, by name."""
    found = {}
    for text in given or []:
        name, mark, value = text.partition(":=")
        if not mark or not name.strip():
            raise ConfigError(f"--arg: expected name:=value, got '{text}'")
        found[name.strip()] = value
    return found


def height_size(text: str | None, option: str = "--size") -> tuple[float, float, float] | None:
    """Return the size of a height image, in metres."""
    if text is None:
        return None
    try:
        x, y, z = (float(word) for word in text.replace(",", " ").split())
    except ValueError:
        raise ConfigError(f"{option}: expected three numbers x,y,z, got '{text}'") from None
    return x, y, z
