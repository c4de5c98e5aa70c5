"""outrider list: what comes with the program."""

from enum import StrEnum
from typing import Annotated

import typer

from outrider.cli.options import Json
from outrider.cli.table import print_json, print_table

_FOR_PROGRAMS = ("thumbnail",)  # long paths, in JSON only


class Kind(StrEnum):
    """What can be listed."""

    robots = "robots"
    worlds = "worlds"
    scenarios = "scenarios"
    sensors = "sensors"
    engines = "engines"
    bridges = "bridges"
    materials = "materials"


def list_(kind: Annotated[Kind, typer.Argument()], as_json: Json = False) -> None:
    """List what comes with the program."""
    from outrider.cli.catalogue import CATALOGUE

    rows = CATALOGUE[kind]()
    if as_json:
        print_json(rows)
    else:
        print_table([{key: row[key] for key in row if key not in _FOR_PROGRAMS} for row in rows])
