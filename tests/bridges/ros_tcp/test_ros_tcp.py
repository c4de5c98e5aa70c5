"""ROS-TCP against an endpoint that is built from the protocol's bytes, in both forms."""

import struct
import threading

import numpy as np
import pytest
from ros_tcp_endpoint import Endpoint
from rosbridge_bench import running, services
from waiting import PATIENCE_S, wait_until

from outrider.bridges.bridge import Outside, bridge_options, make_bridge
from outrider.bridges.ros_tcp.frames import KEEP_ALIVE, Frames, frame
from outrider.bridges.ros_tcp.wire import Ros1Wire, Ros2Wire
from outrider.bus.bus import Bus
from outrider.core.errors import BridgeError, ConfigError
from outrider.messages.types import Image, String, TFMessage, header
from outrider.scenarios.scenario import RobotEntry

CDR = bytes((0, 1, 0, 0))


class Joined:
    """A bus with a bridge to an endpoint."""

    def __init__(self, protocol, options="", **endpoint):
        self.bus, self.log = Bus(), []
        self.bus.declare("/chatter", "std_msgs/msg/String", kept="all")
        self.bus.declare("/cmd_vel", "geometry_msgs/msg/Twist", direction="in")
        self.bus.declare("/image", "sensor_msgs/msg/Image")
        self.bus.declare("/tf_static", "tf2_msgs/msg/TFMessage", latched=True)
        self.endpoint = Endpoint(protocol, **endpoint)
        outside = Outside(self.bus, services(self.log), lambda: 5, list)
        text = f"ros-tcp:127.0.0.1:{self.endpoint.port}{options}"
        self.bridge = make_bridge(text, outside)
        self.bridge.start()

    def ready(self):
        wait_until(lambda: ("__topic_list", {}) in self.endpoint.commands, "registration")
        return self

    def counted(self, kind):
        wait_until(lambda: self.bridge.counts().get(kind), f"'{kind}'")
        return self.bridge.counts()[kind]

    def close(self):
        self.bridge.close()
        self.endpoint.close()


@pytest.fixture
def join():
    made = []

    def one(*args, **keys):
        made.append(Joined(*args, **keys))
        return made[-1]

    yield one
    for joined in made:
        joined.close()


def twist(protocol, x):
    body = struct.pack("<6d", x, 0, 0, 0, 0, 0)
    return CDR + body if protocol == "ROS2" else body


def said(protocol, text):
    if protocol == "ROS1":
        return struct.pack("<I", len(text)) + text.encode()
    return CDR + struct.pack("<I", len(text) + 1) + text.encode() + b"\0"


def test_frames_have_the_bytes_of_the_reference():
    one, two = Ros1Wire(), Ros2Wire()
    fields = {"topic": "/chatter", "message_name": "std_msgs/String"}
    text = b'{"topic":"/chatter","message_name":"std_msgs/String"}'
    assert b"".join(frame(one.destination("__subscribe"), one.command(fields))) == (
        b"\x0b\0\0\0__subscribe\x35\0\0\0" + text
    )
    assert b"".join(frame(two.destination("__subscribe"), two.command(fields))) == (
        b"\x0c\0\0\0__subscribe\0\x36\0\0\0" + text + b"\0"
    )
    assert bytes(one.write(String("hi"))) == bytes.fromhex("02000000 6869")
    assert bytes(two.write(String("hi"))).startswith(bytes.fromhex("00010000 03000000 686900"))
    assert bytes.fromhex("0000000000000000") == KEEP_ALIVE


def test_frames_are_found_wherever_the_stream_is_cut():
    stream = b"".join(
        (*frame(b"/a\0", b"xyz"), KEEP_ALIVE, *frame(b"__log", b""), *frame(b"/b", b"q"))
    )
    for size in range(1, len(stream) + 1):
        frames, found = Frames(100), []
        for place in range(0, len(stream), size):
            found += frames.feed(stream[place : place + size])
        assert found == [("/a", b"xyz"), ("__log", b""), ("/b", b"q")]


