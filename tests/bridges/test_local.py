import json
import os
import random
import socket
import threading
import time
from contextlib import suppress

import numpy as np
import psutil
import pytest

from outrider.bridges.local import LocalServer
from outrider.bridges.local_client import connect
from outrider.bridges.local_runs import announce, runs
from outrider.bus.bus import Bus
from outrider.core.errors import BridgeError, ConfigError
from outrider.messages.convert import from_dict
from outrider.messages.types import Clock
from outrider.messages.types import time as stamp


def fail(_: dict) -> dict:
    raise ConfigError("the scenario has no end")


def crash(_: dict) -> dict:
    raise ZeroDivisionError("oh")


SERVICES = {
    "status": lambda _: {"paused": False},
    "set_speed": lambda args: {"speed": args["speed"]},
    "fail": fail,
    "crash": crash,
    "odd": lambda _: {"thing": object()},
}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    return tmp_path


@pytest.fixture
def bus():
    made = Bus()
    made.declare("/clock", "rosgraph_msgs/msg/Clock")
    made.declare("/cmd_vel", "geometry_msgs/msg/Twist", direction="in")
    made.declare("/camera", "sensor_msgs/msg/Image")
    return made


@pytest.fixture
def server(bus):
    made = LocalServer(bus, SERVICES, scenario="demo", now_ns=lambda: 77, send_timeout_s=0.3)
    yield made
    made.close()


@pytest.fixture
def ticking(bus):
    """Publish simulated time like a loop does, and record the longest publish."""
    stop, longest = threading.Event(), [0.0]

    def loop():
        time_ns = 0
        while not stop.is_set():
            time_ns += 2_500_000
            start = time.perf_counter()
            bus.publish("/clock", Clock(stamp(time_ns)), time_ns)
            longest[0] = max(longest[0], time.perf_counter() - start)
            stop.wait(0.001)

    thread = threading.Thread(target=loop)
    thread.start()
    yield longest
    stop.set()
    thread.join()


