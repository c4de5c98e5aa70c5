"""Every operation of the protocol, by a client that speaks by hand."""

import base64
import json
import threading
import time

import numpy as np
import pytest
from rosbridge_bench import NOW_NS, client, plain, served
from waiting import wait_until

from outrider.bridges.rosbridge.encoding.png import unwrapped, wrapped
from outrider.messages.convert import from_dict
from outrider.messages.types import Image, LaserScan, Odometry, TFMessage, Twist, Vector3, header

TWIST = "geometry_msgs/msg/Twist"


@pytest.fixture(scope="module")
def server():
    with served(",tcp_port=0") as made:
        yield made


@pytest.fixture
def one(server):
    with client(server) as made:
        yield made


@pytest.fixture
def two(server):
    with client(server) as made:
        yield made


def odometry(x=1.0):
    return from_dict("nav_msgs/msg/Odometry", {"pose": {"pose": {"position": {"x": x}}}})


def x_of(message):
    return message["msg"]["pose"]["pose"]["position"]["x"]


def subscribed(server, who, topic="/odom", **more):
    who.send(op="subscribe", topic=topic, **more)
    who.asked("/rosapi/get_time")  # the subscription has been seen to


def test_what_is_published_comes_to_who_has_subscribed(server, one):
    subscribed(server, one, type="nav_msgs/Odometry", id="s1")
    server.bus.publish("/odom", odometry(2.5), 1)
    found = one.take()
    assert set(found) == {"op", "topic", "msg"}
    assert (found["op"], found["topic"], x_of(found)) == ("publish", "/odom", 2.5)
    assert "secs" in found["msg"]["header"]["stamp"]
    one.send(op="unsubscribe", topic="/odom", id="s1")
    wait_until(lambda: not heard(server, "/odom"), "no more subscription")


def heard(server, topic):
    return next(t.subscribers for t in server.bus.topics() if t.name == topic)


@pytest.mark.parametrize("compression", ["none", "png", "cbor", "cbor-raw"])
def test_every_compression_carries_a_picture(server, one, compression):
    pixels = np.random.default_rng(0).integers(0, 255, 64 * 48 * 3, np.uint8)
    subscribed(server, one, "/image", compression=compression, type="sensor_msgs/msg/Image")
    server.bus.publish("/image", Image(header(0, "c"), 48, 64, "rgb8", 0, 192, pixels), 3)
    found = one.take()
    if compression == "png":
        found = json.loads(unwrapped(found["data"], 10**6))
    message = found["msg"]
    if compression == "cbor":
        assert message["data"] == pixels.tobytes()
    elif compression == "cbor-raw":
        assert message["bytes"].endswith(pixels.tobytes())
    else:
        assert base64.b64decode(message["data"]) == pixels.tobytes()


def test_each_message_is_encoded_once_for_all_who_want_it_alike(server):
    with client(server) as a, client(server) as b, client(server) as c:
        for who, how in ((a, "none"), (b, "none"), (c, "cbor")):
            who.send(op="subscribe", topic="/odom", compression=how)
            who.asked("/rosapi/get_time")  # the subscription has been seen to
        before = server.bridge.server.fanout.encodings
        for number in range(5):
            server.bus.publish("/odom", odometry(float(number)), number)
        for who in (a, b, c):
            assert [x_of(who.take()) for _ in range(5)] == [0.0, 1.0, 2.0, 3.0, 4.0]
        assert server.bridge.server.fanout.encodings - before == 10


def test_a_late_client_gets_what_a_latched_topic_said_last(server, one, two):
    server.bus.publish("/tf_static", TFMessage([]), 1)
    for who in (one, two):
        who.send(op="subscribe", topic="/tf_static", type="tf2_msgs/msg/TFMessage")
        assert who.take()["msg"] == {"transforms": []}


def test_throttled_topics_come_at_their_rate(server, one):
    subscribed(server, one, throttle_rate=10_000)
    for number in range(20):
        server.bus.publish("/odom", odometry(float(number)), number)
    assert x_of(one.take()) == 0.0
    assert one.nothing()


def test_a_queue_of_one_gives_the_newest(server, one):
    subscribed(server, one, throttle_rate=300, queue_length=1)
    for number in range(20):
        server.bus.publish("/odom", odometry(float(number)), number)
    found = [x_of(one.take())]
    while found[-1] != 19.0:  # some had gone before the others came
        found.append(x_of(one.take()))
    assert found == sorted(found)
    assert len(found) < 20
    assert one.nothing()