@pytest.mark.parametrize("data", [b"\xff" * 8, struct.pack("<I2sI", 2, b"/a", 101)])
def test_lengths_that_cannot_be_are_refused(data):
    with pytest.raises(BridgeError, match="bytes"):
        Frames(100).feed(data)


@pytest.mark.parametrize("protocol", ["ROS1", "ROS2"])
def test_everything_is_registered_with_the_endpoint(join, protocol):
    endpoint = join(protocol).ready().endpoint
    assert endpoint.registered("__publish") == {
        "/chatter": "std_msgs/String",
        "/image": "sensor_msgs/Image",
        "/tf_static": "tf2_msgs/TFMessage",
    }
    assert endpoint.registered("__subscribe") == {"/cmd_vel": "geometry_msgs/Twist"}
    offered = endpoint.registered("__unity_service")
    assert offered["/outrider/pause"] == "std_srvs/Trigger"
    assert offered["/gazebo/set_model_state"] == "gazebo_msgs/SetModelState"
    latched = {f["topic"]: f["latch"] for n, f in endpoint.commands if n == "__publish"}
    assert latched == {"/chatter": False, "/image": False, "/tf_static": True}
    assert endpoint.alive >= 1


@pytest.mark.parametrize("protocol", ["ROS1", "ROS2"])
def test_messages_go_both_ways(join, protocol):
    joined = join(protocol).ready()
    box = joined.bus.subscribe("/cmd_vel", kept="all")
    joined.endpoint.send("/cmd_vel", twist(protocol, 0.7))
    wait_until(lambda: box.latest, "the command")
    assert (box.latest[0], box.latest[1].linear.x) == (5, 0.7)
    for number in range(5):
        joined.bus.publish("/chatter", String(f"hi {number}"), number)
    messages = joined.endpoint.messages
    wait_until(lambda: len(messages.get("/chatter", [])) == 5, "five messages")
    wanted = [said(protocol, f"hi {number}") for number in range(5)]
    assert all(a.startswith(b) for a, b in zip(messages["/chatter"], wanted, strict=True))
    assert joined.bridge.counts() == {"dropped": 0}


@pytest.mark.parametrize("protocol", ["ROS1", "ROS2"])
def test_ros_calls_services_of_the_simulation(join, protocol):
    joined = join(protocol).ready()
    two = protocol == "ROS2"
    joined.endpoint.call(1001, "/outrider/set_paused", CDR + b"\x01" if two else b"\x01")
    number, name, payload = joined.endpoint.answers.get(timeout=PATIENCE_S)
    assert (number, name) == (1001, "/outrider/set_paused")
    assert joined.log == [("pause", {})]
    body = payload[4:] if two else payload
    assert body[0] == 1
    assert b'{"paused": true}' in body
    joined.endpoint.call(1002, "/outrider/reset", CDR + b"\0" if two else b"")
    assert joined.endpoint.answers.get(timeout=PATIENCE_S)[:2] == (1002, "/outrider/reset")
    joined.endpoint.call(1003, "/gazebo/pause_physics", CDR + b"\0" if two else b"")
    assert joined.endpoint.answers.get(timeout=PATIENCE_S)[2] == (CDR + b"\0" if two else b"")


@pytest.mark.parametrize("protocol", ["ROS1", "ROS2"])
def test_the_simulation_calls_services_of_ros(join, protocol):
    joined = join(protocol).ready()
    found = []

    def ask():
        found.append(joined.bridge.call("/lamp", "std_srvs/SetBool", {"data": True}))

    thread = threading.Thread(target=ask)
    thread.start()
    number, name, payload = joined.endpoint.requests.get(timeout=PATIENCE_S)
    assert (number, name) == (101, "/lamp")
    assert joined.endpoint.registered("__ros_service") == {"/lamp": "std_srvs/SetBool"}
    assert payload == (CDR + b"\x01" if protocol == "ROS2" else b"\x01")
    answer = b"\x01" + struct.pack("<I", 2) + b"on"
    if protocol == "ROS2":  # text is aligned to four, and ends with a NUL
        answer = CDR + b"\x01\0\0\0" + struct.pack("<I", 3) + b"on\0"
    joined.endpoint.answer(number, name, answer)
    thread.join(PATIENCE_S)
    assert found == [{"success": True, "message": "on"}]


