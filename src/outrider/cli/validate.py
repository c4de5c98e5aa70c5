"""outrider validate: simulated robots beside recordings of real ones."""

from pathlib import Path
from typing import Annotated

import typer

from outrider.cli.options.shared import Json
from outrider.cli.output.table import print_json, print_table
from outrider.cli.startup.kernels import announce_compiling
from outrider.core.errors import ConfigError

app = typer.Typer(help="Compare simulated robots with recordings of real ones.")


@app.callback()
def _validate() -> None:
    """Compare simulated robots with recordings of real ones."""


@app.command()
def husky(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder with imu_N.csv and pro_N.csv files.")
    ],
    ground: Annotated[
        str, typer.Option(metavar="MATERIAL", help="Ground material; default: the folder's name.")
    ] = "",
    imu_at: Annotated[
        str, typer.Option(metavar="X,Y,Z", help="Position of the IMU in base_link (m).")
    ] = "0.19,0,0.149",
    seeds: Annotated[
        int, typer.Option(min=1, max=20, metavar="N", help="Replays of each recording.")
    ] = 1,
    seconds: Annotated[
        float,
        typer.Option(
            min=4.0, max=600.0, metavar="S", help="Use at most this much of each recording."
        ),
    ] = 30.0,
    only: Annotated[
        str, typer.Option(metavar="TEXT", help="Only recordings with this in their names.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the page and plots.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Replay a real Husky's wheel speeds and compare IMU, track and motor current."""
    announce_compiling()
    from outrider.core.files.atomic_file import check_writable
    from outrider.evaluation.husky.validate import (
        HEADS,
        ValidateOptions,
        as_json_data,
        rows,
        validate,
        write_validation,
    )

    if out is not None:
        check_writable(out / "validation.html")
    options = ValidateOptions(ground, _place(imu_at), seeds, seconds, only)
    found = validate(folder, options, tell=lambda text: typer.echo(text, err=True))
    if out is not None:
        for path in write_validation(out, found, options):
            typer.echo(str(path), err=True)
    if as_json:
        print_json(as_json_data(found))
        return
    print_table([dict(zip(HEADS, row, strict=True)) for row in rows(found)])


def _place(text: str) -> tuple[float, float, float]:
    try:
        x, y, z = (float(word) for word in text.split(","))
    except ValueError:
        raise ConfigError(f"--imu-at: expected three numbers x,y,z, got '{text}'") from None
    return x, y, z
