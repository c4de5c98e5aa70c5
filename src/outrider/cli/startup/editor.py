"""The browser editor next to a run, where it is installed and wanted."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from outrider.loader.project.folder import PROJECT_FILE

if TYPE_CHECKING:
    from outrider.scenarios.recording import RecordingControl
    from outrider.scenarios.run import Run
    from outrider.ui.options import EditorOptions


def editor_options(
    what: str | None,
    host: str,
    port: int,
    projects: Path,
    *,
    read_only: bool,
    allow_code: bool,
    program: Path | None,
) -> "EditorOptions":
    """Return how the editor is to be opened."""
    from outrider.ui.options import EditorOptions

    project = Path(what) if what and (Path(what) / PROJECT_FILE).is_file() else None
    return EditorOptions(
        host, port, read_only, allow_code, projects=projects, project=project, program=program
    )


@contextmanager
def edited(
    run: "Run", options: "EditorOptions | None", recording: "RecordingControl"
) -> Iterator[bool]:
    """Open the editor during a run and print its address, or how to install it; tell which."""
    from outrider.ui.open import editor, installed

    if options is None:
        yield False
    elif not installed():
        typer.echo("no browser editor here: pip install outrider[ui]", err=True)
        yield False
    else:
        with editor(run, options, recording) as opened:
            typer.echo(f"editor: {opened.address}", err=True)
            yield True
            if (place := opened.rescue()) is not None:
                typer.echo(f"changes that were not saved are in {place}", err=True)