def test_several_subscriptions_of_one_client_make_one_stream(server, one):
    subscribed(server, one, id="a", throttle_rate=60_000)
    one.send(op="subscribe", topic="/odom", id="b")
    one.call("/rosapi/get_time")
    for number in range(3):
        server.bus.publish("/odom", odometry(float(number)), number)
    assert [x_of(one.take()) for _ in range(3)] == [0.0, 1.0, 2.0]
    assert one.nothing()
    one.send(op="unsubscribe", topic="/odom", id="b")
    one.call("/rosapi/get_time")
    assert heard(server, "/odom") == 1
    one.send(op="unsubscribe", topic="/odom", id="never heard of")
    one.call("/rosapi/get_time")
    assert heard(server, "/odom") == 0


def test_long_messages_come_in_pieces_if_that_is_asked_for(server, one):
    subscribed(server, one, "/scan", fragment_size=400)
    scan = LaserScan(
        header(0, "s"),
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        np.arange(500, dtype=np.float32),
        np.zeros(0, np.float32),
    )
    server.bus.publish("/scan", scan, 1)
    pieces = [one.take()]
    while len(pieces) < pieces[0]["total"]:
        pieces.append(one.take())
    assert all(piece["op"] == "fragment" for piece in pieces)
    whole = json.loads("".join(piece["data"] for piece in pieces))
    assert whole["msg"]["ranges"][499] == 499.0


def test_pieces_of_a_client_make_a_message(server, one):
    box = server.bus.subscribe("/cmd_vel", kept="all")
    text = json.dumps({"op": "publish", "topic": "/cmd_vel", "msg": {"linear": {"x": 0.7}}})
    for number in (2, 0, 1):
        piece = text[number * 30 : (number + 1) * 30] if number < 2 else text[60:]
        one.send(op="fragment", id="f", num=number, total=3, data=piece)
    wait_until(lambda: box.latest, "the command")
    assert box.latest == (NOW_NS, Twist(Vector3(0.7, 0.0, 0.0), Vector3(0.0, 0.0, 0.0)))
    box.close()


def test_a_picture_of_a_client_is_a_message(server, one):
    box = server.bus.subscribe("/cmd_vel", kept="all")
    text = {"op": "publish", "topic": "cmd_vel", "msg": {"angular": {"z": -1}}}
    one.send(op="png", data=wrapped(json.dumps(text).encode()))
    wait_until(lambda: box.latest, "the command")
    assert box.latest[1].angular.z == -1.0
    box.close()


def test_json_in_a_binary_frame_is_understood(server, one):
    one.socket.send(b'{"op":"call_service","service":"/rosapi/get_time","id":"x"}')
    assert one.take()["values"]["time"]["secs"] == 12


def test_topics_of_clients_come_and_go_with_them(server, one, two):
    one.send(op="advertise", topic="/goal", type="geometry_msgs/PoseStamped", id="a")
    two.send(op="subscribe", topic="/goal", type="geometry_msgs/msg/PoseStamped")
    assert "/goal" in two.asked("/rosapi/topics")["topics"]
    one.send(op="publish", topic="/goal", msg={"header": {"frame_id": "map"}})
    found = two.take()
    assert found["msg"]["header"] == {"stamp": {"sec": 12, "nanosec": 34}, "frame_id": "map"}
    assert two.asked("/rosapi/node_details", node="/rosbridge_websocket")["publishing"] == ["/goal"]
    one.send(op="unadvertise", topic="/goal", id="a")
    one.asked("/rosapi/get_time")
    assert "/goal" not in two.asked("/rosapi/topics")["topics"]
    one.send(op="advertise", topic="/goal", type="geometry_msgs/PoseStamped")
    assert "/goal" in one.asked("/rosapi/topics")["topics"]
    one.close()
    wait_until(lambda: "/goal" not in two.asked("/rosapi/topics")["topics"], "the topic to go")


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"op": "publish", "topic": "/odom", "msg": {}}, "published by the simulation"),
        ({"op": "publish", "topic": "/cmd_vle", "msg": {}}, "did you mean '/cmd_vel'"),
        ({"op": "advertise", "topic": "/cmd_vel", "type": "std_msgs/String"}, "carries"),
        ({"op": "advertise", "topic": "/odom", "type": "nav_msgs/Odometry"}, "published by"),
        ({"op": "subscribe", "topic": "/odom", "type": "std_msgs/String"}, "carries"),
        ({"op": "subscribe", "topic": "/o d o m"}, "is not a topic name"),
        ({"op": "subscribe"}, "expected a text in 'topic'"),
        ({"op": "unsubscribe", "topic": "/never"}, "was not subscribed"),
        ({"op": "unadvertise", "topic": "/never"}, "was not advertised"),
        ({"op": "unadvertise_service", "service": "/never"}, "was not advertised"),
        ({"op": "unadvertise_action", "action": "/never"}, "was not advertised"),
        ({"op": "advertise_service", "service": "/outrider/pause", "type": "a/B"}, "own"),
        ({"op": "service_response", "id": "nobody", "values": {}}, "nobody waits"),
        ({"op": "action_result", "id": "nobody", "values": {}}, "nobody has set"),
        ({"op": "cancel_action_goal", "action": "/a", "id": "nobody"}, "no goal"),
        ({"op": "subscribes", "topic": "/odom"}, "did you mean 'subscribe'"),
        ({"op": "set_level", "level": "loud"}, "level is one of"),
    ],
)
def test_what_cannot_be_done_is_told_to_who_wants_to_know(server, one, message, said):
    one.send(op="set_level", level="error")
    one.send(**message, **({} if "id" in message else {"id": "m"}))
    found = one.take()
    assert (found["op"], found["level"]) == ("status", "error")
    assert said in found["msg"]