def until(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def count_of(bus, name):
    return next(topic.count for topic in bus.topics() if topic.name == name)


def raw(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=5)


def greeted(server):
    plain = raw(server)
    plain.sendall(json.dumps({"token": runs()[0].token}).encode() + b"\n")
    assert b"hello" in plain.recv(100)
    return plain


def test_topics_and_services_are_listed(server):
    with connect() as client:
        listed = {topic["name"]: topic for topic in client.topics()}
        assert client.services() == sorted(SERVICES)
    assert list(listed) == ["/camera", "/clock", "/cmd_vel"]
    assert listed["/cmd_vel"]["direction"] == "in"
    assert listed["/clock"]["type"] == "rosgraph_msgs/msg/Clock"


def test_messages_arrive_with_their_simulated_time(server, ticking):
    with connect() as client:
        samples = [s for s, _ in zip(client.messages("clock", 5.0), range(20), strict=False)]
    times = [sample.time_ns for sample in samples]
    assert times == sorted(set(times))
    for sample in samples:
        told = sample.message["clock"]
        assert told["sec"] * 10**9 + told["nanosec"] == sample.time_ns


def test_every_message_arrives_when_all_are_asked_for(server, ticking):
    with connect() as client:
        stream = client.messages("/clock", 5.0, kept="all", content=False)
        samples = [next(stream) for _ in range(50)]
    steps = np.diff([sample.time_ns for sample in samples])
    assert samples[-1].dropped == 0
    assert set(steps) == {2_500_000}
    assert samples[0].message == {}


def test_a_call_between_messages_loses_neither(server, ticking):
    with connect() as client:
        stream = client.messages("/clock", 5.0)
        first = next(stream)
        assert client.call("set_speed", speed=2.5) == {"speed": 2.5}
        assert next(stream).time_ns > first.time_ns


def test_a_quiet_topic_ends_after_its_time(server):
    with connect() as client:
        start = time.monotonic()
        assert list(client.messages("/camera", 0.1)) == []
        assert 0.08 < time.monotonic() - start < 2.0


def test_leaving_the_iteration_ends_the_subscription(server, bus, ticking):
    with connect() as client:
        stream = client.messages("/clock", 5.0)
        next(stream)
        assert bus.topics()[1].subscribers == 1
        stream.close()
        assert bus.topics()[1].subscribers == 0
        list(client.messages("/camera", 0.05))
    assert until(lambda: not any(topic.subscribers for topic in bus.topics()))


def test_a_published_command_reaches_the_bus(server, bus):
    commands = bus.subscribe("/cmd_vel")
    with connect() as client:
        client.publish("cmd_vel", {"linear": {"x": 0.5}}, "geometry_msgs/Twist")
    time_ns, twist = commands.poll()
    assert time_ns == 77
    assert (twist.linear.x, twist.angular.z) == (0.5, 0.0)


@pytest.mark.parametrize(
    ("topic", "message", "kind", "said"),
    [
        ("/cmd_vl", {}, None, "no topic '/cmd_vl'.*'/cmd_vel'"),
        ("/cmd_vel", {"linear": {"x": "fast"}}, None, "linear.x: expected a number"),
        ("/cmd_vel", {}, "std_msgs/String", "carries geometry_msgs/msg/Twist, not std_msgs/String"),
        ("/clock", {}, None, "published by the simulation"),
    ],
)
def test_a_bad_publication_is_told_and_the_client_stays(server, topic, message, kind, said):
    with connect() as client:
        with pytest.raises(BridgeError, match=said):
            client.publish(topic, message, kind)
        assert client.call("status") == {"paused": False}
    assert not server.lost


@pytest.mark.parametrize(
    ("service", "said"),
    [
        ("statsu", "no service 'statsu'.*'status'"),
        ("fail", "the scenario has no end"),
        ("crash", "service 'crash' failed: ZeroDivisionError oh"),
        ("set_speed", "service 'set_speed' failed: KeyError 'speed'"),
        ("odd", "not JSON"),
    ],
)
def test_a_failing_service_is_told_and_the_client_stays(server, service, said):
    with connect() as client:
        with pytest.raises(BridgeError, match=said):
            client.call(service)
        assert client.call("status") == {"paused": False}


def test_an_unknown_topic_is_refused_with_a_near_match(server):
    with connect() as client, pytest.raises(BridgeError, match="did you mean '/clock'"):
        client.messages("/clok")


def test_a_renamed_topic_goes_on(server, bus, ticking):
    with connect() as client:
        stream = client.messages("/clock", 5.0)
        next(stream)
        bus.remap("/clock", "/sim/clock")
        assert next(stream).time_ns < next(stream).time_ns
        assert "/sim/clock" in [topic["name"] for topic in client.topics()]


def test_images_travel_as_base64_or_as_their_size(server, bus):
    with connect() as client:
        whole, short = client.messages("/camera", 5.0), None
        bus.publish("/camera", from_dict("sensor_msgs/Image", {"data": [1, 2, 3] * 100}), 1)
        sent = next(whole).message["data"]
        assert np.array_equal(
            from_dict("sensor_msgs/Image", {"data": sent}).data, np.tile([1, 2, 3], 100)
        )
        whole.close()
        short = client.messages("/camera", 5.0, longest=64)
        bus.publish("/camera", from_dict("sensor_msgs/Image", {"data": [1, 2, 3] * 100}), 2)
        assert next(short).message["data"] == "<300 bytes>"


def test_a_message_a_publisher_filled_wrongly_is_told(server, bus):
    with connect() as client:
        stream = client.messages("/clock", 5.0)
        bus.publish("/clock", Clock(None), 1)
        with pytest.raises(BridgeError, match="'/clock' cannot be told"):
            next(stream)


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
        stream = client.messages("/clock", 5.0)
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


def test_a_client_that_does_not_read_is_cut_off_and_blocks_nobody(server, bus, ticking):
    picture = from_dict("sensor_msgs/Image", {"data": np.zeros(1_000_000, np.uint8)})
    with greeted(server) as lazy:
        lazy.sendall(b'{"op":"subscribe","id":1,"topic":"/camera"}\n')
        assert until(lambda: bus.topics()[0].subscribers == 1)
        end, time_ns, slowest = time.monotonic() + 10, 0, 0.0
        while not server.lost["slow"] and time.monotonic() < end:
            time_ns += 1
            start = time.perf_counter()
            bus.publish("/camera", picture, time_ns)
            slowest = max(slowest, time.perf_counter() - start)
            time.sleep(0.005)
        assert server.lost["slow"] == 1
    assert slowest < 0.2  # a wait for the client would be its time-out of 0.3 s
    assert bus.topics()[0].subscribers == 0
    with connect() as client:
        assert client.call("status") == {"paused": False}


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
        stream = client.messages("/camera", 5.0)
        first = next(stream)
        time.sleep(0.5)
        waiting = newest[0] - first.time_ns
        late = [next(stream) for _ in range(20)]
        stop.set()
        thread.join()
    server.close()
    assert waiting > 50
    assert late[-1].dropped > waiting / 2
    assert late[-1].time_ns - first.time_ns == 20 + late[-1].dropped - first.dropped
    assert not server.lost


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
    stream = client.messages("/clock", 5.0)
    next(stream)
    start = time.monotonic()
    server.close()
    server.close()
    assert time.monotonic() - start < 2.0
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
    dead.write_text(json.dumps({"pid": 999999999, "port": 1, "token": "", "scenario": "",
                                "started": time.time() + 100}))  # fmt: skip
    (cache / "runs" / "junk.json").write_text("{")
    with connect() as client:
        assert client.run.port == server.port
    assert [path.name for path in (cache / "runs").iterdir()] == [f"{os.getpid()}.json"]


def test_the_newest_run_is_taken_unless_a_process_is_named(server, cache):
    other = {"pid": os.getppid(), "port": server.port, "token": runs()[0].token,
             "scenario": "other", "started": time.time() + 100}  # fmt: skip
    (cache / "runs" / f"{os.getppid()}.json").write_text(json.dumps(other))
    with connect() as newest, connect(os.getpid()) as named:
        assert newest.run.scenario == "other"
        assert named.run.scenario == "demo"
    with pytest.raises(BridgeError, match=f"number 5; running: {os.getppid()}, {os.getpid()}"):
        connect(5)


def test_a_file_whose_port_is_dead_is_passed_over(server, cache):
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    other = {"pid": os.getppid(), "port": port, "token": "x", "scenario": "gone",
             "started": time.time() + 100}  # fmt: skip
    (cache / "runs" / f"{os.getppid()}.json").write_text(json.dumps(other))
    with connect() as client:
        assert client.run.scenario == "demo"


def test_a_folder_that_cannot_be_written_is_named(cache):
    (cache / "runs").write_text("in the way")
    with pytest.raises(BridgeError, match=r"cannot write the run file .*OUTRIDER_CACHE"):
        announce(1, "token", "demo")
