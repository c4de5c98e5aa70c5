"""outrider import: report what another program's file contains and what Outrider makes of it."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from outrider.cli.options.shared import (
    Arguments,
    HeightSize,
    Json,
    SearchPaths,
    height_size,
    xacro_arguments,
)
from outrider.cli.output.table import print_facts, print_json
from outrider.core.errors import FormatError
from outrider.core.structure import Data


def import_(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="URDF, xacro, SDF, MJCF, mesh or height map."),
    ],
    to: Annotated[
        Path | None, typer.Option("--to", metavar="DIR", help="Folder for the imported files.")
    ] = None,
    arg: Arguments = None,
    path: SearchPaths = None,
    size: HeightSize = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail if anything that the file refers to is missing.")
    ] = False,
    collada_up: Annotated[
        Literal["ros", "file"],
        typer.Option(
            help="Collada meshes of a URDF or SDF: as in ROS and Gazebo, which pass over "
            "<up_axis>, or turned as their file says."
        ),
    ] = "ros",
    as_json: Json = False,
) -> None:
    """Read another program's file and report what was used, guessed, left out or missing."""
    from outrider.cli.output.surface_facts import apart
    from outrider.formats.import_file import ImportOptions, import_file, whole_world

    options = ImportOptions(
        xacro_arguments(arg),
        tuple(path or ()),
        lenient=not strict,
        size=height_size(size),
        collada_up=collada_up,
    )
    found = import_file(file, options)
    facts = found.report.plain()
    if strict and facts["missing"]:
        raise FormatError("; ".join(facts["missing"]))
    facts["apart"] = apart(whole_world(found))
    if to is not None:
        from outrider.loader.foreign_write import write_imported

        facts["written"] = [str(written) for written in write_imported(found, to)]
    if as_json:
        print_json(facts)
    else:
        _print(facts)


def _print(facts: Data) -> None:
    from outrider.formats.importing.report import HEADINGS

    headings = {str(kind): heading for kind, heading in HEADINGS.items()}
    headings["apart"] = "visual and collision geometry differ by more than 5 cm"
    notes = {kind: facts.pop(kind) for kind in headings}
    print_facts(facts)
    for kind, heading in headings.items():
        if notes[kind]:
            typer.echo(f"\n{heading}:")
        for text in notes[kind]:
            typer.echo(f"  - {text}")