def test_who_has_not_asked_is_told_nothing(server, one):
    one.send(op="publish", topic="/odom", msg={})
    assert one.nothing()


def test_services_of_the_simulation_answer_under_the_same_id(server, one):
    server.log.clear()
    found = one.call("/outrider/pause")
    assert found == {
        "op": "service_response",
        "service": "/outrider/pause",
        "result": True,
        "id": "c",
        "values": {"success": True, "message": '{"paused": true}'},
    }
    assert one.call("outrider/set_paused", [False])["values"]["success"] is True
    assert [name for name, _ in server.log] == ["pause", "resume"]


def test_services_of_gazebo_take_their_arguments_by_name_or_in_order(server, one):
    server.log.clear()
    state = {"model_name": "box", "pose": {"position": {"x": 2}, "orientation": {"w": 1}}}
    assert one.asked("/gazebo/set_model_state", model_state=state)["success"] is True
    assert one.call("/gazebo/set_model_state", [state])["values"]["success"] is True
    assert [args["position"] for _, args in server.log] == [[2.0, 0.0, 0.0]] * 2


def test_any_service_can_be_called_and_says_why_it_failed(server, one):
    found = one.asked("/outrider/call", service="bad", arguments="{}")
    assert found == {"success": False, "answer": "there is no such thing"}


@pytest.mark.parametrize(
    ("service", "args", "said"),
    [
        ("/nope", None, "there is no such service"),
        ("/outrider/pauze", None, "did you mean '/outrider/pause'"),
        ("/outrider/set_paused", {"data": 3}, "expected true or false"),
        ("/outrider/set_paused", [True, 2], "at most 1 arguments"),
        ("/outrider/set_paused", "yes", "object or a list"),
        ("/gazebo/pause_physics", {"x": 1}, "unknown field"),
        ("/rosapi/message_details", {"type": "no/Such"}, "no message type"),
        ("/rosapi/delete_param", {"name": "/nope"}, "no parameter"),
        ("/rosapi/set_param", {"name": "/a", "value": "{"}, "must be JSON text"),
        ("/rosapi/node_details", {"node": "/nobody"}, "no node"),
    ],
)
def test_a_call_that_fails_says_why(server, one, service, args, said):
    found = one.call(service, args)
    assert found["result"] is False
    assert said in found["values"]


def test_clients_offer_services_to_each_other(server, one, two):
    one.send(op="advertise_service", service="/add", type="example/AddTwoInts")
    assert "/add" in one.asked("/rosapi/services")["services"]
    two.send(op="call_service", service="/add", args={"a": 1, "b": 2}, id="sum")
    asked = one.take()
    assert (asked["op"], asked["service"], asked["args"]) == (
        "call_service",
        "/add",
        {"a": 1, "b": 2},
    )
    assert asked["id"] == "service_request:/add:1"
    one.send(op="service_response", service="/add", id=asked["id"], values={"sum": 3}, result=True)
    assert two.take() == {
        "op": "service_response",
        "service": "/add",
        "values": {"sum": 3},
        "result": True,
        "id": "sum",
    }
    assert two.asked("/rosapi/service_type", service="/add")["type"] == "example/srv/AddTwoInts"
    assert two.asked("/rosapi/service_node", service="/add")["node"] == "/rosbridge_websocket"