def test_a_service_of_ros_that_does_not_answer_is_given_up(join):
    joined = join("ROS1").ready()
    with pytest.raises(BridgeError, match=r"/lamp did not answer within 0.1 s"):
        joined.bridge.call("/lamp", "std_srvs/Trigger", {}, 0.1)
    joined.endpoint.answer(101, "/lamp", b"")
    assert joined.counted("late answer") == 1


def test_the_topic_list_is_kept(join):
    joined = join("ROS2").ready()
    wait_until(joined.bridge.topics, "the list")
    assert joined.bridge.topics() == {"/rosout": "rosgraph_msgs/Log"}


def test_topics_that_come_later_are_registered_too(join):
    joined = join("ROS1").ready()
    joined.bus.declare("/later", "std_msgs/msg/Float64")
    wait_until(lambda: "/later" in joined.endpoint.registered("__publish"), "the topic")
    joined.bus.retire("/later")


def test_only_chosen_topics_are_published(join):
    joined = join("ROS1", ",topic=/ima*,topic=/tf_static,services=false").ready()
    assert set(joined.endpoint.registered("__publish")) == {"/image", "/tf_static"}
    assert joined.endpoint.registered("__unity_service") == {}


def test_an_idle_connection_is_kept_alive(join):
    joined = join("ROS1").ready()
    wait_until(lambda: joined.endpoint.alive >= 2, "a sign of life")


def test_it_comes_back_when_the_endpoint_was_away(join):
    joined = join("ROS2").ready()
    joined.bus.publish("/tf_static", TFMessage([]), 1)
    wait_until(lambda: joined.endpoint.messages.get("/tf_static"), "the frames")
    joined.endpoint.hang_up()
    joined.endpoint.commands.clear()
    joined.endpoint.messages.clear()
    joined.ready()
    assert joined.endpoint.registered("__subscribe") == {"/cmd_vel": "geometry_msgs/Twist"}
    wait_until(lambda: joined.endpoint.messages.get("/tf_static"), "what is remembered")
    assert joined.bridge.connections == 2
    assert joined.counted("away") == 1


def test_an_endpoint_that_says_nothing_is_taken_for_one_of_ros_1(join):
    joined = join("ROS1", silent=True).ready()
    assert joined.counted("no greeting") == 1
    assert joined.endpoint.registered("__subscribe")


def test_another_form_or_version_is_told_and_tried(join):
    joined = join("ROS1", ",form=ros1", version="v0.6.0").ready()
    assert joined.counted("other version") == 1
    other = Endpoint("ROS2")
    other.two = False  # what comes is ROS 1, as asked for
    bridge = make_bridge(
        f"ros-tcp:127.0.0.1:{other.port},form=ros1",
        Outside(joined.bus, services([]), lambda: 0, list),
    )
    bridge.start()
    wait_until(lambda: other.registered("__subscribe"), "registration")
    assert bridge.counts()["other form"] == 1
    bridge.close()
    other.close()


@pytest.mark.parametrize(
    ("destination", "payload", "kind"),
    [
        ("/cmd_vel", b"\x01\x02", "bad message"),
        ("/cmd_vel", b"", "bad message"),
        ("/never", b"", "unknown topic"),
        ("__nonsense", b"{}", "unknown command"),
        ("__error", b'{"text":"Not registered to publish topic /x"}', "endpoint's error"),
        ("__warn", b"\xff\xff", "endpoint's warn"),
        ("__request", b"{}", "bad command"),
        ("__response", b'{"srv_id":"x"}', "bad command"),
        ("__topic_list", b"[" * 100_000, None),
    ],
)
@pytest.mark.parametrize("protocol", ["ROS1", "ROS2"])
def test_nonsense_is_counted_and_the_connection_stays(join, protocol, destination, payload, kind):
    joined = join(protocol).ready()
    joined.endpoint.send(destination, payload)
    if kind:
        assert joined.counted(kind) == 1
    box = joined.bus.subscribe("/cmd_vel")
    joined.endpoint.send("/cmd_vel", twist(protocol, 1.0))
    wait_until(lambda: box.latest, "the command")
    assert joined.bridge.connections == 1


