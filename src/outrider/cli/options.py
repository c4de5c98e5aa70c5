"""Options that several commands share."""

from typing import Annotated, TypeAlias

import typer

Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Override a value, as robots.0.pose.x=2. Repeatable."
    ),
]
Seed: TypeAlias = Annotated[int | None, typer.Option(help="Seed of everything that is random.")]
Bridges: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--bridge", metavar="NAME[:KEY=VALUE,...]", help="Way in and out, as ros1. Repeatable."
    ),
]
