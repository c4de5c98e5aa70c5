"""The server for terminals and scripts: JSON lines on a loopback port."""

import secrets
import socket
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress

from outrider.bridges.local.json_lines import JsonLines
from outrider.bridges.local.runs import announce, withdraw
from outrider.bridges.local.session import LocalSession
from outrider.bridges.policy import OWN_USER, Policy, guarded
from outrider.bus.bus import Bus
from outrider.messages.services.reading import Service

_HOST = "127.0.0.1"
_MAX_CLIENTS = 64
_ACCEPT_S = 0.25


class LocalServer:
    """Listens on 127.0.0.1 in its own threads; a faulty client only loses its connection."""

    def __init__(
        self,
        bus: Bus,
        services: Mapping[str, Service],
        *,
        scenario: str = "",
        now_ns: Callable[[], int] = lambda: 0,
        policy: Policy = OWN_USER,
        send_timeout_s: float = 5.0,
    ) -> None:
        """``now_ns`` stamps what clients publish; services are called from clients' threads."""
        self._bus = bus
        self._services = guarded(services, policy)
        self._now_ns = now_ns
        self._send_timeout_s = send_timeout_s
        self._sessions: dict[LocalSession, threading.Thread] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self.lost: Counter[str] = Counter()  # clients cut off, by reason
        self._listener = socket.create_server((_HOST, 0))
        self._listener.settimeout(_ACCEPT_S)
        self.port: int = self._listener.getsockname()[1]
        self._token = secrets.token_urlsafe(32)
        try:
            self._run = announce(self.port, self._token, scenario)
        except BaseException:
            self._listener.close()
            raise
        self._thread = threading.Thread(target=self._accept, name="outrider-local", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Send all clients away and stop listening."""
        if self._closed.is_set():
            return
        self._closed.set()
        withdraw(self._run)
        with suppress(OSError):  # a last caller wakes the listener at once
            socket.create_connection((_HOST, self.port), timeout=_ACCEPT_S).close()
        self._thread.join()
        with self._lock:
            sessions = dict(self._sessions)
        for session, thread in sessions.items():
            session.close()
            if thread is not threading.current_thread():
                thread.join(timeout=1.0)  # a service may hold it; it is a daemon

    def _accept(self) -> None:
        with self._listener:
            while not self._closed.is_set():
                try:
                    connection, _ = self._listener.accept()
                except TimeoutError:
                    continue
                except OSError:  # out of file handles: others may free some
                    self._closed.wait(_ACCEPT_S)
                    continue
                self._welcome(connection)

    def _welcome(self, connection: socket.socket) -> None:
        if self._closed.is_set():
            connection.close()
            return
        if len(self._sessions) >= _MAX_CLIENTS and not self._make_room():
            self.lost["crowded"] += 1
            connection.close()
            return
        try:
            lines = JsonLines(connection, send_timeout_s=self._send_timeout_s)
        except OSError:
            connection.close()
            return
        session = LocalSession(lines, self._bus, self._services, self._token, self._now_ns)
        thread = threading.Thread(
            target=self._serve, args=(session,), name="outrider-local-client", daemon=True
        )
        with self._lock:
            self._sessions[session] = thread
        try:
            thread.start()
        except RuntimeError:  # the system gives no more threads: others may end
            self.lost["crowded"] += 1
            session.close()
            with self._lock:
                self._sessions.pop(session, None)

    def _make_room(self) -> bool:
        """Close the oldest connection that has not shown the token yet, if there is one."""
        with self._lock:
            strangers = (session for session in self._sessions if not session.greeted)
            oldest = next(strangers, None)
            thread = None if oldest is None else self._sessions.pop(oldest)
        if oldest is not None and thread is not None:
            oldest.close()
            thread.join(timeout=1.0)  # threads may not begin faster than they end
        return oldest is not None

    def _serve(self, session: LocalSession) -> None:
        reason = session.serve()
        with self._lock:
            self._sessions.pop(session, None)
            if reason and not self._closed.is_set():
                self.lost[reason] += 1
