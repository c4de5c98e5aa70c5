"""Peers that break off, talk nonsense or do not listen: counted, told once, and time goes on."""

import itertools
import math
import socket
import struct
import xmlrpc.client
from http.client import HTTPConnection
from urllib.parse import urlsplit

import numpy as np
import pytest
from ros1_bench import Running, running
from waiting import PATIENCE_S, wait_until

from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.ros1 import connection as ros1_connection
from outrider.bridges.ros1.header import decode_header, encode_header
from outrider.bridges.ros1.master import Master
from outrider.bridges.ros1.node import Ros1Node
from outrider.bridges.ros1.xmlrpc import call
from outrider.core.errors import BridgeError
from outrider.messages.convert import from_dict
from outrider.messages.ros1.types import new, ros1_type, serialize
from outrider.scenarios.scenario import Scenario

TWIST = "geometry_msgs/msg/Twist"


@pytest.fixture(scope="module")
def sim():
    with running() as found:
        yield found


def _place(sim, topic):
    code, _, place = call(sim.bridge.node.uri, "requestTopic", "/test", topic, [["TCPROS"]])
    assert code == 1
    return place[1], place[2]


def _listener(sim, topic, **fields):
    """Return a socket that has sent a subscriber's header."""
    end = socket.create_connection(_place(sim, topic), timeout=PATIENCE_S)
    header = {"callerid": "/test", "topic": topic, "md5sum": "*", "type": "*", **fields}
    end.sendall(encode_header(header))
    return end


def _frame(end):
    (size,) = struct.unpack("<I", _exactly(end, 4))
    return _exactly(end, size)


