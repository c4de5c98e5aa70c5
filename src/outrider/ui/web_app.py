"""The web application of one run: the page, and the data its scene fetches."""

from pathlib import Path

from fastapi import FastAPI, Request
from nicegui import ui

from outrider.core.errors import SimulationError
from outrider.ui.editor_state import PATIENCE_S
from outrider.ui.link.access import KNOWN
from outrider.ui.link.routes import add_routes
from outrider.ui.link.server import with_tasks
from outrider.ui.page_parts import PendingParts
from outrider.ui.panels.loading_page import shown_waiting
from outrider.ui.panels.page import EditorPage, put_head

_HERE = Path(__file__).parent


def make_app(pending: PendingParts) -> FastAPI:
    """Return the app, which can be served before its run is there; there is one per process."""
    app = FastAPI(
        lifespan=with_tasks(pending.serve), openapi_url=None, docs_url=None, redoc_url=None
    )
    add_routes(app, pending)

    @ui.page("/", title="Outrider", dark=True, response_timeout=PATIENCE_S)
    async def page(request: Request) -> None:
        put_head()
        known = bool(request.scope.get(KNOWN))
        if not pending.here:
            if not await shown_waiting():
                return
            parts = await pending.parts()
            ui.context.client.content.clear()
        else:
            parts = await pending.parts()
        try:
            await EditorPage(parts.editor, parts.driving, parts.watching, known=known).build()
        except SimulationError as error:
            ui.label(f"There is nothing to show: {error}.")

    ui.run_with(
        app,
        title="Outrider",
        favicon=_HERE / "panels" / "style" / "icon.svg",
        dark=True,
        tailwind=False,
        show_welcome_message=False,
        binding_refresh_interval=None,
        reconnect_timeout=30.0,
    )
    return app
