"""How a running simulation is found: its port, its run file, its end."""

import json
import os
import socket
import threading
import time

import psutil
import pytest
from local_bench import SERVICES
from waiting import until

from outrider.bridges.local.client import connect, connect_newest
from outrider.bridges.local.runs import announce, runs
from outrider.bridges.local.server import LocalServer
from outrider.core.errors import BridgeError

pytestmark = pytest.mark.usefixtures("cache")


def test_it_listens_on_the_loopback_only(server):
    listening = [
        connection.laddr
        for connection in psutil.Process().net_connections("inet")
        if connection.status == psutil.CONN_LISTEN and connection.laddr.port == server.port
    ]
    assert [address.ip for address in listening] == ["127.0.0.1"]


def test_the_run_file_is_for_the_user_only(server, cache):
    path = cache / "runs" / f"{os.getpid()}.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    data = json.loads(path.read_text())
    assert (data["pid"], data["port"], data["scenario"]) == (os.getpid(), server.port, "demo")
    assert len(data["token"]) > 30
    assert abs(data["started"] - time.time()) < 60


def test_closing_removes_the_run_file_and_sends_clients_away(server, cache, ticking):
    client = connect()
    stream = client.messages("/clock", 30.0)
    next(stream)
    start = time.monotonic()
    server.close()
    server.close()
    assert time.monotonic() - start < 30.0
    assert len(list(stream)) < 1000
    with pytest.raises(BridgeError, match="ended the connection"):
        client.call("status")
    assert list((cache / "runs").iterdir()) == []
    with pytest.raises(BridgeError, match="no running simulation found; start one with 'outrider"):
        connect()
    assert not server.lost


def test_threads_end_with_the_server(bus):
    before = threading.active_count()
    server = LocalServer(bus, SERVICES)
    clients = [connect() for _ in range(3)]
    server.close()
    assert until(lambda: threading.active_count() <= before)
    for client in clients:
        client.close()


def test_files_of_dead_runs_are_removed(server, cache):
    dead = cache / "runs" / "999999999.json"
    dead.write_text(
        json.dumps(
            {"pid": 999999999, "port": 1, "token": "", "scenario": "", "started": time.time() + 100}
        )
    )
    (cache / "runs" / "junk.json").write_text("{")
    with connect() as client:
        assert client.run.port == server.port
    assert [path.name for path in (cache / "runs").iterdir()] == [f"{os.getpid()}.json"]


def test_of_several_runs_one_must_be_named(server, cache):
    other = {
        "pid": os.getppid(),
        "port": server.port,
        "token": runs()[0].token,
        "scenario": "other",
        "started": time.time() + 100,
    }
    (cache / "runs" / f"{os.getppid()}.json").write_text(json.dumps(other))
    several = rf"2 simulations are running; choose one with connect\(PID\): {os.getppid()} 'other'"
    with pytest.raises(BridgeError, match=several):
        connect()
    with connect_newest() as newest, connect(os.getpid()) as named:
        assert newest.run.scenario == "other"
        assert named.run.scenario == "demo"
    with pytest.raises(BridgeError, match=f"number 5; running: {os.getppid()}, {os.getpid()}"):
        connect(5)


def test_a_file_whose_port_is_dead_is_passed_over(server, cache):
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    other = {
        "pid": os.getppid(),
        "port": port,
        "token": "x",
        "scenario": "gone",
        "started": time.time() + 100,
    }
    (cache / "runs" / f"{os.getppid()}.json").write_text(json.dumps(other))
    with connect() as client:
        assert client.run.scenario == "demo"


def test_a_folder_that_cannot_be_written_is_named(cache):
    (cache / "runs").write_text("in the way")
    with pytest.raises(BridgeError, match=r"cannot write the run file .*OUTRIDER_CACHE"):
        announce(1, "token", "demo")