def _exactly(end, count):
    data = b""
    while len(data) < count:
        part = end.recv(count - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def _counted(sim, kind, before):
    wait_until(lambda: sim.bridge.counts().get(kind, 0) > before, kind, 5.0)
    assert sim.goes_on()


def _count(sim, kind):
    return sim.bridge.counts().get(kind, 0)


def test_a_well_behaved_subscriber_gets_header_and_messages(sim):
    with _listener(sim, "/joint_states") as end:
        header = decode_header(_frame(end))
        assert header["md5sum"] == ros1_type("sensor_msgs/JointState").md5sum
        assert "string[] name" in header["message_definition"]
        counts = [struct.unpack_from("<I", _frame(end))[0] for _ in range(3)]
    assert [b - a for a, b in itertools.pairwise(counts)] == [1, 1]  # header.seq


def test_half_a_header_is_counted(sim):
    before = _count(sim, "half a header")
    with socket.create_connection(_place(sim, "/clock")) as end:
        end.sendall(b"\x40\x00")
    _counted(sim, "half a header", before)


def test_a_peer_that_never_says_who_it_is_is_cut_off(sim, monkeypatch):
    monkeypatch.setattr(ros1_connection, "_GREETING_S", 0.3)
    before = _count(sim, "half a header")
    with socket.create_connection(_place(sim, "/clock")) as end:
        end.settimeout(PATIENCE_S)
        assert end.recv(1) == b""
    _counted(sim, "half a header", before)


def test_a_length_of_a_gigabyte_ends_the_connection(sim):
    before = _count(sim, "oversized")
    with socket.create_connection(_place(sim, "/clock")) as end:
        end.sendall(struct.pack("<I", 2**30))
        end.settimeout(PATIENCE_S)
        assert end.recv(1) == b""
    _counted(sim, "oversized", before)


def test_a_wrong_checksum_gets_an_answer_that_says_so(sim):
    before = _count(sim, "wrong md5sum")
    with _listener(sim, "/clock", md5sum="0" * 32, type="std_msgs/String") as end:
        assert "md5sum" in decode_header(_frame(end))["error"]
    _counted(sim, "wrong md5sum", before)


def test_noise_on_all_ports_hurts_nobody(sim):
    rng = np.random.default_rng(1)
    port = urlsplit(sim.bridge.node.uri).port
    for place in (_place(sim, "/clock"), ("127.0.0.1", port), ("127.0.0.1", _master_port(sim))):
        for size in (1, 40, 3000):
            with socket.create_connection(place, timeout=PATIENCE_S) as end:
                end.sendall(rng.bytes(size))
    assert sim.goes_on()
    assert call(sim.bridge.node.uri, "getPid", "/test")[0] == 1


def _master_port(sim):
    return urlsplit(sim.uri).port


def test_calls_with_wrong_arguments_are_answered(sim):
    assert call(sim.bridge.node.uri, "requestTopic", "/test")[0] == -1
    assert call(sim.bridge.node.uri, "noSuchThing", "/test")[0] == -1
    assert call(sim.uri, "registerPublisher", "/test")[0] == -1
    assert call(sim.bridge.node.uri, "requestTopic", "/test", "/nowhere", [["TCPROS"]])[0] == -1


def test_wrong_arguments_are_answered_in_words_not_in_python(sim):
    said = call(sim.uri, "registerPublisher", *["/test"] * 25)[1]
    assert said == "registerPublisher: takes other arguments than these 25"
    said = call(sim.uri, "registerPublisher", "/test", {"a": 1}, [2], 3)[1]
    assert said == "registerPublisher: an argument is of a type that it does not take"


@pytest.mark.parametrize(
    "body",
    [
        "<methodCall><params><value><array/></value></params></methodCall>",
        "<methodCall><methodName>getPid</methodName><params><data></data></params></methodCall>",
        "<methodCall>",
        "no XML at all",
    ],
)
def test_what_is_no_call_is_answered_in_words_not_in_python(sim, body):
    status, text = _post(sim, body)
    assert status == 200
    assert "fault" not in text
    assert "Error" not in text


def test_two_hundred_connections_at_once_are_served(sim):
    ends = [_listener(sim, "/clock") for _ in range(200)]
    try:
        assert sim.goes_on()
        for end in ends:
            assert decode_header(_frame(end))["topic"] == "/clock"
            assert len(_frame(end)) == 8
    finally:
        for end in ends:
            end.close()
    wait_until(lambda: not sim.bridge.node.publications["/clock"].connections, "their leaving")


def test_a_subscriber_that_does_not_read_loses_messages_and_others_do_not(sim):
    kind = "std_msgs/msg/UInt8MultiArray"
    channel = sim.run.session.bus.declare("/big", kind)
    wait_until(lambda: "/big" in sim.bridge.node.publications, "the topic")
    message = from_dict(kind, {"data": np.zeros(2_000_000, np.uint8)})
    stuck, reader = _listener(sim, "/big"), _listener(sim, "/big")
    decode_header(_frame(reader))
    wait_until(lambda: len(sim.bridge.node.publications["/big"].connections) == 2, "both")
    for number in range(100):
        channel.publish(message, number)
        assert len(_frame(reader)) == 2_000_012
    assert _count(sim, "dropped") > 10
    assert sim.goes_on()
    stuck.close()
    reader.close()
    sim.run.session.bus.retire("/big")


def _peer(sim, name="/peer"):
    node = Ros1Node(name, sim.uri, PeerErrors(lambda _: None))
    node.start()
    assert node.registrar.registered.wait(PATIENCE_S)
    return node


def test_commands_that_are_not_numbers_are_counted_and_ignored(sim):
    robot = sim.run.simulation.robots["jackal"]
    node = _peer(sim)
    try:
        out = node.advertise("/cmd_vel", TWIST)
        wait_until(lambda: out.connections, "our subscription")
        bad = new(TWIST)
        bad.linear.x = math.nan
        before = robot.ignored_commands
        out.send(serialize(bad, TWIST))
        wait_until(lambda: robot.ignored_commands > before, "the count")
        good = new(TWIST)
        good.linear.x = 0.5

        def drives():
            out.send(serialize(good, TWIST))
            return robot.velocity[0] > 0.3

        wait_until(drives, "driving")
        assert sim.goes_on()
    finally:
        node.close()


def test_a_publisher_of_another_type_is_left(sim):
    node = _peer(sim, "/liar")
    try:
        before = _count(sim, "bad message")
        node.advertise("/cmd_vel", "std_msgs/msg/String")
        _counted(sim, "bad message", before)
    finally:
        node.close()


def test_a_publisher_that_was_killed_is_counted_in_silence(sim, capfd):
    with socket.create_server(("127.0.0.1", 0)) as server:
        gone = f"http://127.0.0.1:{server.getsockname()[1]}/"
    before = _count(sim, "publisher gone")
    call(sim.uri, "registerPublisher", "/killed", "/cmd_vel", "geometry_msgs/Twist", gone)
    try:
        _counted(sim, "publisher gone", before)
    finally:
        call(sim.uri, "unregisterPublisher", "/killed", "/cmd_vel", gone)
    assert "does not offer" not in capfd.readouterr().err


def test_a_publisher_that_cannot_be_found_is_told(sim, capfd):
    lost = "http://no-such-host.invalid:1/"
    before = _count(sim, "unreachable publisher")
    call(sim.uri, "registerPublisher", "/lost", "/cmd_vel", "geometry_msgs/Twist", lost)
    try:
        _counted(sim, "unreachable publisher", before)
    finally:
        call(sim.uri, "unregisterPublisher", "/lost", "/cmd_vel", lost)
    assert f"{lost} does not offer /cmd_vel" in capfd.readouterr().err


def test_a_short_message_ends_its_publishers_connection(sim):
    node = _peer(sim, "/short")
    try:
        out = node.advertise("/cmd_vel", TWIST)
        wait_until(lambda: out.connections, "our subscription")
        before = _count(sim, "bad message")
        out.send(b"\x01\x02\x03")
        _counted(sim, "bad message", before)
    finally:
        node.close()


def test_each_kind_of_fault_is_told_once(sim, capfd):
    before = _count(sim, "oversized")
    for _ in range(5):
        with socket.create_connection(_place(sim, "/clock")) as end:
            end.sendall(struct.pack("<I", 2**30))
    wait_until(lambda: _count(sim, "oversized") == before + 5, "all five")
    assert capfd.readouterr().err.count("oversized") <= 1


def test_the_bridge_registers_again_when_its_master_comes_back():
    master = Master(port=0)
    master.start()
    port = urlsplit(master.uri).port
    sim = Running(Scenario(duration_s=None, bridges=(f"ros1:master={master.uri}",)))
    try:
        master.close()
        wait_until(lambda: not sim.bridge.node.registrar.registered.is_set(), "the loss")
        assert sim.goes_on()
        with pytest.raises(BridgeError):
            call(master.uri, "getPid", "/test")
        second = Master(port=port)
        second.start()
        try:
            wait_until(sim.bridge.node.registrar.registered.is_set, "our return")
            assert "/clock" in str(call(second.uri, "getPublishedTopics", "/t", ""))
            assert call(second.uri, "getParam", "/t", "/use_sim_time")[2] is True
            services = str(call(second.uri, "getSystemState", "/t")[2][2])
            assert "/gazebo/pause_physics" in services
        finally:
            sim.close()
            second.close()
    finally:
        if sim._thread.is_alive():
            sim.close()


def test_an_occupied_port_is_one_sentence():
    master = Master(port=0)
    with pytest.raises(BridgeError, match="no ROS 1 master can listen"):
        Master(port=urlsplit(master.uri).port)
    master.close()


def _post(sim, body, **headers):
    place = urlsplit(sim.uri)
    connection = HTTPConnection(place.hostname, place.port, timeout=PATIENCE_S)
    try:
        connection.request("POST", "/", body, {"Content-Type": "text/xml", **headers})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


_GET_PID = xmlrpc.client.dumps(("/me",), "getPid")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Content-Type": "text/plain"},
        {"Host": "evil.example:11311"},
    ],
)
def test_what_a_web_page_could_send_is_refused(sim, headers):
    assert _post(sim, _GET_PID)[0] == 200
    assert _post(sim, _GET_PID, **headers)[0] == 403


