"""The local port: topics, messages, commands and services."""

import time

import numpy as np
import pytest
from local_bench import SERVICES
from waiting import until

from outrider.bridges.local.client import connect
from outrider.core.errors import BridgeError
from outrider.messages.convert import from_dict
from outrider.messages.types import Clock

pytestmark = pytest.mark.usefixtures("cache")


def test_topics_and_services_are_listed(server):
    with connect() as client:
        listed = {topic["name"]: topic for topic in client.topics()}
        assert client.services() == sorted(SERVICES)
    assert list(listed) == ["/camera", "/clock", "/cmd_vel"]
    assert listed["/cmd_vel"]["direction"] == "in"
    assert listed["/clock"]["type"] == "rosgraph_msgs/msg/Clock"


def test_messages_arrive_with_their_simulated_time(server, ticking):
    with connect() as client:
        samples = [s for s, _ in zip(client.messages("clock", 30.0), range(20), strict=False)]
    times = [sample.time_ns for sample in samples]
    assert times == sorted(set(times))
    for sample in samples:
        told = sample.message["clock"]
        assert told["sec"] * 10**9 + told["nanosec"] == sample.time_ns


def test_every_message_arrives_when_all_are_asked_for(server, ticking):
    with connect() as client:
        stream = client.messages("/clock", 30.0, kept="all", content=False)
        samples = [next(stream) for _ in range(50)]
    steps = np.diff([sample.time_ns for sample in samples])
    assert samples[-1].dropped == 0
    assert set(steps) == {2_500_000}
    assert samples[0].message == {}


def test_a_call_between_messages_loses_neither(server, ticking):
    with connect() as client:
        stream = client.messages("/clock", 30.0)
        first = next(stream)
        assert client.call("set_speed", speed=2.5) == {"speed": 2.5}
        assert next(stream).time_ns > first.time_ns


def test_a_quiet_topic_ends_after_its_time(server):
    with connect() as client:
        start = time.monotonic()
        assert list(client.messages("/camera", 0.1)) == []
        assert 0.08 < time.monotonic() - start < 30.0


def test_leaving_the_iteration_ends_the_subscription(server, bus, ticking):
    with connect() as client:
        stream = client.messages("/clock", 30.0)
        next(stream)
        assert bus.topics()[1].subscribers == 1
        stream.close()
        assert until(lambda: bus.topics()[1].subscribers == 0)
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
        stream = client.messages("/clock", 30.0)
        next(stream)
        bus.remap("/clock", "/sim/clock")
        assert next(stream).time_ns < next(stream).time_ns
        assert "/sim/clock" in [topic["name"] for topic in client.topics()]


def test_images_travel_as_base64_or_as_their_size(server, bus):
    with connect() as client:
        whole, short = client.messages("/camera", 30.0), None
        bus.publish("/camera", from_dict("sensor_msgs/Image", {"data": [1, 2, 3] * 100}), 1)
        sent = next(whole).message["data"]
        assert np.array_equal(
            from_dict("sensor_msgs/Image", {"data": sent}).data, np.tile([1, 2, 3], 100)
        )
        whole.close()
        short = client.messages("/camera", 30.0, longest=64)
        bus.publish("/camera", from_dict("sensor_msgs/Image", {"data": [1, 2, 3] * 100}), 2)
        assert next(short).message["data"] == "<300 bytes>"


def test_a_message_a_publisher_filled_wrongly_is_told(server, bus):
    with connect() as client:
        stream = client.messages("/clock", 30.0)
        bus.publish("/clock", Clock(None), 1)
        with pytest.raises(BridgeError, match="'/clock' cannot be sent"):
            next(stream)
