"""The editor listens at another port if the one that was asked for cannot be had, and says so."""

import socket
from contextlib import closing

import pytest

from outrider.ui.link.server import Server


@pytest.mark.parametrize("asked", [0, 65535])
def test_a_taken_port_is_told_and_another_one_is_used(asked: int) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", asked))
        port = taken.getsockname()[1]
        with closing(Server("127.0.0.1", port)) as server:
            assert server.port not in (0, port)
            assert "in use" in server.refused


def test_nothing_is_told_of_a_port_that_is_free() -> None:
    with closing(Server("127.0.0.1", 0)) as server:
        assert server.refused == ""
