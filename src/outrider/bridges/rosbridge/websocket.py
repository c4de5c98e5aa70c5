"""Clients on WebSockets."""

import asyncio
import logging
import socket
from collections.abc import Callable
from http import HTTPStatus

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.protocol import State

from outrider.bridges.rosbridge.authentication import Authentication
from outrider.bridges.rosbridge.encoding.frames import Chunk, Outgoing
from outrider.bridges.rosbridge.session import ClientSession

_AT_ONCE = 20  # messages of one client before others, and the simulation, have their turn
_REST_S = 0.0005
_OPEN_S, _CLOSE_S = 5.0, 1.0
_FAULTS = {1002: "bad frame", 1007: "invalid UTF-8", 1009: "oversized message"}
_quiet = logging.getLogger("outrider.rosbridge")  # what is worth telling is told by us
_quiet.addHandler(logging.NullHandler())
_quiet.propagate = False


class WebSocketPeer:
    """A WebSocket. Data frames are precomputed; everything else is left to the library."""

    binary = True

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        host, port, *_ = connection.remote_address
        self.name = f"{host}:{port}"
        self._ending: asyncio.Task[None] | None = None
        end = connection.transport.get_extra_info("socket")
        end.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)  # who vanished is found out
        self._closing_s: float | None = None  # since when the library wants it closed

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Hand bytes to the socket; nothing once it is closing."""
        if self._ending is None and self._connection.state is State.OPEN:
            self._connection.transport.write(data)

    def chunks(self, message: Outgoing) -> tuple[Chunk, ...]:
        """Return a message with the heads of its frames."""
        return message.framed

    def unsent(self) -> int:
        """Return how many bytes the socket has not taken yet."""
        return self._connection.transport.get_write_buffer_size()

    def end(self, code: int, reason: str) -> None:
        """Close; who does not read is cut off at once."""
        if self.unsent():
            self._connection.transport.abort()
        elif self._ending is None:
            self._ending = asyncio.ensure_future(self._connection.close(code, reason[:120]))

    def finish(self, now_s: float) -> None:
        """Cut off a peer that broke the protocol, was told so, and stays."""
        if self._connection.state is State.OPEN:
            return
        if self._closing_s is None:
            self._closing_s = now_s
        elif now_s - self._closing_s > _CLOSE_S:
            self._connection.transport.abort()


class WebSocketListener:
    """Listens, checks origin and token, and serves each client until it disconnects."""

    def __init__(
        self,
        gate: Authentication,
        welcome: Callable[[WebSocketPeer, bool], ClientSession | None],
        leave: Callable[[ClientSession], None],
        refused: Callable[[str, str], None],
    ) -> None:
        self._gate, self._welcome, self._leave = gate, welcome, leave
        self._refused = refused
        self._server: Server | None = None

    async def open(self, host: str, port: int, most: int) -> int:
        """Listen; return the port."""
        self._server = await serve(
            self._serve,
            host,
            port,
            process_request=self._look,
            max_size=most,
            compression=None,
            ping_interval=None,
            open_timeout=_OPEN_S,
            close_timeout=_CLOSE_S,
            logger=_quiet,
            server_header=None,
        )
        found: int = next(iter(self._server.sockets)).getsockname()[1]
        return found

    async def close(self) -> None:
        """Send all clients away and stop listening."""
        if self._server is not None:
            self._server.close()
            await asyncio.wait(
                [asyncio.ensure_future(self._server.wait_closed())], timeout=2 * _CLOSE_S
            )

    def _look(self, connection: ServerConnection, request: Request) -> Response | None:
        origins = request.headers.get_all("Origin")
        origin = origins[0] if len(origins) == 1 else ("?" if origins else None)
        if not self._gate.knows_origin(origin):
            self._refused("wrong origin", f"a page of {origin!r:.80} may not connect")
            return connection.respond(HTTPStatus.FORBIDDEN, "this origin may not connect\n")
        token = self._token(request)
        if self._gate.asks and token is not None and not self._gate.opens_with(token):
            self._refused("wrong token", "a client came with a wrong token")
            return connection.respond(HTTPStatus.UNAUTHORIZED, "wrong token\n")
        return None

    def _token(self, request: Request) -> str | None:
        return self._gate.token_in(request.path, request.headers.get("Authorization"))

    async def _serve(self, connection: ServerConnection) -> None:
        assert connection.request is not None
        known = not self._gate.asks or self._token(connection.request) is not None
        session = self._welcome(WebSocketPeer(connection), known)
        if session is None:
            await connection.wait_closed()
            return
        count = 0
        try:
            async for message in connection:
                session.receive(message)
                count += 1
                if count % _AT_ONCE == 0:
                    await asyncio.sleep(_REST_S)
        except ConnectionClosed:
            self._explain(session, connection)
        finally:
            session.closed = True
            self._leave(session)

    def _explain(self, session: ClientSession, connection: ServerConnection) -> None:
        """Count what the library closed a connection for."""
        code = connection.protocol.close_sent.code if connection.protocol.close_sent else 0
        kind = _FAULTS.get(code)
        if kind and not session.closed:
            self._refused(kind, f"{session.peer.name} is refused: {kind}")
