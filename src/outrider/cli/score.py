"""outrider score: the twelve weighted metrics of Farley et al., our column beside four others."""

from pathlib import Path
from typing import Annotated

import typer

from outrider.cli.options.shared import Json
from outrider.cli.output.table import print_json, print_table
from outrider.cli.startup.kernels import announce_compiling


def score(
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for the runs; finished runs in it are kept."),
    ] = None,
    speed: Annotated[
        float, typer.Option(min=0.0, metavar="X", help="Multiple of real time; the paper uses 1.")
    ] = 1.0,
    as_json: Json = False,
) -> None:
    """Measure what can be measured (two minutes) and print table 11 of Farley et al."""
    announce_compiling()
    from outrider.evaluation.score.score import measure_score, table_rows

    found = measure_score(out, speed, tell=lambda name: typer.echo(f"running {name}", err=True))
    if as_json:
        print_json(found.as_json())
        return
    print_table(table_rows(found))
    typer.echo("\nColumns marked * are computed from table 10; our column is scored with")
    typer.echo("minima and maxima over five simulators. It is based on:")
    for key, reason in found.because.items():
        typer.echo(f"  {key}: {reason}")
