"""The local port with clients that babble, lie or do not read."""

import random
import socket
import threading
from contextlib import ExitStack, suppress

import numpy as np
import pytest
from local_bench import SERVICES, count_of, greeted, raw
from waiting import until

from outrider.bridges.local.client import connect
from outrider.bridges.local.server import LocalServer
from outrider.messages.convert import from_dict

pytestmark = pytest.mark.usefixtures("cache")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"token":"wrong"}\n', "token"),
        (b'{"op":"topics"}\n', "token"),
        (b'{"token":null}\n', "token"),
        (b"", "token"),
        (b"GET / HTTP/1.1\r\n\r\n", "garbage"),
        (b"[" * 3000 + b"\n", "garbage"),
        (b"\xff\xfe\n", "garbage"),
        (b"7\n", "garbage"),
        (b"x" * 5000, "oversized"),
    ],
)
def test_without_the_token_there_is_no_answer(server, line, reason):
    with raw(server) as plain:
        plain.sendall(line)
        plain.shutdown(socket.SHUT_WR)
        with suppress(ConnectionResetError):
            assert plain.recv(100) == b""
    assert until(lambda: server.lost[reason] == 1)


def test_garbage_after_the_token_costs_the_connection(server):
    with greeted(server) as plain:
        plain.sendall(b'{"op":"dance"}\n')
        assert plain.recv(100) == b""
    assert until(lambda: server.lost["garbage"] == 1)


def test_a_line_over_sixteen_megabytes_costs_the_connection(server):
    with greeted(server) as plain:
        try:
            for _ in range(17):
                plain.sendall(b"x" * 1024 * 1024)
        except OSError:
            pass  # cut off while still sending
        assert until(lambda: server.lost["oversized"] == 1)


def test_twenty_garbage_clients_do_not_disturb(server, bus, ticking):
    chance = random.Random(1)

    def babble():
        with raw(server) as plain:
            try:
                plain.sendall(chance.randbytes(chance.randrange(1, 20_000)) + b"\n")
                plain.recv(100)
            except OSError:
                pass

    before = count_of(bus, "/clock")
    with connect() as client:
        stream = client.messages("/clock", 30.0)
        next(stream)
        babblers = [threading.Thread(target=babble) for _ in range(20)]
        for thread in babblers:
            thread.start()
        for thread in babblers:
            thread.join()
        assert until(lambda: sum(server.lost.values()) == 20)
        assert next(stream).time_ns < next(stream).time_ns
        assert client.call("status") == {"paused": False}
    assert until(lambda: count_of(bus, "/clock") > before + 10)


def test_a_client_that_does_not_read_is_cut_off_and_blocks_nobody(bus, ticking):
    picture = from_dict("sensor_msgs/Image", {"data": np.zeros(1_000_000, np.uint8)})
    server, published = LocalServer(bus, SERVICES, send_timeout_s=1.5), [0]

    def cut_off():
        published[0] += 1
        bus.publish("/camera", picture, published[0])
        return server.lost["slow"]

    with greeted(server) as lazy:
        lazy.sendall(b'{"op":"subscribe","id":1,"topic":"/camera"}\n')
        assert until(lambda: bus.topics()[0].subscribers == 1)
        assert until(cut_off)
        assert server.lost["slow"] == 1
    assert published[0] > 20  # who waited for the client could not publish more than it takes
    assert until(lambda: bus.topics()[0].subscribers == 0)
    with connect() as client:
        assert client.call("status") == {"paused": False}
    server.close()


def test_a_slow_reader_skips_messages_instead_of_piling_them_up(bus):
    picture = from_dict("sensor_msgs/Image", {"data": np.zeros(1_000_000, np.uint8)})
    server, stop, newest = LocalServer(bus, SERVICES), threading.Event(), [0]

    def film():
        while not stop.wait(0.002):
            newest[0] += 1
            bus.publish("/camera", picture, newest[0])

    thread = threading.Thread(target=film)
    thread.start()
    with connect() as client:
        stream = client.messages("/camera", 30.0)
        first = next(stream)
        assert until(lambda: newest[0] > first.time_ns + 100)
        waiting = newest[0] - first.time_ns
        late = [next(stream) for _ in range(20)]
        stop.set()
        thread.join()
    server.close()
    assert late[-1].dropped > waiting / 2
    assert late[-1].time_ns - first.time_ns == 20 + late[-1].dropped - first.dropped
    assert not server.lost


def test_strangers_who_say_nothing_do_not_lock_the_user_out(server):
    silent = [raw(server) for _ in range(100)]
    try:
        for _ in range(3):
            with connect() as client:
                assert client.call("status")
    finally:
        for end in silent:
            end.close()


def test_a_system_without_more_threads_costs_the_client_not_the_port(server, monkeypatch):
    start, refused = threading.Thread.start, []

    def starts(thread):
        if thread.name == "outrider-local-client" and not refused:
            refused.append(thread)
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", starts)
    with raw(server) as plain, suppress(ConnectionResetError):
        assert plain.recv(100) == b""
    assert server.lost["crowded"] == 1
    with greeted(server):
        pass


def test_half_open_clients_begin_no_more_threads_than_there_may_be_clients(server):
    most = 0
    with ExitStack() as held:
        for _ in range(300):
            held.enter_context(raw(server)).sendall(b'{"tok')
            names = [thread.name for thread in threading.enumerate()]
            most = max(most, names.count("outrider-local-client"))
        with greeted(server):
            pass
    assert most <= 65
