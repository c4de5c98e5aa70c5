"""Access control: local clients are admitted, others need the token; it also allows code."""

import hmac
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from outrider.bridges.peer_errors import PeerErrors, speaker
from outrider.messages.types import Message

_say = speaker("editor")

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "outrider-token"
KNOWN = "outrider.known"  # key of a request's scope: it came with the token
_REFUSED = b"This simulation asks for a token: open the address that 'outrider run' printed.\n"


class AccessGate:
    """Checks every request before anything else sees it.

    A page of another site cannot use a visitor's browser as its hand: requests that name another
    origin than the one they go to are refused, with or without a token.
    """

    def __init__(self, app: App, token: str = "", *, required: bool = False) -> None:
        """Unless the token is required, every local client is admitted."""
        self._app = app
        self._token = token
        self._required = required
        self._peer_errors = PeerErrors(_say)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {key.lower(): value.decode("latin-1") for key, value in scope["headers"]}
        asked = _same_origin(headers) and self._is_ours(headers)
        scope[KNOWN] = self._knows(scope, headers)
        if not asked or (self._required and not scope[KNOWN]):
            await _refuse(scope, send)
            return
        try:
            await self._app(scope, receive, self._with_cookie(scope, send))
        except Exception as error:  # of the web libraries, on requests that no browser sends
            self._peer_errors.note(type(error).__name__, f"a request failed: {error!r:.200}")
            with suppress(Exception):  # an answer may have begun
                await _refuse(scope, send, 400)

    def _is_ours(self, headers: dict[bytes, str]) -> bool:
        """Without the token, accept only local host names: others may resolve to anything."""
        name = headers.get(b"host", "").rsplit(":", 1)[0]
        return self._required or name in ("127.0.0.1", "localhost", "[::1]")

    def _knows(self, scope: Scope, headers: dict[bytes, str]) -> bool:
        given = self._in_address(scope) or _cookie(headers)
        return bool(self._token) and hmac.compare_digest(given.encode(), self._token.encode())

    def _in_address(self, scope: Scope) -> str:
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        token: str = query.get("token", [""])[0]
        return token

    def _with_cookie(self, scope: Scope, send: Send) -> Send:
        """Set a cookie for a browser that came with the token in its URL."""
        if not scope[KNOWN] or scope["type"] != "http" or not self._in_address(scope):
            return send

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                cookie = f"{COOKIE}={self._token}; Path=/; HttpOnly; SameSite=Strict"
                message["headers"] = [*message["headers"], (b"set-cookie", cookie.encode())]
            await send(message)

        return with_cookie


def new_token() -> str:
    """Return an unguessable token."""
    return secrets.token_urlsafe(24)


def _same_origin(headers: dict[bytes, str]) -> bool:
    origin = headers.get(b"origin", "")
    return not origin or origin.partition("://")[2] == headers.get(b"host", "")


def _cookie(headers: dict[bytes, str]) -> str:
    try:
        found = SimpleCookie(headers.get(b"cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


async def _refuse(scope: Scope, send: Send, status: int = 403) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    kind = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": kind})
    body = _REFUSED if status == 403 else b"This request cannot be answered.\n"
    await send({"type": "http.response.body", "body": body})
