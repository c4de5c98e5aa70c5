"""Clients that do wrong are refused or sent away with a reason and counted; the rest goes on."""

import http.client
import json
import os
import socket
import struct
import threading
import time
from base64 import b64encode
from contextlib import suppress

import numpy as np
import pytest
from rosbridge_bench import Client, client, plain, running, served
from waiting import PATIENCE_S, wait_until
from websockets.exceptions import InvalidStatus

from outrider.bridges.bridge import Outside, make_bridge
from outrider.bridges.rosbridge.encoding.png import wrapped
from outrider.core.errors import BridgeError
from outrider.messages.types import Image, header
from outrider.scenarios.scenario import RobotEntry

_COMMAND = '{"op":"publish","topic":"/cmd_vel","msg":%s}'


@pytest.fixture
def server():
    with served(",tcp_port=0,stall_s=2,most_bytes=100000") as made:
        yield made
        with client(made) as another:  # whatever was done: others are served
            assert another.asked("/rosapi/get_time")["time"]["secs"] == 12


class Raw:
    """A WebSocket by hand, for what no library would send."""

    def __init__(self, server):
        self.end = socket.create_connection(("127.0.0.1", server.bridge.port), timeout=PATIENCE_S)
        key = b64encode(os.urandom(16)).decode()
        self.end.sendall(
            f"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        reply = b""
        while not reply.endswith(b"\r\n\r\n"):
            reply += self.end.recv(1)
        assert b" 101 " in reply

    def frame(self, payload, first=0x81, claimed=None):
        size = len(payload) if claimed is None else claimed
        self.end.sendall(struct.pack(">BBQ", first, 0xFF, size) + bytes(4) + payload)

    def close_code(self):
        data = b""
        with suppress(ConnectionResetError):
            while chunk := self.end.recv(4096):
                data += chunk
        place = data.rindex(b"\x88")
        return struct.unpack_from(">H", data, place + 2)[0]


def test_text_that_is_no_utf_8_ends_the_connection(server):
    raw = Raw(server)
    raw.frame(b'{"op":"\xff\xfe"}')
    assert raw.close_code() == 1007
    assert server.counted("invalid UTF-8") == 1


def test_a_frame_that_says_it_is_a_gigabyte_is_not_waited_for(server):
    raw = Raw(server)
    raw.frame(b"x", claimed=2**30)
    assert raw.close_code() == 1009
    assert server.counted("oversized message") == 1


def test_a_message_of_endless_frames_ends_where_it_is_too_long(server):
    raw = Raw(server)
    with suppress(OSError):
        for number in range(100):
            raw.frame(b"x" * 5000, first=0x01 if number == 0 else 0x00)
            time.sleep(0.002)
    assert server.counted("oversized message") == 1


def test_frames_that_break_the_protocol_end_the_connection(server):
    raw = Raw(server)
    raw.end.sendall(b"\x81\x05hello")  # not masked
    assert raw.close_code() == 1002
    assert server.counted("bad frame") == 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("{", "bad JSON"),
        ("[" * 50_000, "bad JSON"),
        (_COMMAND % ('{"a":' * 2000 + "1" + "}" * 2000), "bad JSON"),
        (_COMMAND % '{"linear":{"x":1e999}}', "bad JSON"),
        (_COMMAND % '{"linear":{"x":NaN}}', "bad JSON"),
        (_COMMAND % ('{"linear":{"x":1' + "0" * 400 + "}}"), "bad JSON"),
        ('{"op":"subscribe","topic":"/odom","throttle_rate":1e300}', "refused"),
        ('{"op":"subscribe","topic":"/odom","queue_length":-5}', "refused"),
        ('{"op":"subscribe","topic":"/odom","queue_length":true}', "refused"),
        ('{"op":"subscribe","topic":"/odom","throttle_rate":false}', "refused"),
        ('{"op":"fragment","id":"1","data":"{}","num":false,"total":true}', "refused"),
        ('{"op":"subscribe","topic":["/odom"]}', "refused"),
        ('{"op":"publish","topic":"/cmd_vel","msg":[1,2]}', "refused"),
        ('{"op":"advertise","topic":"/x","type":"../../etc/passwd"}', "refused"),
        ('{"op":"png","data":"iVBORw0KGgo="}', "refused"),
        ('{"op":{"op":1}}', "no op"),
        ("[]", "no op"),
        ("3", "no op"),
        ('{"op":"nothing like it"}', "refused"),
    ],
)
def test_messages_that_make_no_sense_are_counted_and_dropped(server, text, kind):
    with client(server) as one:
        one.socket.send(text)
        assert server.counted(kind) == 1
        assert one.asked("/rosapi/get_time")  # the connection stays


def test_huge_numbers_never_reach_the_robot(server):
    box = server.bus.subscribe("/cmd_vel")
    with client(server) as one:
        one.send(op="set_level", level="error")
        one.socket.send('{"op":"publish","topic":"/cmd_vel","msg":{"linear":{"x":"9e99999"}}}')
        assert "expected a number" in one.take()["msg"]
    assert box.latest is None


