"""The parts of the server that need no socket."""

import hashlib
import json
import time

import pytest

from outrider.bridges.rosbridge.authentication import Authentication
from outrider.bridges.rosbridge.encoding.fragments import Fragments, cut
from outrider.bridges.rosbridge.encoding.frames import outgoing, outgoing_binary
from outrider.bridges.rosbridge.encoding.reading import read_message
from outrider.bridges.rosbridge.plain_socket import Objects
from outrider.bridges.rosbridge.subscription import ClientSubscription, subscribe_request
from outrider.core.errors import BridgeError, BusError

ODOM = "nav_msgs/msg/Odometry"


def test_either_spelling_of_time_is_read():
    one = {"header": {"seq": 9, "stamp": {"secs": 3, "nsecs": 4}, "frame_id": "f"}}
    two = {"header": {"stamp": {"sec": 3, "nanosec": 4}, "frame_id": "f"}}
    found, same = read_message(ODOM, one, 0), read_message("nav_msgs/Odometry", two, 0)
    assert found.header == same.header
    assert (found.header.stamp.sec, found.header.stamp.nanosec) == (3, 4)


def test_a_header_without_a_stamp_gets_the_time_that_it_is():
    found = read_message(ODOM, {"header": {"frame_id": "f"}}, 5_000_000_006)
    assert (found.header.stamp.sec, found.header.stamp.nanosec) == (5, 6)
    found = read_message(ODOM, {"header": {"stamp": "now"}}, 5_000_000_006)
    assert found.header.stamp.sec == 5


def test_null_is_no_number_and_letters_may_be_those_of_ros_1():
    scan = read_message("sensor_msgs/LaserScan", {"range_max": None, "ranges": [1, None]}, 0)
    assert scan.range_max != scan.range_max
    assert scan.ranges[0] == 1.0
    assert scan.ranges[1] != scan.ranges[1]
    info = read_message("sensor_msgs/CameraInfo", {"K": [1.0] * 9}, 0)
    assert info.k[8] == 1.0


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"linear": {"x": "fast"}}, "linear.x: expected a number"),
        ({"liner": {}}, "did you mean 'linear'"),
        ({"linear": 3}, "expected a mapping"),
        (7, "expected an object"),
        ({"linear": {"x": True}}, "expected a number"),
    ],
)
def test_wrong_fields_are_refused_by_name(data, said):
    with pytest.raises((BridgeError, BusError), match=said):
        read_message("geometry_msgs/msg/Twist", data, 0)


def test_a_long_text_is_cut_and_put_together_again():
    text = json.dumps({"op": "publish", "msg": "ä" * 900}, ensure_ascii=False).encode()
    pieces = [json.loads(piece) for piece in cut(text, 300, "7")]
    assert [piece["num"] for piece in pieces] == list(range(len(pieces)))
    assert all(piece["total"] == len(pieces) and len(piece["data"]) <= 300 for piece in pieces)
    whole = Fragments(10_000, 1.0)
    found = [whole.add(piece) for piece in reversed(pieces)]
    assert found[:-1] == [None] * (len(pieces) - 1)
    assert found[-1].encode() == text
    assert cut(text, None, "") == [text]
    assert len(json.loads(cut(text, 1, "7")[0])["data"]) == 256  # less is not worth its frame


def test_a_total_that_was_not_rounded_is_understood():
    whole = Fragments(1000, 1.0)
    assert whole.add({"id": "a", "num": 0, "total": 1.4, "data": "x"}) is None
    assert whole.add({"id": "a", "num": 1, "total": 1.4, "data": "y"}) == "xy"


def test_unfinished_messages_are_bounded_in_size_number_and_time():
    now = [0.0]
    whole = Fragments(100, 10.0, lambda: now[0])
    with pytest.raises(BridgeError, match="given up"):
        whole.add({"id": "big", "num": 0, "total": 2, "data": "x" * 101})
    for number in range(16):
        whole.add({"id": str(number), "num": 0, "total": 2, "data": "x"})
    with pytest.raises(BridgeError, match="at most 16"):
        whole.add({"id": "one more", "num": 0, "total": 2, "data": "x"})
    now[0] = 11.0
    assert whole.expire() == 16
    assert whole.expire() == 0


@pytest.mark.parametrize(
    "piece",
    [
        {"id": "a", "num": 2, "total": 2, "data": ""},
        {"id": "a", "num": -1, "total": 2, "data": ""},
        {"id": "a", "num": 0, "total": 10**9, "data": ""},
        {"id": "a", "num": 0, "total": 2, "data": 5},
        {"id": "a", "total": 2, "data": ""},
    ],
)
def test_pieces_that_cannot_be_are_refused(piece):
    with pytest.raises(BridgeError, match="fragment"):
        Fragments(100, 10.0).add(piece)


