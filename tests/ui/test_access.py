"""Who may come in."""

import asyncio
from typing import Any

import pytest

from outrider.ui.link.access import COOKIE, KNOWN, AccessGate


def answer(gate: AccessGate, query: str = "", **headers: str) -> tuple[int, dict[bytes, bytes]]:
    """Return the status and headers that a request gets."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    names = {"host": "127.0.0.1:8130", **headers}
    scope = {
        "type": "http",
        "query_string": query.encode(),
        "headers": [(k.encode(), v.encode()) for k, v in names.items()],
    }
    asyncio.run(gate(scope, receive, send))
    return sent[0]["status"], dict(sent[0]["headers"])


async def page(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})


def test_without_a_token_this_computer_may_come_in() -> None:
    assert answer(AccessGate(page))[0] == 200
    assert answer(AccessGate(page), origin="http://127.0.0.1:8130")[0] == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:9999", "null"])
def test_a_page_of_another_site_may_not(origin: str) -> None:
    assert answer(AccessGate(page), origin=origin)[0] == 403
    assert (
        answer(AccessGate(page, "secret", required=True), "token=secret", origin=origin)[0] == 403
    )


def test_a_name_that_was_made_to_lead_here_may_not() -> None:
    assert (
        answer(AccessGate(page), host="evil.example:8130", origin="http://evil.example:8130")[0]
        == 403
    )


def test_a_token_opens_the_door_and_is_kept_as_a_cookie() -> None:
    gate = AccessGate(page, "secret", required=True)
    assert answer(gate, host="robot.local:8130")[0] == 403
    assert answer(gate, "token=secreT", host="robot.local:8130")[0] == 403
    status, headers = answer(gate, "token=secret", host="robot.local:8130")
    assert status == 200
    cookie = headers[b"set-cookie"].decode()
    assert cookie.startswith(f"{COOKIE}=secret;")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert answer(gate, host="robot.local:8130", cookie=f"{COOKIE}=secret")[0] == 200


def test_a_request_that_the_web_libraries_choke_on_ends_alone(capsys) -> None:
    async def choking(scope: Any, receive: Any, send: Any) -> None:
        raise KeyError("REQUEST_METHOD")

    gate = AccessGate(choking)
    assert [answer(gate)[0] for _ in range(3)] == [400, 400, 400]
    assert capsys.readouterr().err.count("a request failed: KeyError") == 1


def test_a_cookie_that_is_none_is_no_token() -> None:
    assert (
        answer(AccessGate(page, "secret", required=True), cookie="a\x01b=c; =;; outrider-token")[0]
        == 403
    )


@pytest.mark.parametrize(
    ("query", "known"), [("token=secret", True), ("token=no", False), ("", False)]
)
def test_this_computer_may_come_in_without_the_token_but_is_not_known(
    query: str, known: bool
) -> None:
    seen: list[bool] = []

    async def looking(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope[KNOWN])
        await page(scope, receive, send)

    status, headers = answer(AccessGate(looking, "secret"), query)
    assert status == 200
    assert seen == [known]
    assert (b"set-cookie" in headers) == known  # a guess is not answered with the token
