"""outrider import: what a file of another program holds, and what becomes of it here."""

from pathlib import Path
from typing import Annotated, Any

import typer

from outrider.cli.options import Json
from outrider.cli.table import print_facts, print_json
from outrider.core.errors import ConfigError


def import_(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="URDF, xacro, SDF, MJCF, mesh or height map."),
    ],
    to: Annotated[
        Path | None, typer.Option("--to", help="Folder to write files of our own into.")
    ] = None,
    arg: Annotated[
        list[str] | None, typer.Option("--arg", help="xacro argument, as name:=value.")
    ] = None,
    path: Annotated[
        list[Path] | None, typer.Option("--path", help="Folder of packages, models or meshes.")
    ] = None,
    size: Annotated[
        str | None, typer.Option(help="Metres in x,y,z that a height image measures.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse a file of which something is missing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Read a file and say what was read, applied, guessed, left out and missing."""
    from outrider.formats.import_file import ImportOptions, import_file

    options = ImportOptions(
        _arguments(arg or []), tuple(path or ()), lenient=not strict, size=_size(size)
    )
    found = import_file(file, options)
    facts = found.report.plain()
    if to is not None:
        from outrider.formats.import_write import write_imported

        facts["written"] = [str(written) for written in write_imported(found, to)]
    if as_json:
        print_json(facts)
    else:
        _print(facts)


def _arguments(given: list[str]) -> dict[str, str]:
    found = {}
    for text in given:
        name, mark, value = text.partition(":=")
        if not mark or not name.strip():
            raise ConfigError(f"--arg: expected name:=value, got '{text}'")
        found[name.strip()] = value
    return found


def _size(text: str | None) -> tuple[float, float, float] | None:
    if text is None:
        return None
    try:
        x, y, z = (float(word) for word in text.replace(",", " ").split())
    except ValueError:
        raise ConfigError(f"--size: expected three numbers x,y,z, got '{text}'") from None
    return x, y, z


def _print(facts: dict[str, Any]) -> None:
    from outrider.formats.import_report import HEADINGS

    notes = {kind: facts.pop(kind) for kind in HEADINGS}
    print_facts(facts)
    for kind, heading in HEADINGS.items():
        if notes[kind]:
            typer.echo(f"\n{heading}:")
        for text in notes[kind]:
            typer.echo(f"  - {text}")