def test_values_nested_without_end_are_answered_with_a_sentence(sim):
    deep = "<value><array><data>" * 50_000 + "</data></array></value>" * 50_000
    call = f"<methodCall><methodName>setParam</methodName><params><param>{deep}</param></params>"
    status, text = _post(sim, call + "</methodCall>")
    assert status == 200
    assert "nested more than" in text


@pytest.mark.parametrize("arguments", [(1, 2, 3), (["/x"], {}, 1), ("/x", 5, 5)])
def test_wrong_types_are_answered_with_a_sentence(sim, arguments):
    code, sentence, _ = xmlrpc.client.ServerProxy(sim.uri).setParam(*arguments)
    assert code == -1
    assert "setParam" in sentence or "name" in sentence


def test_many_silent_connections_lock_nobody_out(sim):
    place = urlsplit(sim.uri)
    silent = [socket.create_connection((place.hostname, place.port)) for _ in range(400)]
    try:
        proxy = xmlrpc.client.ServerProxy(sim.uri)
        assert proxy.getPid("/me")[0] == 1
        assert sim.goes_on()
    finally:
        for end in silent:
            end.close()


def test_a_master_is_not_filled_by_a_peer(monkeypatch):
    monkeypatch.setattr("outrider.bridges.ros1.master.MOST_ENTRIES", 20)
    master = Master(port=0)
    try:
        for number in range(19):  # and their node
            assert master.register_publisher("/n", f"/t{number}", "a/B", "http://h:1/")[0] == 1
        for register in (master.register_publisher, master.register_subscriber):
            with pytest.raises(BridgeError, match="topics, services, parameters and nodes already"):
                register("/other", "/more", "a/B", "http://h:2/")
        assert master.register_publisher("/n", "/t3", "a/B", "http://h:1/")[0] == 1
        assert master.unregister_publisher("/n", "/t3", "http://h:1/")[2] == 1
        assert master.register_publisher("/n", "/new", "a/B", "http://h:1/")[0] == 1
    finally:
        master.close()


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("registerPublisher", ("x" * 5000, "http://h:1/")),
        ("registerSubscriber", ("x" * 5000, "http://h:1/")),
        ("registerService", ("rosrpc://h:" + "1" * 5000, "http://h:1/")),
    ],
)
def test_types_and_addresses_without_end_are_not_kept(sim, method, more):
    proxy = xmlrpc.client.ServerProxy(sim.uri)
    code, sentence, _ = getattr(proxy, method)("/a", "/x", *more)
    assert (code, sentence) == (-1, "a name, type or address has more than 1000 letters")


@pytest.mark.parametrize("method", ["searchParam", "getParam", "lookupNode"])
def test_names_without_end_are_refused_before_they_are_looked_for(sim, method):
    proxy = xmlrpc.client.ServerProxy(sim.uri)
    code, sentence, _ = getattr(proxy, method)("/a" * 5000, "x")
    assert (code, sentence) == (-1, "a name, type or address has more than 1000 letters")


def test_several_calls_in_one_are_each_answered(sim):
    calls = xmlrpc.client.MultiCall(xmlrpc.client.ServerProxy(sim.uri))
    calls.setParam("/me", "/a", 7)
    calls.getParam("/me", "/a")
    calls.noSuchMethod("/me")
    put, got, unknown = calls()
    assert put[0] == 1
    assert got == [1, "Parameter [/a]", 7]
    assert unknown[0] == -1
