"""outrider list: what comes with the program."""

from enum import StrEnum
from typing import Annotated

import typer

from outrider.cli.options import Json
from outrider.cli.table import print_json, print_table


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

    (print_json if as_json else print_table)(CATALOGUE[kind]())