def test_who_waits_for_a_client_that_leaves_is_told(server, one, two):
    one.send(op="advertise_service", service="/slow", type="example/Slow")
    one.asked("/rosapi/get_time")
    two.send(op="call_service", service="/slow", id="s")
    assert one.take()["op"] == "call_service"
    one.close()
    found = two.take()
    assert (found["result"], found["id"]) == (False, "s")
    assert "has left" in found["values"]


def test_a_client_that_never_answers_is_waited_for_as_long_as_was_said(server, one, two):
    one.send(op="advertise_service", service="/never", type="example/Never")
    one.asked("/rosapi/get_time")
    two.send(op="call_service", service="/never", id="s", timeout=0.2)
    found = two.take()
    assert found["result"] is False
    assert "in time" in found["values"]


def test_goals_go_to_the_client_that_offers_the_action(server, one, two):
    one.send(op="advertise_action", action="/fib", type="example/Fibonacci")
    assert "/fib" in one.asked("/rosapi/action_servers")["action_servers"]
    two.send(
        op="send_action_goal",
        action="/fib",
        action_type="example/Fibonacci",
        args={"order": 3},
        feedback=True,
        id="g",
    )
    goal = one.take()
    assert (goal["op"], goal["args"], goal["feedback"]) == ("send_action_goal", {"order": 3}, True)
    one.send(op="action_feedback", action="/fib", id=goal["id"], values={"partial": [1]})
    assert two.take() == {
        "op": "action_feedback",
        "action": "/fib",
        "id": "g",
        "values": {"partial": [1]},
    }
    two.send(op="cancel_action_goal", action="/fib", id="g")
    assert one.take() == {"op": "cancel_action_goal", "action": "/fib", "id": goal["id"]}
    one.send(
        op="action_result",
        action="/fib",
        id=goal["id"],
        values={"full": [1, 1]},
        status=5,
        result=True,
    )
    assert two.take() == {
        "op": "action_result",
        "action": "/fib",
        "id": "g",
        "values": {"full": [1, 1]},
        "status": 5,
        "result": True,
    }


def test_steps_are_an_action_with_feedback(server, one):
    server.log.clear()
    one.send(
        op="send_action_goal", action="/simulate_steps", args={"steps": 50}, feedback=True, id="g"
    )
    found = [one.take() for _ in range(4)]
    assert [f["values"]["completed_steps"] for f in found[:3]] == [20, 40, 50]
    assert (found[3]["op"], found[3]["status"], found[3]["result"]) == ("action_result", 4, True)
    assert [args["steps"] for _, args in server.log] == [20, 20, 10]


@pytest.mark.parametrize(
    ("action", "args"),
    [("/nope", {}), ("/simulate_steps", {"steps": -1}), ("/simulate_steps", {"steps": True})],
)
def test_goals_that_cannot_be_reached_fail_with_a_reason(server, one, action, args):
    one.send(op="send_action_goal", action=action, args=args, id="g")
    found = one.take()
    assert (found["op"], found["result"], found["id"]) == ("action_result", False, "g")
    assert found["values"]


def test_one_goal_of_steps_is_pursued_at_a_time():
    gate = threading.Event()
    with served(step=lambda _: gate.wait(60) and {}) as server, client(server) as one:
        for name in "ab":
            one.send(op="send_action_goal", action="/simulate_steps", args={"steps": 1}, id=name)
        busy = one.take()
        assert (busy["id"], busy["result"]) == ("b", False)
        assert "another goal" in busy["values"]
        gate.set()
        assert one.take()["status"] == 4


def test_long_answers_come_whole_to_who_reads_slowly(server, one):
    one.asked("/rosapi/set_param", name="/long", value='"' + "x" * 900_000 + '"')
    for number in range(10):
        one.send(op="call_service", service="/rosapi/get_param", args={"name": "/long"}, id=number)
    time.sleep(0.5)  # more than the socket takes has been answered by now
    found = [one.take() for _ in range(10)]
    assert [len(answer["values"]["value"]) for answer in found] == [900_002] * 10
    one.asked("/rosapi/delete_param", name="/long")