def test_a_service_that_is_not_ours_or_fails_leaves_the_others(join):
    joined = join("ROS1").ready()
    joined.endpoint.call(1001, "/nobody", b"")
    assert joined.counted("unknown service") == 1
    joined.endpoint.call(1002, "/outrider/set_paused", b"")
    assert joined.counted("failed service") == 1
    joined.endpoint.call(1003, "/outrider/pause", b"")
    assert joined.endpoint.answers.get(timeout=PATIENCE_S)[0] == 1003


def test_a_message_that_says_it_is_a_gigabyte_ends_the_connection(join):
    joined = join("ROS1").ready()
    joined.endpoint._client.sendall(struct.pack("<I8sI", 8, b"/cmd_vel", 2**30))
    assert joined.counted("away") == 1
    wait_until(lambda: joined.bridge.connections == 2, "the next connection")


def test_an_endpoint_that_does_not_read_loses_old_messages(join):
    joined = join("ROS1")
    joined.endpoint._read = lambda _: None
    joined.endpoint.came.get(timeout=PATIENCE_S)
    wait_until(lambda: joined.bridge.connections, "the connection")
    image = Image(header(0, "c"), 1, 1, "rgb8", 0, 3, np.zeros(3_000_000, np.uint8))

    def dropped():  # nobody reads: who waited for that would publish no more
        for _ in range(10):
            joined.bus.publish("/image", image, 0)
        return joined.bridge.counts().get("dropped")

    wait_until(dropped, "what may wait to be full")


@pytest.mark.parametrize("text", ["ros-tcp:somewhere", "ros-tcp:host:port", "ros-tcp:h:99999"])
def test_an_address_that_is_none_is_refused(text):
    with pytest.raises(ConfigError, match="expected HOST:PORT"):
        make_bridge(text, Outside(Bus(), services([]), lambda: 0, list))


def test_the_address_may_stand_bare_or_by_name():
    _, bare = bridge_options("ros-tcp:10.0.0.5:10001,form=ros2")
    _, named = bridge_options("ros-tcp:form=ros2,address=10.0.0.5:10001")
    assert bare == named
    assert bridge_options("ros-tcp")[1].address == "127.0.0.1:10000"
    with pytest.raises(ConfigError, match="expected NAME:KEY=VALUE"):
        bridge_options("ros-tcp:10.0.0.5:10001,10.0.0.6:10001")


@pytest.mark.parametrize("protocol", ["ROS1", "ROS2"])
def test_a_robot_is_driven_from_ros_and_its_clock_comes_back(protocol):
    endpoint = Endpoint(protocol)
    with running(
        f"ros-tcp:127.0.0.1:{endpoint.port},topic=/clock", robots=(RobotEntry("jackal"),)
    ) as sim:
        wait_until(lambda: "/cmd_vel" in endpoint.registered("__subscribe"), "registration")

        def driven():
            endpoint.send("/cmd_vel", twist(protocol, 0.5))
            return sim.pose().position[0] > 0.4

        wait_until(driven, "the robot to have driven 0.4 m", 60)
        wait_until(lambda: len(endpoint.messages.get("/clock", ())) > 50, "the clock")
        stamp = endpoint.messages["/clock"][-1][-8:]
        seconds, rest = struct.unpack("<iI", stamp)
        assert 500_000_000 < seconds * 10**9 + rest <= sim.run.simulation.time_ns
    endpoint.close()


def test_without_control_only_services_that_can_say_so_are_offered(join):
    joined = join("ROS1", ",control=off").ready()
    offered = joined.endpoint.registered("__unity_service")
    assert "/outrider/pause" in offered
    assert "/gazebo/set_model_state" in offered
    assert "/gazebo/pause_physics" not in offered  # its caller would wait for ever
    assert "/gazebo/clear_body_wrenches" not in offered
