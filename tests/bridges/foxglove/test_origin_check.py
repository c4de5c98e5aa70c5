"""Web pages of others may not connect to Foxglove's server; its apps and programs may."""

import socket
import threading
from contextlib import ExitStack, suppress

import pytest
from waiting import wait_until
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from outrider.bridges.bridge import Outside, make_bridge
from outrider.bus.bus import Bus

pytest.importorskip("foxglove", reason="the extra 'foxglove' is not installed")


@pytest.fixture
def bridge():
    services = {"status": lambda _: {"speed": 1.0, "paused": False}}
    bridge = make_bridge("foxglove:port=0", Outside(Bus(), services, lambda: 0, list, "test"))
    bridge.start()
    yield bridge
    bridge.close()


def opened(bridge, origin):
    return connect(
        f"ws://127.0.0.1:{bridge.port}",
        origin=origin,
        subprotocols=["foxglove.sdk.v1"],
        open_timeout=30,
    )


@pytest.mark.parametrize(
    "origin", [None, "https://app.foxglove.dev", "http://localhost:8080", "file://"]
)
def test_foxglove_and_programs_come_in(bridge, origin):
    with opened(bridge, origin) as client:
        assert "serverInfo" in client.recv(timeout=30)


@pytest.mark.parametrize("origin", ["http://evil.example", "https://app.foxglove.dev.evil.example"])
def test_pages_of_others_are_refused_and_counted(bridge, origin):
    with pytest.raises(InvalidStatus) as refusal, opened(bridge, origin):
        pass
    assert refusal.value.response.status_code == 403
    assert bridge.counts()["origin"] == 1


def test_the_user_may_name_another_page():
    bridge = make_bridge(
        "foxglove:port=0,origin=http://mine.example", Outside(Bus(), {}, lambda: 0, list, "test")
    )
    bridge.start()
    try:
        with opened(bridge, "http://mine.example") as client:
            assert "serverInfo" in client.recv(timeout=30)
    finally:
        bridge.close()


def test_a_handshake_without_end_is_given_up(bridge):
    with socket.create_connection(("127.0.0.1", bridge.port), timeout=30) as end:
        end.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 20_000)
        with suppress(ConnectionResetError):
            assert end.recv(10) == b""
    with opened(bridge, None) as client:
        assert "serverInfo" in client.recv(timeout=30)


@pytest.fixture
def guarded():
    """A bridge that asks for a token on a loopback address that is not called local."""
    made = make_bridge(
        "foxglove:port=0,host=127.0.0.2", Outside(Bus(), {}, lambda: 0, list, "test")
    )
    made.start()
    yield made
    made.close()


def with_path(bridge, path, **more):
    return connect(f"ws://127.0.0.2:{bridge.port}{path}", subprotocols=["foxglove.sdk.v1"], **more)


def test_beyond_this_machine_nobody_comes_in_without_the_token(guarded):
    for path in ("/", "/?token=guessed", "/?token="):
        with pytest.raises(InvalidStatus) as refusal, with_path(guarded, path):
            pass
        assert refusal.value.response.status_code == 403
    assert guarded.counts()["token"] == 3


def test_the_token_opens_in_the_address_and_as_a_bearers(guarded):
    assert len(guarded.token) > 16
    bearer = {"Authorization": f"Bearer {guarded.token}"}
    for path, headers in ((f"/?token={guarded.token}", {}), ("/", bearer)):
        with with_path(guarded, path, additional_headers=headers) as client:
            assert "serverInfo" in client.recv(timeout=30)


def test_many_half_open_connections_take_nobodys_place(bridge):
    with ExitStack() as opening:
        for _ in range(300):
            end = socket.create_connection(("127.0.0.1", bridge.port), timeout=30)
            opening.enter_context(end).sendall(b"G")
        gate = bridge._origin_check
        wait_until(lambda: 0 < len(gate._greeting) <= 128, "the oldest to be closed")
        with opened(bridge, None) as client:
            assert "serverInfo" in client.recv(timeout=30)


def test_a_listener_that_once_cannot_accept_goes_on(bridge):
    gate = bridge._origin_check
    real, gate._listener = gate._listener, _Failing(gate._listener)
    socket.create_connection(("127.0.0.1", bridge.port), timeout=30).close()
    wait_until(lambda: gate._listener.failed, "a failure")
    with opened(bridge, None) as client:
        assert "serverInfo" in client.recv(timeout=30)
    gate._listener = real


class _Failing:
    """A socket whose first accept finds no file handle left."""

    def __init__(self, real):
        self.real, self.failed = real, False

    def accept(self):
        if not self.failed:
            self.failed = True
            raise OSError(24, "Too many open files")
        return self.real.accept()


def test_a_system_without_more_threads_costs_the_client_not_the_port(bridge, monkeypatch):
    start, refused = threading.Thread.start, []

    def starts(thread):
        if getattr(thread, "_target", None) == bridge._origin_check._serve and not refused:
            refused.append(thread)
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", starts)
    there = ("127.0.0.1", bridge.port)
    with socket.create_connection(there, timeout=30) as plain, suppress(ConnectionResetError):
        assert plain.recv(100) == b""
    assert bridge.counts()["too_many"] == 1
    with opened(bridge, None) as client:
        assert "serverInfo" in client.recv(timeout=30)