def test_rosapi_knows_topics_types_and_services(server, one):
    one.send(op="subscribe", topic="/clock", type="rosgraph_msgs/Clock")
    listed = one.asked("/rosapi/topics")
    types = dict(zip(listed["topics"], listed["types"], strict=True))
    assert types["/cmd_vel"] == "geometry_msgs/Twist"
    one.send(op="unsubscribe", topic="/clock")
    one.send(op="subscribe", topic="/clock", type="rosgraph_msgs/msg/Clock")
    assert one.asked("/rosapi/topic_type", topic="/cmd_vel")["type"] == "geometry_msgs/msg/Twist"
    assert one.asked("/rosapi/topics_for_type", type="geometry_msgs/Twist")["topics"] == [
        "/cmd_vel"
    ]
    assert one.asked("/rosapi/services_for_type", type="std_srvs/srv/SetBool")["services"] == [
        "/outrider/set_paused"
    ]
    kind = one.asked("/rosapi/service_type", service="/gazebo/spawn_sdf_model")["type"]
    assert kind == "gazebo_msgs/srv/SpawnModel"
    assert one.asked("/rosapi/service_providers", service="/rosapi/topics")["providers"] == [
        "/rosapi"
    ]
    assert one.asked("/rosapi/publishers", topic="/odom")["publishers"] == ["/outrider"]
    assert one.asked("/rosapi/subscribers", topic="/cmd_vel")["subscribers"] == ["/outrider"]
    assert "/outrider" in one.asked("/rosapi/nodes")["nodes"]
    assert "/cmd_vel" in one.asked("/rosapi/node_details", node="/outrider")["subscribing"]
    raw = one.asked("/rosapi/topics_and_raw_types")
    assert "float64 x" in raw["typedefs_full_text"][raw["topics"].index("/cmd_vel")]
    assert one.asked("/rosapi/get_ros_version")["version"] == 2
    assert one.asked("/rosapi/service_host", service="/x")["host"] == "localhost"


def test_rosapi_describes_types_with_all_within_them(server, one):
    found = one.asked("/rosapi/message_details", type="geometry_msgs/PoseStamped")["typedefs"]
    by_type = {one["type"]: one for one in found}
    assert list(by_type) == [
        "geometry_msgs/PoseStamped",
        "std_msgs/Header",
        "geometry_msgs/Pose",
        "geometry_msgs/Point",
        "geometry_msgs/Quaternion",
    ]
    assert by_type["std_msgs/Header"]["fieldtypes"] == ["uint32", "time", "string"]
    scan = one.asked("/rosapi/message_details", type="sensor_msgs/msg/Imu")["typedefs"][0]
    assert scan["fieldarraylen"][scan["fieldnames"].index("orientation_covariance")] == 9
    asked = one.asked("/rosapi/service_request_details", type="std_srvs/SetBool")["typedefs"]
    assert asked[0]["fieldnames"] == ["data"]
    told = one.asked("/rosapi/service_response_details", type="std_srvs/srv/Trigger")["typedefs"]
    assert told[0]["fieldnames"] == ["success", "message"]
    field = one.asked("/rosapi/message_details", type="sensor_msgs/PointField")["typedefs"][0]
    assert dict(zip(field["constnames"], field["constvalues"], strict=True))["FLOAT32"] == "7"


def test_parameters_are_kept(server, one):
    assert json.loads(one.asked("/rosapi/get_param", name="/use_sim_time")["value"]) is True
    assert "jackal" in one.asked("/rosapi/get_param", name="/robot_description")["value"]
    assert one.asked("/rosapi/get_param", name="/nope")["value"] == "null"
    assert one.asked("/rosapi/get_param", name="/nope", default="5")["value"] == "5"
    one.asked("/rosapi/set_param", name="/mine/speed", value="[1.5, null]")
    assert one.asked("/rosapi/get_param", name="/mine/speed")["value"] == "[1.5,null]"
    assert one.asked("/rosapi/get_param", name="/mine:speed")["value"] == "[1.5,null]"
    assert one.asked("/rosapi/has_param", name="/mine/speed")["exists"] is True
    assert one.asked("/rosapi/search_param", name="mine")["global_name"] == "/mine"
    assert "/mine/speed" in one.asked("/rosapi/get_param_names")["names"]
    one.asked("/rosapi/delete_param", name="/mine/speed")
    assert one.asked("/rosapi/has_param", name="/mine/speed")["exists"] is False


def test_the_time_has_both_spellings(server, one):
    assert one.asked("/rosapi/get_time") == {
        "time": {"secs": 12, "nsecs": 34, "sec": 12, "nanosec": 34}
    }


def test_a_plain_socket_speaks_the_same(server):
    with plain(server) as end, end.makefile("rwb") as lines:
        lines.write(b'{"op":"subscribe","topic":"/odom","compression":"cbor"} {"op":"call_ser')
        lines.flush()
        server.listened("/odom")
        lines.write(b'vice","service":"/rosapi/get_time","id":"t"}')
        lines.flush()
        assert json.loads(lines.readline())["id"] == "t"
        server.bus.publish("/odom", odometry(4.0), 1)
        assert x_of(json.loads(lines.readline())) == 4.0
    assert isinstance(odometry(), Odometry)
