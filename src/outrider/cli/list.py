"""outrider list: what is included in the program."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from outrider.cli.options.shared import Json
from outrider.cli.output.table import print_json, print_table
from outrider.core.structure import Data

_FOR_PROGRAMS = ("thumbnail",)  # long paths, in JSON only


class ListKind(StrEnum):
    """What can be listed."""

    robots = "robots"
    worlds = "worlds"
    scenarios = "scenarios"
    sensors = "sensors"
    engines = "engines"
    bridges = "bridges"
    materials = "materials"
    services = "services"


Pictures = Annotated[bool, typer.Option("--pictures", help="Worlds: show a thumbnail of each.")]


def list_(
    kind: Annotated[ListKind, typer.Argument(metavar="KIND", help=f"{', '.join(ListKind)}.")],
    pictures: Pictures = False,
    as_json: Json = False,
) -> None:
    """List what is included: robots, worlds, sensors, services and so on."""
    from outrider.cli.output.catalogue import CATALOGUE

    rows = CATALOGUE[kind]()
    if as_json:
        print_json(rows)
    elif pictures:
        _print_pictures(rows)
    else:
        print_table([{key: row[key] for key in row if key not in _FOR_PROGRAMS} for row in rows])


def _print_pictures(rows: list[Data]) -> None:
    """Print a line and, if there is one, a thumbnail for each."""
    from outrider.cli.output.picture_text import picture_text

    for row in rows:
        typer.echo(f"{row['name']}: {row.get('description', '')}")
        if row.get("thumbnail"):
            typer.echo(picture_text(Path(row["thumbnail"])), color=True)
