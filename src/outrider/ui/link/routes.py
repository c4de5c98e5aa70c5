"""The HTTP routes of the scene in the browser, and the stream of frames."""

import asyncio
import contextlib
import json

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse
from starlette.datastructures import UploadFile

from outrider.core.errors import OutriderError
from outrider.core.structure import Data
from outrider.ui import uploads
from outrider.ui.driving import Driving
from outrider.ui.editor_state import EditorState
from outrider.ui.link.viewers import Viewer
from outrider.ui.page_parts import PendingParts

_FOR_EVER = {"Cache-Control": "private, max-age=31536000, immutable"}
_MOST_TEXT = 4096
_OVERHEAD = 1 << 20  # bytes of names and borders around files


def add_routes(app: FastAPI, pending: PendingParts) -> None:
    """Serve the scene: its description, its meshes and pictures by key, and the stream."""

    @app.get("/outrider/stage.json")
    async def stage() -> Data:
        editor = (await pending.parts()).editor
        return (await editor.current_stage()).manifest

    @app.get("/outrider/mesh/{key}")
    async def mesh(key: str) -> Response:
        found = (await pending.parts()).editor.stage
        data = None if found is None else await asyncio.to_thread(found.packed, key)
        if data is None:
            return Response(status_code=404)
        return Response(data, media_type="application/octet-stream", headers=_FOR_EVER)

    @app.get("/outrider/picture/{key}")
    async def picture(key: str, small: bool = False) -> Response:
        materials = (await pending.parts()).editor.stages.materials
        found = await asyncio.to_thread(materials.small if small else materials.picture, key)
        if found is None:
            return Response(status_code=404)
        return Response(found.data, media_type=found.mime, headers=_FOR_EVER)

    @app.post("/outrider/bring")
    async def bring(request: Request) -> JSONResponse:
        editor = (await pending.parts()).editor
        if editor.options.read_only:
            return JSONResponse({"error": "this page is read-only"}, status_code=403)
        return JSONResponse(await _brought(request, editor))

    @app.websocket("/outrider/stream")
    async def stream(socket: WebSocket) -> None:
        await socket.accept()
        parts = await pending.parts()
        editor = parts.editor
        viewer = Viewer(may_drive=not editor.options.read_only)
        editor.viewers.join(viewer)
        editor.tell_all(viewer)
        sending = asyncio.create_task(_send(socket, viewer))
        try:
            await _receive(socket, viewer, parts.driving)
        except (WebSocketDisconnect, RuntimeError):
            pass  # it has gone
        finally:
            editor.viewers.leave(viewer)
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await sending


async def _brought(request: Request, editor: EditorState) -> Data:
    """Take dropped files; return a key for the import, or the error."""
    length = request.headers.get("content-length", "")
    if not length.isdecimal() or int(length[:15]) > uploads.MOST_BYTES + _OVERHEAD:
        return {"error": f"at most {uploads.MOST_BYTES / 1e6:.0f} MB are accepted at once"}
    try:
        form = await request.form(max_files=uploads.MOST_FILES, max_fields=0)
        given = [part for part in form.getlist("file") if isinstance(part, UploadFile)]
        files = {part.filename or "": await part.read() for part in given}
        found = await asyncio.to_thread(uploads.examined, files)
    except OutriderError as error:
        return {"error": str(error)}
    except Exception as error:  # whatever a reader of a foreign format throws
        return {"error": f"it could not be read: {error!r:.200}"}
    return {"key": editor.remember(found)}


async def _send(socket: WebSocket, viewer: Viewer) -> None:
    while True:
        await socket.send_bytes(await viewer.next())


async def _receive(socket: WebSocket, viewer: Viewer, driving: Driving) -> None:
    """Handle messages from a browser; malformed ones are ignored."""
    while True:
        text = await socket.receive_text()
        if len(text) > _MOST_TEXT or not viewer.may_drive:
            continue
        with contextlib.suppress(ValueError, TypeError, AttributeError, KeyError):
            said = json.loads(text)
            if said["k"] == "drive":
                driving.hold(str(said["robot"]), float(said["x"]), float(said["y"]))
