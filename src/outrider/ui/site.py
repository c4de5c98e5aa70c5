"""The web application of one run: the page, and the data its scene fetches."""

from pathlib import Path

from fastapi import FastAPI, Request
from nicegui import ui

from outrider.ui.desk import PATIENCE_S, Desk
from outrider.ui.driving import Driving
from outrider.ui.link.access import KNOWN
from outrider.ui.link.routes import add_routes
from outrider.ui.link.server import with_tasks
from outrider.ui.panels.page import EditorPage
from outrider.ui.views.watching import Watching

_HERE = Path(__file__).parent


def make_app(desk: Desk) -> tuple[FastAPI, Watching]:
    """Return the app and its views; there is one per process."""
    run = desk.run
    driving = Driving(run)
    watching = Watching(desk)
    app = FastAPI(
        lifespan=with_tasks(desk.prepare, desk.show, watching.serve),
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
    )
    add_routes(app, desk, driving)

    @ui.page("/", title="Outrider", dark=True, response_timeout=PATIENCE_S)
    async def page(request: Request) -> None:
        known = bool(request.scope.get(KNOWN))
        await EditorPage(desk, driving, watching, known=known).build()

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
    return app, watching
