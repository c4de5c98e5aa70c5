"""Checks where a WebSocket's handshake comes from: Foxglove's library asks nobody."""

import hmac
import re
import secrets
import socket
import sys
import threading
import time
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

from outrider.bridges.origins import is_known_origin
from outrider.bridges.peer_errors import PeerErrors

# the app in a browser and on the desktop; other programs name no origin
_APPS = ("https://app.foxglove.dev", "https://studio.foxglove.dev", "file://")
_LONGEST = 16384  # bytes of a handshake
_HANDSHAKE_S = 10.0
_MOST_CLIENTS = 64
_MOST_GREETING = 128  # connections without a whole handshake
_AGAIN_S = 0.25
_CHUNK = 262_144
_REFUSED = b"HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_BEARER = re.compile(rb"\r\nauthorization:[ \t]*bearer[ \t]+([^\r\n]*)", re.IGNORECASE)
_ORIGIN = re.compile(rb"\r\norigin:[ \t]*([^\r\n]*)", re.IGNORECASE)


def hidden_host() -> str:
    """Return an address of this computer that a web page cannot guess, where there are several."""
    if sys.platform == "darwin":  # only 127.0.0.1 answers there
        return "127.0.0.1"
    return "127." + ".".join(str(1 + secrets.randbelow(254)) for _ in range(3))


class OriginCheck:
    """Listens in the server's place and passes on the connections of those who may come."""

    def __init__(
        self, host: str, port: int, origins: tuple[str, ...], token: str, faults: PeerErrors
    ) -> None:
        """Let in whoever brings the token; an empty one is not asked for."""
        self._token = token.encode()
        self._listener = socket.create_server((host, port), family=_family(host))
        self.port = int(self._listener.getsockname()[1])
        self._origins, self._faults = origins, faults
        self._server = ("", 0)
        self._open: set[socket.socket] = set()
        # no whole handshake yet; the oldest first
        self._greeting: dict[socket.socket, threading.Thread] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()

    def start(self, host: str, port: int) -> None:
        """Begin to let clients in to the server that listens there."""
        self._server = (host, port)
        threading.Thread(target=self._accept, name="outrider-foxglove-gate", daemon=True).start()

    def close(self) -> None:
        """Send all away."""
        self._closed.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            for end in (*self._open, *self._greeting):
                _end(end)

    def knows(self, origin: str) -> bool:
        """Return whether a page of this origin may connect."""
        return is_known_origin(origin, (*_APPS, *self._origins))

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:  # out of file handles, say: others may free some
                self._closed.wait(_AGAIN_S)
                continue
            if len(self._open) >= 2 * _MOST_CLIENTS:
                self._faults.note("too_many", f"more than {_MOST_CLIENTS} clients at once")
                client.close()
                continue
            thread = threading.Thread(target=self._serve, args=(client,), daemon=True)
            self._let_wait(client, thread)
            try:
                thread.start()
            except RuntimeError:  # the system gives no more threads: others may end
                self._faults.note("too_many", "there are no more threads for clients")
                with self._lock:
                    self._greeting.pop(client, None)
                client.close()

    def _let_wait(self, client: socket.socket, thread: threading.Thread) -> None:
        """Let one greet; where too many do, the oldest is closed."""
        with self._lock:
            crowded = len(self._greeting) >= _MOST_GREETING
            oldest = next(iter(self._greeting)) if crowded else None
            served = None if oldest is None else self._greeting.pop(oldest)
            if oldest is not None:
                _end(oldest)
            self._greeting[client] = thread
        if served is not None:
            served.join(timeout=1.0)  # threads may not begin faster than they end

    def _serve(self, client: socket.socket) -> None:
        with client, suppress(OSError, RuntimeError):  # or there are no more threads
            try:
                begun = self._handshake(client)
            finally:
                with self._lock:
                    self._greeting.pop(client, None)
            if begun is None:
                return
            with socket.create_connection(self._server, timeout=_HANDSHAKE_S) as server:
                self._join(client, server, begun)

    def _handshake(self, client: socket.socket) -> bytes | None:
        """Return what a client has sent so far; None if it may not go on."""
        end_s = time.monotonic() + _HANDSHAKE_S
        begun = b""
        while b"\r\n\r\n" not in begun:
            client.settimeout(max(end_s - time.monotonic(), 0.001))
            chunk = client.recv(_LONGEST)
            begun += chunk
            if not chunk or len(begun) > _LONGEST:
                self._faults.note("handshake", "a connection that never became a handshake")
                return None
        for found in _ORIGIN.findall(begun.partition(b"\r\n\r\n")[0]):
            origin = found.decode("latin-1").strip()
            if not self.knows(origin):
                self._faults.note("origin", f"a web page of {origin!r:.100} may not connect")
                client.sendall(_REFUSED)
                return None
        if not self._has_token(begun):
            self._faults.note("token", "a client without the token may not connect")
            client.sendall(_REFUSED)
            return None
        return begun

    def _has_token(self, begun: bytes) -> bool:
        """Return whether a handshake has the token: in its address, or as a bearer's."""
        if not self._token:
            return True
        address = begun.split(b"\r\n", 1)[0].split(b" ")[1:2]
        query = parse_qs(urlsplit(address[0]).query) if address else {}
        given = [*query.get(b"token", []), *_BEARER.findall(begun)]
        return any(hmac.compare_digest(word.strip(), self._token) for word in given)

    def _join(self, client: socket.socket, server: socket.socket, begun: bytes) -> None:
        """Pass bytes on, both ways, until either end has enough."""
        ends = {client, server}
        with self._lock:
            self._open |= ends
        try:
            for end in ends:
                end.settimeout(None)
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            server.sendall(begun)
            back = threading.Thread(target=_pass_on, args=(server, client), daemon=True)
            back.start()
            _pass_on(client, server)
            back.join()
        finally:
            with self._lock:
                self._open -= ends


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    buffer = bytearray(_CHUNK)
    view = memoryview(buffer)
    with suppress(OSError):
        while count := source.recv_into(buffer):
            sink.sendall(view[:count])
    for end in (source, sink):
        _end(end)


def _end(end: socket.socket) -> None:
    """Wake whoever waits for a socket: it is over."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
