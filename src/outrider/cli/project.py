"""outrider project: create a project, save it as one file, open it anywhere."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Create a project, save it as one zip file, open it anywhere.")


@app.command()
def new(
    name: Annotated[Path, typer.Argument(metavar="NAME", help="Folder to create.")],
) -> None:
    """Create a project that runs right away."""
    from outrider.loader.project.folder import new_project

    project = new_project(name)
    typer.echo(f"created {name}: run it with 'outrider run {name}', edit {project.spec.scenario}")


@app.command()
def save(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the project.")] = Path(),
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Zip file to write.")
    ] = None,
) -> None:
    """Save a project and everything it refers to as one zip file."""
    from outrider.loader.project.archive import save_project

    file = out or Path(f"{folder.resolve().name}.zip")
    found = save_project(folder, file)
    for note in found.notes:
        typer.echo(f"note: {note}", err=True)
    brought = f", {len(found.outside)} of them from elsewhere" if found.outside else ""
    typer.echo(f"saved {file}: {len(found.files)} files{brought}")


@app.command("open")
def open_(
    file: Annotated[Path, typer.Argument(metavar="FILE.zip", help="The zip file.")],
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="Folder to create.")] = None,
) -> None:
    """Open a saved project in a new folder."""
    from outrider.loader.project.archive import open_project

    place = folder or Path(file.stem)
    project = open_project(file, place)
    typer.echo(f"opened {place}: run it with 'outrider run {place}' ({project.spec.scenario})")