def test_pictures_within_pictures_are_not_followed_down(server):
    text = json.dumps({"op": "set_level", "level": "info"}).encode()
    for _ in range(4):
        text = json.dumps({"op": "png", "data": wrapped(text)}).encode()
    with client(server) as one:
        one.socket.send(text.decode())
        assert server.counted("refused") == 1


@pytest.mark.parametrize(
    "many", ["[" + "[]," * 200_000 + "1]", "[" + "1," * 1_100_000 + "1]", '{"a":1}' * 110_000]
)
def test_who_sends_more_brackets_than_sense_does_not_have_them_read(many):
    with served(",most_bytes=16000000") as made, client(made) as peer:
        peer.socket.send(_COMMAND % many)
        assert made.counted("too much JSON") == 1
        assert peer.asked("/rosapi/get_time")["time"]["secs"] == 12


def test_pieces_that_never_end_are_given_up(server):
    with client(server) as one:
        for number in range(30):
            one.send(op="fragment", id=f"f{number}", num=0, total=1000, data="x" * 2000)
        one.asked("/rosapi/get_time")  # all have been looked at
        assert server.counted("refused") == 14  # sixteen may be begun
        for number in range(1, 60):
            one.send(op="fragment", id="f0", num=number, total=1000, data="x" * 2000)
        wait_until(lambda: server.counts()["refused"] > 14, "the size to be too much")


def test_a_client_that_does_not_read_loses_messages_then_its_connection(server):
    pixels = np.zeros(640 * 480 * 3, np.uint8)
    slow = socket.create_connection(("127.0.0.1", server.bridge.tcp_port))
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.sendall(b'{"op":"subscribe","topic":"/image"}')
    with client(server) as quick:
        quick.send(op="subscribe", topic="/image", compression="cbor")
        server.listened("/image")
        quick.asked("/rosapi/get_time")
        for number in range(60):
            picture = Image(header(number, "c"), 480, 640, "rgb8", 0, 1920, pixels)
            server.bus.publish("/image", picture, number)
            stamp = quick.take()["msg"]["header"]["stamp"]
            assert stamp["nanosec"] == number  # nobody waits for the other
        assert server.counts()["dropped"] > 0
        assert server.counted("slow") == 1
        wait_until(lambda: server.bridge.server.clients == 1, "the slow one to be gone")
    slow.close()


def test_a_flood_of_commands_does_not_keep_others_waiting(server):
    stop = threading.Event()

    def flood():
        with client(server) as one:
            while not stop.is_set():
                one.send(op="publish", topic="/cmd_vel", msg={"linear": {"x": 1}})

    thread = threading.Thread(target=flood)
    thread.start()
    try:
        with client(server) as other:
            for _ in range(20):
                assert other.asked("/rosapi/get_time")
    finally:
        stop.set()
        thread.join(PATIENCE_S)


def test_many_calls_at_once_are_refused_beyond_a_number():
    gate = threading.Event()
    with served(step=lambda _: gate.wait(60) and {}) as server, client(server) as one:
        for number in range(80):
            one.send(
                op="call_service",
                service="/outrider/call",
                id=str(number),
                args={"service": "step", "arguments": "{}"},
            )
        answers = [one.take() for _ in range(16)]
        assert all("64 calls" in answer["values"] for answer in answers)
        gate.set()
        assert all(one.take()["result"] for _ in range(64))


def test_a_flood_of_wrong_names_is_not_thought_about_for_long(server):
    with client(server) as one:
        for number in range(2000):
            one.send(op="publish", topic=f"/wrong{number}", msg={})
        assert one.asked("/rosapi/get_time")
        assert server.counted("refused") == 2000


def test_more_topics_than_sense_are_refused(server):
    with client(server) as one:
        for number in range(310):
            one.send(op="advertise", topic=f"/t{number}", type="std_msgs/String")
        one.asked("/rosapi/get_time")
        assert server.counted("refused") == 10
    wait_until(lambda: "/t1" not in {t.name for t in server.bus.topics()}, "the topics to go")


@pytest.mark.parametrize("op", ["subscribe", "advertise"])
def test_more_ids_of_one_topic_than_sense_are_refused(server, op):
    with client(server) as one:
        one.send(op=op, topic="/cmd_vel", type="geometry_msgs/Twist")  # an id is not needed
        for number in range(505):
            one.send(op=op, topic="/cmd_vel", type="geometry_msgs/Twist", id=f"i{number}")
        one.send(op=op, topic="/cmd_vel", type="geometry_msgs/Twist", id="x" * 5000)
        one.asked("/rosapi/get_time")
        assert server.counted("refused") == 7


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1.evil.example"])
def test_pages_from_elsewhere_are_refused(server, origin):
    with pytest.raises(InvalidStatus) as refused:
        Client(server.url, origin=origin)
    assert refused.value.response.status_code == 403
    assert server.counted("wrong origin") == 1


