"""Opens the editor next to a run and reports its address."""

import os
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from outrider.core.collector import no_collection
from outrider.core.errors import ConfigError
from outrider.scenarios.recording import RecordingControl
from outrider.scenarios.run import Run
from outrider.ui.options import EditorOptions


@dataclass(frozen=True, slots=True)
class Editor:
    """An open editor."""

    base: str  # of all its addresses
    address: str  # of the page, with the token
    draw: Callable[[str], None]  # draws a topic in the scene, as a switch of the page does
    rescue: Callable[[], Path | None]  # saves what nobody saved, and says where


def installed() -> bool:
    """Return whether the editor's libraries are installed."""
    return find_spec("nicegui") is not None


@contextmanager
def editor(
    run: Run, options: EditorOptions, recording: RecordingControl | None = None
) -> Iterator[Editor]:
    """Serve the editor of a run; with a recording control it has a record button."""
    if not installed():
        raise ConfigError("the editor is not installed: pip install outrider[ui]")
    with ExitStack() as closing:
        with no_collection():
            opened = _open(run, options, recording, closing)
        if options.browser and _has_desktop():
            webbrowser.open(opened.address)
        yield opened


def _open(
    run: Run, options: EditorOptions, recording: RecordingControl | None, closing: ExitStack
) -> Editor:
    from outrider.ui.desk import Desk
    from outrider.ui.link.access import new_token
    from outrider.ui.link.server import Server
    from outrider.ui.site import make_app

    server = Server(options.host, options.port)
    closing.callback(server.close)
    desk = Desk(run, options, recording)
    closing.callback(desk.programs.close)
    app, watching = make_app(desk)
    token = new_token()
    server.start(app, token, required=options.open_to_others)
    if options.program is not None:
        desk.start_program(options.program)
    base = f"http://{_shown(options.host)}:{server.port}/"

    def draw(topic: str) -> None:
        watching.switch(topic, drawn=True)

    return Editor(base, f"{base}?token={token}", draw, desk.rescued)


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _has_desktop() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
