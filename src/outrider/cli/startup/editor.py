"""The browser editor next to a run, where it is installed and wanted."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from outrider.scenarios.recording import RecordingControl
    from outrider.scenarios.run import Run
    from outrider.ui.open import EditorServer
    from outrider.ui.options import EditorOptions

_TURN_S = 0.0005  # threads take turns this often while a page loads and the world is built


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
    from outrider.loader.project.folder import PROJECT_FILE
    from outrider.ui.options import EditorOptions

    project = Path(what) if what and (Path(what) / PROJECT_FILE).is_file() else None
    return EditorOptions(
        host, port, read_only, allow_code, projects=projects, project=project, program=program
    )


class EditorLauncher:
    """Opens the editor as early as possible: pages load while the world is still being built."""

    def __init__(self, *, likely: bool) -> None:
        """If an editor is ``likely``, its libraries are imported beside everything else."""
        self._server: EditorServer | None = None
        self._turn_s = sys.getswitchinterval()
        if likely and find_spec("nicegui") is not None:
            threading.Thread(target=_import_libraries, name="imports", daemon=True).start()

    def open(self, options: "EditorOptions | None") -> None:
        """Serve the editor and print its address, or how to install it."""
        from outrider.ui.open import EditorServer, installed

        if options is None:
            return
        if not installed():
            typer.echo("the editor is not installed: pip install 'outrider[ui]'", err=True)
            return
        self._server = EditorServer(options)
        if self._server.refused:
            typer.echo(f"port {options.port}: {self._server.refused}; another is used", err=True)
        typer.echo(f"editor: {self._server.address}", err=True)
        sys.setswitchinterval(_TURN_S)

    @contextmanager
    def edited(self, run: "Run", recording: "RecordingControl") -> Iterator[bool]:
        """Let the pages have the run, while it lasts; tell whether there are any."""
        sys.setswitchinterval(self._turn_s)
        if self._server is None:
            yield False
            return
        with self._server.edited(run, recording) as opened:
            yield True
            if (place := opened.rescue()) is not None:
                typer.echo(f"changes that were not saved are in {place}", err=True)

    def close(self) -> None:
        """Close the editor, if it was opened."""
        sys.setswitchinterval(self._turn_s)
        if self._server is not None:
            self._server.close()


def _import_libraries() -> None:
    """Import what the editor needs from others; reading files lets other threads go on."""
    for module in ("fastapi", "uvicorn", "nicegui.ui"):
        import_module(module)