def test_pages_of_this_machine_and_named_ones_may_come():
    with served(",origin=http://robot.lab") as server:
        for origin in ("http://localhost:8000", "http://robot.lab"):
            with client(server, origin=origin) as one:
                assert one.asked("/rosapi/get_time")


def test_a_token_is_asked_for():
    with served(",token=sesame,tcp_port=0") as server:
        with pytest.raises(InvalidStatus) as refused:
            Client(server.url + "?token=guess")
        assert refused.value.response.status_code == 401
        assert server.counted("wrong token") == 1
        one = Client(server.url + "?token=sesame")
        assert one.asked("/rosapi/get_time")
        one.close()
        one = Client(server.url, additional_headers={"Authorization": "Bearer sesame"})
        assert one.asked("/rosapi/get_time")
        one.close()
        with client(server) as late:
            late.send(op="auth", token="sesame")
            assert late.asked("/rosapi/get_time")
        with client(server) as wrong:
            wrong.send(op="auth", mac="0", client="", dest="", rand="", t=0, level="", end=0)
            assert wrong.sent_away() == 1008
        with client(server) as silent:
            silent.send(op="subscribe", topic="/odom")
            assert silent.sent_away() == 1008
        assert server.counted("no token") == 1
        with plain(server) as end:
            end.sendall(b'{"op":"subscribe","topic":"/odom"}')
            assert end.recv(100) == b""


def test_other_addresses_than_loopback_need_a_token(capsys):
    with served(",host=0.0.0.0") as server:
        assert len(server.bridge.token) > 15
        assert server.bridge.token in capsys.readouterr().err
        with client(server) as one:
            one.send(op="subscribe", topic="/odom")
            assert one.sent_away() == 1008


def test_only_so_many_clients_are_served():
    with served(",clients=2") as server, client(server), client(server):
        third = Client(server.url)
        assert third.sent_away() == 1013
        assert server.counted("crowded") == 1


def test_a_web_page_cannot_speak_to_the_plain_socket(server):
    page = http.client.HTTPConnection("127.0.0.1", server.bridge.tcp_port, timeout=PATIENCE_S)
    page.request("POST", "/", '{"op":"publish","topic":"/cmd_vel","msg":{}}')
    with pytest.raises((http.client.HTTPException, OSError)):
        page.getresponse()
    assert server.counted("no rosbridge") == 1


def test_an_object_without_end_on_a_plain_socket_is_cut_off(server):
    with plain(server) as end:
        with suppress(OSError):
            for _ in range(200):
                end.sendall(b'{"op":"' + b"x" * 10_000)
                time.sleep(0.001)
        assert server.counted("oversized message") == 1


def test_who_vanishes_leaves_nothing_behind(server):
    raw = Raw(server)
    raw.frame(b'{"op":"subscribe","topic":"/odom"}')
    server.listened("/odom")
    raw.end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raw.end.close()
    wait_until(
        lambda: not any(t.subscribers for t in server.bus.topics()), "the subscription to go"
    )


def test_a_taken_port_is_said_in_one_sentence(server):
    outside = Outside(server.bus, server.services, lambda: 0, list)
    second = make_bridge(f"rosbridge:port={server.bridge.port}", outside)
    with pytest.raises(BridgeError, match=r"cannot listen on .*port=N"):
        second.start()
    second.close()


def test_a_simulation_goes_on_whatever_its_clients_do():
    with running("rosbridge:port=0,tcp_port=0", robots=(RobotEntry("jackal"),)) as sim:
        deaf = socket.create_connection(("127.0.0.1", sim.bridge.tcp_port))
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for topic in ("/clock", "/tf", "/joint_states", "/ground_truth/state"):
            deaf.sendall(json.dumps({"op": "subscribe", "topic": topic}).encode())
        end = socket.create_connection(("127.0.0.1", sim.bridge.tcp_port))
        for _ in range(500):
            end.sendall(b'{"op":"publish","topic":"/cmd_vel","msg":{"linear":{"x":"no"}}}')
            end.sendall(b'{"op":"call_service","service":"/outrider/nope"}')
        wait_until(lambda: sim.bridge.counts().get("refused", 0) >= 500, "the nonsense", 60)
        assert sim.goes_on()
        assert sim.pose().position[0] == pytest.approx(0.0, abs=0.05)
        deaf.close()
        end.close()


def test_plain_sockets_that_say_nothing_whole_take_nobodys_place(server):
    silent = [plain(server) for _ in range(200)]
    try:
        for end in silent[::2]:
            with suppress(OSError):  # of the oldest some are gone
                end.sendall(b'{"op":')
        with client(server) as another:
            assert another.asked("/rosapi/get_time")["time"]["secs"] == 12
        with plain(server) as end:
            end.sendall(b'{"op":"call_service","service":"/rosapi/get_time"}')
            assert b"service_response" in end.recv(10_000)
    finally:
        for end in silent:
            end.close()
