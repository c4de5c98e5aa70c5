"""Opens the editor next to a run and reports its address."""

import os
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from outrider.core.errors import ConfigError
from outrider.core.process.garbage_collection import no_collection
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


class EditorServer:
    """The editor's address: pages can be opened before there is a run, and wait for it."""

    def __init__(self, options: EditorOptions) -> None:
        if not installed():
            raise ConfigError("the editor is not installed: pip install outrider[ui]")
        from outrider.ui.link.access import new_token
        from outrider.ui.link.server import Server
        from outrider.ui.page_parts import PendingParts
        from outrider.ui.web_app import make_app

        self.options = options
        self._pending = PendingParts()
        self._server = Server(options.host, options.port)
        self.refused = self._server.refused
        token = new_token()
        self.base = f"http://{_shown(options.host)}:{self._server.port}/"
        self.address = f"{self.base}?token={token}"
        with no_collection():
            app = make_app(self._pending)
            self._server.start(app, token, required=options.open_to_others)
        if options.browser and _has_desktop():
            webbrowser.open(self.address)

    def close(self) -> None:
        """Send all pages away."""
        self._server.close()

    @contextmanager
    def edited(self, run: Run, recording: RecordingControl | None = None) -> Iterator[Editor]:
        """Let the pages have a run; with a recording control they have a record button."""
        from outrider.ui.editor_state import EditorState
        from outrider.ui.page_parts import PageParts

        editor = EditorState(run, self.options, recording)
        parts = PageParts.of(editor)

        def draw(topic: str) -> None:
            parts.watching.switch(topic, drawn=True)

        with closing(editor.programs):
            self._pending.bring(parts)
            if self.options.program is not None:
                editor.start_program(self.options.program)
            yield Editor(self.base, self.address, draw, editor.rescued)


@contextmanager
def editor(
    run: Run, options: EditorOptions, recording: RecordingControl | None = None
) -> Iterator[Editor]:
    """Serve the editor of a run that is there already."""
    with closing(EditorServer(options)) as server, server.edited(run, recording) as opened:
        yield opened


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _has_desktop() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
