"""The web server, in its own thread: the simulation runs in the main thread."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from outrider.core.errors import ConfigError
from outrider.ui.link.access import AccessGate
from outrider.ui.link.bad_events import tell_briefly

_READY_S = 20.0
_SILENT_S = 20.0


class Server:
    """Serves an app until closed; the port is bound at once, or an error is raised."""

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self._socket, self.refused = _bound(host, port)  # why it is not the port that was asked for
        self.port = int(self._socket.getsockname()[1])
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._ready = threading.Event()

    def start(self, app: FastAPI, token: str, *, required: bool) -> None:
        """Start serving; return when the first page can be fetched."""
        config = uvicorn.Config(
            AccessGate(app, token, required=required),
            log_level="error",
            access_log=False,
            ws_max_size=1 << 20,
            timeout_graceful_shutdown=1,
            http=_Patient,
        )
        self._server = _Quiet(config, self._ready.set)
        self._thread = threading.Thread(
            target=self._server.run, args=([self._socket],), name="editor", daemon=True
        )
        self._thread.start()
        self._ready.wait(_READY_S)

    def close(self) -> None:
        """Disconnect all clients and stop."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(3.0)
        self._socket.close()


class _Patient(AutoHTTPProtocol):  # type: ignore[misc, valid-type, unused-ignore]
    """A connection that is closed if it is idle for a while."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.loop.call_later(_SILENT_S, self._close_if_silent)

    def _close_if_silent(self) -> None:
        serving = self.cycle is not None or self.transport.get_protocol() is not self
        if not serving:
            self.transport.close()


class _Quiet(uvicorn.Server):
    """A server that leaves signals to the simulation and reports when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        tell_briefly(asyncio.get_running_loop())
        await super().startup(sockets)
        self._ready()


def with_tasks(
    *tasks: Callable[[], Coroutine[None, None, None]],
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """Return an app's lifespan that runs tasks while the app is served."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        running = [asyncio.create_task(task()) for task in tasks]
        yield
        for task in running:
            task.cancel()

    return lifespan


def _bound(host: str, port: int) -> tuple[socket.socket, str]:
    """Return a bound socket; if it has another port, why."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    refused: list[str] = []
    for attempt in (*range(port, min(port + 20, 1 << 16)), 0) if port else (0,):
        try:
            listening.bind((host, attempt))
        except OSError as error:
            refused.append(error.strerror or str(error))
            continue
        return listening, refused[0] if refused else ""
    with closing(listening):
        raise ConfigError(f"--host {host}, --port {port}: cannot listen there: {refused[-1]}")