def subscription(**asked):
    return ClientSubscription("/t", None, subscribe_request(asked, "ros2", None, True))


def texts(found):
    return [found.bare[0] for found in found]


def test_a_throttled_lane_wants_a_message_only_when_its_time_has_come():
    slow = subscription(throttle_rate=100)
    assert [slow.due(t) for t in (1.0, 1.05, 1.1, 1.15, 1.31)] == [True, False, True, False, True]


def test_a_queue_keeps_the_newest_and_lets_them_go_at_the_rate():
    queued = subscription(throttle_rate=100, queue_length=2)
    assert queued.due(0.0)
    for number in range(5):
        queued.put(outgoing([b"%d" % number]))
    assert queued.dropped == 3
    assert queued.take(1.0).bare == (b"3",)
    assert queued.take(1.05) is None
    assert queued.take(1.11).bare == (b"4",)
    assert queued.take(2.0) is None


def test_a_lane_holds_a_hundred_messages_and_eight_megabytes():
    free = subscription()
    for number in range(150):
        free.put(outgoing([b"%d" % number]))
    assert (free.waiting, free.dropped) == (100, 50)
    assert free.take(0.0).bare == (b"50",)
    heavy = subscription()
    for _ in range(20):
        heavy.put(outgoing([bytes(1_000_000)]))
    assert heavy.waiting == 8
    heavy.put(outgoing([bytes(20_000_000)]))
    assert heavy.waiting == 1


def test_wishes_of_one_client_are_served_together():
    both = subscribe_request(
        {"throttle_rate": 100, "queue_length": 5}, "ros2", None, True
    ) | subscribe_request(
        {"throttle_rate": 20, "compression": "cbor", "fragment_size": 900}, "ros1", None, True
    )
    assert (both.interval_s, both.queue_length, both.fragment_size) == (0.02, 0, 900)
    assert (both.compression, both.form) == ("cbor", "ros1")


@pytest.mark.parametrize(
    "asked", [{"compression": "zip"}, {"throttle_rate": "x"}, {"queue_length": -1}]
)
def test_wishes_that_make_no_sense_are_refused(asked):
    with pytest.raises(BridgeError, match="subscribe"):
        subscribe_request(asked, "ros2", None, True)


def test_a_frame_has_the_head_of_its_length():
    assert outgoing([b"x" * 125]).framed[0] == bytes((0x81, 125))
    assert outgoing([b"x" * 126]).framed[0] == bytes((0x81, 126, 0, 126))
    assert outgoing_binary([bytes(70_000)]).framed[0] == bytes(
        (0x82, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70)
    )


def test_objects_are_found_wherever_the_stream_is_cut():
    objects = [b'{"a":"}{\\"\\\\"}', b'{"b":{"c":[{}]}}', b' \n{"d":"\xc3\xa4"}']
    stream = b"".join(objects)
    for size in range(1, len(stream) + 1):
        finder, found = Objects(), []
        for place in range(0, len(stream), size):
            found += finder.feed(stream[place : place + size])
        assert found == objects
        assert len(finder) == 0


def test_pages_of_this_machine_may_come_and_others_only_if_named():
    gate = Authentication("", ("http://robot.lab:8000",))
    for origin in (None, "http://localhost:8000", "https://127.0.0.1", "http://robot.lab:8000"):
        assert gate.knows_origin(origin)
    for origin in ("null", "http://evil.example", "http://localhost.evil.example", "?", "file://"):
        assert not gate.knows_origin(origin)
    assert Authentication("", ("*",)).knows_origin("http://anywhere.example")


def signed(secret, moment, end, rand="r"):
    fields = {
        "client": "10.0.0.1",
        "dest": "10.0.0.2",
        "rand": rand,
        "t": moment,
        "level": "user",
        "end": end,
    }
    text = f"{secret}10.0.0.110.0.0.2{rand}{moment}user{end}"
    return {**fields, "mac": hashlib.sha512(text.encode()).hexdigest()}


def test_a_signature_of_rosauth_opens_once_and_only_now():
    gate, now = Authentication("secret", ()), int(time.time())
    assert gate.opens_for(signed("secret", now, now + 60))
    assert not gate.opens_for(signed("secret", now, now + 60))  # it was used
    assert gate.opens_for(signed("secret", now, 0, "other"))
    assert not gate.opens_for(signed("guess", now, now + 60, "a"))
    assert not gate.opens_for(signed("secret", now - 60, now + 60, "b"))
    assert not gate.opens_for(signed("secret", now, now - 1, "c"))
    assert not gate.opens_for({"mac": "x"})
    assert not gate.opens_for({**signed("secret", now, 0, "d"), "t": [1]})
    assert gate.opens_for({"token": "secret"})
    assert not gate.opens_for({"token": "guess"})
