"""What valid peers say on every port, as bytes: one talk is all that a client sends."""

import io
import json
import struct
import xmlrpc.client
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from tools.fuzz.mutate import Rng, damaged, tree

from outrider.bridges.ros1.header import encode_header
from outrider.bridges.rosbridge.encoding import cbor
from outrider.bridges.udp.header import Header, write_header
from outrider.bridges.udp.wire import write_body
from outrider.messages.ros1.types import new, ros1_service, serialize

Places: TypeAlias = dict[str, Any]
Talk: TypeAlias = tuple[str, bytes]  # port, bytes

BOX = (
    "<robot name='b'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'"
    " ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><box size='1 1 1'/></geometry>"
    "</collision></link></robot>"
)
ROVER = (Path(__file__).parent / "texts" / "gazebo.urdf").read_text("utf-8")
STOP = {"x": 6.0, "y": 9.0, "wait_s": 1.0}
WEATHER = {"hour": 9.0, "rain_mm_h": 5.0, "changes": [{"at_s": 1.0, "wind_m_s": 3.0}]}
PERSON = {"type": "person", "count": 2, "area": {"centre": [8.0, 8.0], "size": [4.0, 4.0]}}
GATE = {"type": "gate", "on": "crate", "near": 2.0}
POSE = {"x": 3.0, "y": 4.0, "z": 2.0}
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("status", {}),
    ("pause", {}),
    ("resume", {}),
    ("step", {"steps": 1}),
    ("set_speed", {"speed": 1.0}),
    ("lockstep", {"period_s": 0.0, "timeout_s": 0.1}),
    ("get_state", {"name": "jackal", "frame": ""}),
    ("get_states", {}),
    ("set_state", {"name": "jackal", "position": [1, 2, 0.1], "orientation": [0, 0, 0, 1]}),
    ("set_state", {"name": "crate", "position": [0.2, 0, 0.1], "velocity": [0, 0, 1]}),
    ("set_joints", {"model": "jackal", "joints": {"front_left_wheel": 0.1}}),
    ("apply_wrench", {"body": "jackal", "force": [1, 0, 0], "duration_s": 0.1}),
    ("clear_wrenches", {}),
    ("register_type", {"name": "a/msg/B", "text": "float64 x\nstring[] names\n"}),
    ("model_properties", {"name": "jackal"}),
    ("undo", {}),
    ("redo", {}),
    ("put_back", {"name": "jackal"}),
    ("list_models", {}),
    ("list_components", {}),
    ("reload_components", {}),
    ("world_properties", {}),
    ("physics_properties", {}),
    ("reset_world", {}),
    ("stop", {}),
)
# those that build a world anew take longer, and come less often
BUILDING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("spawn", {"name": "box", "text": BOX, "pose": POSE}),
    ("spawn", {"name": "rover", "text": ROVER, "pose": {"x": -6.0, "y": 6.0}}),
    ("add_object", {"name": "crate", "shape": {"type": "box", "size": [1, 1, 1]}, "pose": POSE}),
    ("add_actor", {"type": "person", "name": "guest", "points": [[4.0, 6.0], [8.0, 6.0]]}),
    ("add_actor", {"type": "car", "name": "taxi", "points": [[4, 9], [9, 9]], "stops": [STOP]}),
    ("add_actor", {"type": "herd", "count": 3, "area": {"centre": [-9, 9], "size": [5, 5]}}),
    ("add_robot", {"model": "create", "name": "two", "pose": {"x": -3.0}}),
    ("add_sensor", {"name": "s2", "model": "sick-lms111", "robot": "jackal", "rate_hz": 5}),
    ("remove_sensor", {"name": "s2", "robot": "jackal"}),
    ("move", {"name": "crate", "x": 1.0, "y": 5.0}),
    ("remove", {"name": "crate"}),
    ("rename_topic", {"robot": "jackal", "key": "odometry", "name": "/odom"}),
    ("load_world", {"world": "empty"}),
    ("load_world", {"world": {"weather": WEATHER, "actors": [PERSON], "components": [GATE]}}),
    ("reset", {}),
    ("save_world", {"file": "w.yaml"}),
    ("save_state", {"file": "s.state"}),
    ("load_state", {"file": "s.state"}),
)
_TWIST = {"linear": {"x": 0.1, "y": 0.0, "z": 0.0}, "angular": {"x": 0.0, "y": 0.0, "z": 0.1}}


def _call(rng: Rng) -> tuple[str, dict[str, Any]]:
    """Return a service and its arguments."""
    return rng.choice(BUILDING if rng.random() < 0.02 else CALLS)


def local(places: Places, rng: Rng) -> Talk:
    """Send lines of JSON after a line with the token."""
    requests: list[dict[str, Any]] = [
        {"op": "topics", "id": 1},
        {"op": "subscribe", "id": 2, "topic": "/clock", "kept": "all", "longest": 10},
        {"op": "unsubscribe", "id": 3, "topic": "/clock"},
        {"op": "publish", "id": 4, "topic": "/cmd_vel", "msg": _TWIST},
        *(
            {"op": "call", "id": 5, "service": s, "args": a}
            for s, a in (_call(rng) for _ in "12345")
        ),
    ]
    hello = json.dumps({"token": places["token"]}).encode() + b"\n"
    return "local", hello + _json(rng.choice(requests), rng) + b"\n"


def xmlrpc_call(places: Places, rng: Rng) -> Talk:
    """Call the master or a node."""
    here = f"http://127.0.0.1:{places['node']}/"
    calls = (
        ("getPid", ("/t",)),
        ("getUri", ("/t",)),
        ("registerPublisher", ("/t", "/chatter", "std_msgs/String", "http://127.0.0.1:1/")),
        ("registerSubscriber", ("/t", "/clock", "*", "http://127.0.0.1:1/")),
        ("unregisterPublisher", ("/t", "/chatter", "http://127.0.0.1:1/")),
        ("registerService", ("/t", "/s", "rosrpc://127.0.0.1:1", "http://127.0.0.1:1/")),
        ("lookupService", ("/t", "/outrider/call")),
        ("lookupNode", ("/t", "/outrider")),
        ("getPublishedTopics", ("/t", "")),
        ("getSystemState", ("/t",)),
        ("getTopicTypes", ("/t",)),
        ("setParam", ("/t", "/a/b", {"c": [1, 2.5, "x", True]})),
        ("getParam", ("/t", "/a")),
        ("searchParam", ("/t", "a")),
        ("subscribeParam", ("/t", here, "/a")),
        ("deleteParam", ("/t", "/a")),
        ("getParamNames", ("/t",)),
        ("requestTopic", ("/t", "/clock", [["TCPROS"]])),
        ("publisherUpdate", ("/t", "/cmd_vel", ["http://127.0.0.1:1/"])),
        ("getBusStats", ("/t",)),
        ("system.multicall", ([{"methodName": "getPid", "params": ["/t"]}],)),
    )
    method, arguments = rng.choice(calls)
    body = xmlrpc.client.dumps(arguments, method).encode()
    if rng.random() < 0.8:
        body = damaged(body, rng, "call.xml")
    head = {"Host": "127.0.0.1", "Content-Type": "text/xml"}
    return rng.choice(("master", "node")), _some(_http("POST", "/RPC2", head, body), rng, 0.2)


def tcpros(_: Places, rng: Rng) -> Talk:
    """Send a subscriber's header, or a service's header and request."""
    if rng.random() < 0.3:
        header = {"callerid": "/t", "topic": "/clock", "md5sum": "*", "type": "*"}
        return "tcpros", _some(encode_header(header), rng, 0.9)
    service, kind, fields = rng.choice(_typed_calls(rng))
    types = ros1_service(kind)
    body = bytes(serialize(new(types.request, **fields), types.request))
    header = {"callerid": "/t", "service": service, "md5sum": types.md5sum}
    if rng.random() < 0.7:
        body = damaged(body, rng)
    whole = encode_header(header) + struct.pack("<I", len(body)) + body
    return "tcpros", _some(whole, rng, 0.3)


def _typed_calls(rng: Rng) -> list[tuple[str, str, dict[str, Any]]]:
    name, arguments = _call(rng)
    text = _json(arguments, rng).decode("utf-8", "replace")
    return [
        ("/outrider/call", "outrider_msgs/Call", {"service": name, "arguments": text}),
        (
            "/gazebo/spawn_urdf_model",
            "gazebo_msgs/SpawnModel",
            {"model_name": "g", "model_xml": BOX},
        ),
        ("/gazebo/get_model_state", "gazebo_msgs/GetModelState", {"model_name": "jackal"}),
        ("/gazebo/delete_model", "gazebo_msgs/DeleteModel", {"model_name": "box"}),
        ("/gazebo/set_model_state", "gazebo_msgs/SetModelState", {}),
        ("/gazebo/set_link_state", "gazebo_msgs/SetLinkState", {}),
        (
            "/gazebo/set_model_configuration",
            "gazebo_msgs/SetModelConfiguration",
            {"model_name": "jackal", "joint_names": ["front_left_wheel"]},
        ),
        (
            "/gazebo/apply_body_wrench",
            "gazebo_msgs/ApplyBodyWrench",
            {"body_name": "jackal::base_link"},
        ),
        ("/gazebo/get_link_state", "gazebo_msgs/GetLinkState", {"link_name": "jackal::base_link"}),
        ("/outrider/status", "std_srvs/Trigger", {}),
    ]


def rosbridge_operation(rng: Rng) -> dict[str, Any]:
    """Return an operation of the rosbridge protocol."""
    name, arguments = _call(rng)
    call = {"service": name, "arguments": json.dumps(arguments)}
    operations: tuple[dict[str, Any], ...] = (
        {
            "op": "subscribe",
            "topic": "/scan",
            "type": "sensor_msgs/LaserScan",
            "compression": "cbor",
        },
        {"op": "subscribe", "topic": "/odom", "throttle_rate": 10, "queue_length": 2, "id": "a"},
        {"op": "unsubscribe", "topic": "/odom", "id": "a"},
        {"op": "advertise", "topic": "/cmd_vel", "type": "geometry_msgs/Twist", "latch": True},
        {"op": "publish", "topic": "/cmd_vel", "msg": _TWIST},
        {"op": "unadvertise", "topic": "/cmd_vel"},
        {"op": "call_service", "service": "/outrider/call", "args": call, "id": "b"},
        {"op": "call_service", "service": "/rosapi/topics", "args": {}},
        {"op": "call_service", "service": "/rosapi/message_details", "args": {"type": "a/B"}},
        {"op": "call_service", "service": "/rosapi/set_param", "args": {"name": "x", "value": "1"}},
        {"op": "advertise_service", "type": "std_srvs/Trigger", "service": "/mine"},
        {"op": "service_response", "service": "/mine", "values": {}, "result": True, "id": "c"},
        {"op": "fragment", "id": "f", "data": '{"op":', "num": 0, "total": 2},
        {"op": "set_level", "level": "none"},
        {"op": "send_action_goal", "action": "/simulate_steps", "args": {"steps": 1}, "id": "d"},
        {
            "op": "auth",
            "mac": "x",
            "client": "a",
            "dest": "b",
            "rand": "c",
            "t": 0,
            "level": "",
            "end": 0,
        },
    )
    return rng.choice(operations)


def rosbridge(places: Places, rng: Rng) -> Talk:
    """Open a WebSocket and send an operation, as text or as CBOR."""
    operation = rosbridge_operation(rng)
    if rng.random() < 0.2:
        for _ in range(rng.randint(0, 2)):
            operation = tree(operation, rng)
        frame = _frame(2, _some(_cbor(operation), rng, 0.5))
    else:
        frame = _frame(1, _json(operation, rng))
    return "rosbridge", _some(_upgrade(places["rosbridge"], "/") + frame, rng, 0.1)


def rosbridge_tcp(_: Places, rng: Rng) -> Talk:
    """Send JSON objects on a plain socket."""
    return "rosbridge-tcp", _json(rosbridge_operation(rng), rng)


def _cbor(value: Any) -> bytes:
    try:
        return bytes(cbor.dumps(value))
    except (TypeError, ValueError, OverflowError, AttributeError):
        return json.dumps(value).encode()


def foxglove(places: Places, rng: Rng) -> Talk:
    """Open a WebSocket and send a message of Foxglove's protocol."""
    name, arguments = _call(rng)
    del name
    texts: tuple[dict[str, Any], ...] = (
        {"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 1}]},
        {"op": "unsubscribe", "subscriptionIds": [1]},
        {
            "op": "advertise",
            "channels": [
                {
                    "id": 1,
                    "topic": "/cmd_vel",
                    "encoding": "json",
                    "schemaName": "geometry_msgs/msg/Twist",
                }
            ],
        },
        {"op": "unadvertise", "channelIds": [1]},
        {"op": "getParameters", "parameterNames": [], "id": "p"},
        {"op": "setParameters", "parameters": [{"name": "speed", "value": 1.0}], "id": "q"},
        {"op": "fetchAsset", "uri": "package://jackal/meshes/a.stl", "requestId": 1},
        {"op": "playbackControlRequest"},
    )
    call = struct.pack("<BIII", 2, rng.randrange(40), 1, 4) + b"json" + _json(arguments, rng)
    message = struct.pack("<BI", 1, 1) + _json(_TWIST, rng)
    frame = _frame(1, _json(rng.choice(texts), rng))
    if rng.random() < 0.5:
        frame = _frame(2, _some(rng.choice((call, message)), rng, 0.3))
    head = _upgrade(places["foxglove"], "/", "foxglove.sdk.v1")
    return "foxglove", _some(head + frame, rng, 0.1)


def ros_tcp(_: Places, rng: Rng) -> Talk:
    """Send frames of a ROS-TCP-Endpoint, after its greeting."""
    fields = [
        ("__request", {"srv_id": 1}),
        ("__response", {"srv_id": 1}),
        ("__topic_list", {"topics": ["/a"], "types": ["std_msgs/String"]}),
        ("__warn", {"text": "a warning"}),
        ("__handshake", {"version": "v0.7.0", "metadata": '{"protocol": "ROS1"}'}),
    ]
    out = b""
    for _number in range(rng.randint(1, 3)):
        name, value = rng.choice(fields)
        body = _json(value, rng) if rng.random() < 0.7 else json.dumps(value).encode()
        out += _endpoint_frame(name, body)
        if name == "__request":
            service, kind, asked = rng.choice(_typed_calls(rng))
            types = ros1_service(kind)
            made = bytes(serialize(new(types.request, **asked), types.request))
            out += _endpoint_frame(service, _some(made, rng, 0.7))
    twist = bytes(serialize(new("geometry_msgs/msg/Twist"), "geometry_msgs/msg/Twist"))
    out += _endpoint_frame("/cmd_vel", _some(twist, rng, 0.7))
    return "ros-tcp", _some(out, rng, 0.05)


def _endpoint_frame(name: str, body: bytes) -> bytes:
    raw = name.encode()
    return struct.pack("<I", len(raw)) + raw + struct.pack("<I", len(body)) + body


def udp(_: Places, rng: Rng) -> Talk:
    """Send a datagram of the UDP Bridge: a command, a subscription, or a part of a message."""
    twist = b"".join(write_body(new("geometry_msgs/msg/Twist"), "geometry_msgs/msg/Twist"))
    bodies = {9: twist, 7: b"", 1: bytes(2000), 2: bytes(328), -1: bytes(8), -2: bytes(12)}
    kind = rng.choice(list(bodies))
    part, parts = rng.choice(((0, 1), (0, 1), (0, 3), (2, 3), (5, 200), (10**6, 10**7)))
    topic = rng.choice(("/cmd_vel", "/scan", "/*", "/odom"))
    head = Header(kind, rng.randrange(9), part, parts, rng.randrange(99), 0, topic, "base")
    return "udp", _some(bytes(write_header(head)) + bodies[kind], rng, 0.9)


def editor(places: Places, rng: Rng) -> Talk:
    """Ask as the editor's page does: for its scene, with files that are dropped, on its stream."""
    host = {"Host": f"127.0.0.1:{places['editor']}"}
    if rng.random() < 0.3:
        said = {"k": "drive", "robot": "jackal", "x": 0.5, "y": 0.0}
        address = rng.choice(
            ("/outrider/stream", "/_nicegui_ws/socket.io/?EIO=4&transport=websocket")
        )
        frame = _frame(1, _json(said, rng)) if "stream" in address else _frame(1, _socket_io(rng))
        return "editor", _some(_upgrade(places["editor"], address) + frame, rng, 0.1)
    if rng.random() < 0.4:
        return "editor", _some(_upload(host, rng), rng, 0.2)
    paths = (
        "/outrider/stage.json",
        "/outrider/mesh/0",
        "/outrider/picture/0",
        "/outrider/mesh/../..",
        "/_nicegui/x",
        "/_nicegui_ws/socket.io/?EIO=4&transport=polling",
        "/?token=x",
        "//etc/passwd",
    )
    return "editor", _some(_http("GET", rng.choice(paths), {**host, "Cookie": "a=b"}), rng, 0.7)


def _socket_io(rng: Rng) -> bytes:
    event = ["event", {"id": 1, "client_id": "x", "listener_id": "y", "args": [1]}]
    return rng.choice((b"40", b"42")) + _json(event, rng)


def _upload(host: dict[str, str], rng: Rng) -> bytes:
    body = io.BytesIO()
    for name in rng.choice((("a.urdf",), ("a.urdf", "b/../../c.stl"), ("x.obj", "x.mtl"))):
        data = damaged(BOX.encode(), rng, name)
        place = f'form-data; name="file"; filename="{name}"'
        body.write(f"--B\r\nContent-Disposition: {place}\r\n\r\n".encode() + data + b"\r\n")
    body.write(b"--B--\r\n")
    head = {**host, "Content-Type": "multipart/form-data; boundary=B"}
    return _http("POST", "/outrider/bring", head, body.getvalue())


def _http(method: str, path: str, head: dict[str, str], body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", *(f"{key}: {value}" for key, value in head.items())]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


def _upgrade(port: int, path: str, protocol: str = "") -> bytes:
    head = {
        "Host": f"127.0.0.1:{port}",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
    }
    if protocol:
        head["Sec-WebSocket-Protocol"] = protocol
    return _http("GET", path, head)


def _frame(kind: int, payload: bytes) -> bytes:
    """Return a client's frame, masked with zeros."""
    size = len(payload)
    if size < 126:
        head = bytes([0x80 | kind, 0x80 | size])
    elif size < 65536:
        head = bytes([0x80 | kind, 0xFE]) + struct.pack(">H", size)
    else:
        head = bytes([0x80 | kind, 0xFF]) + struct.pack(">Q", size)
    return head + bytes(4) + payload


def _json(value: Any, rng: Rng) -> bytes:
    """Return data as JSON, most often changed in one to three places, now and then as bytes."""
    if rng.random() < 0.1:
        return json.dumps(value).encode()
    for _ in range(rng.randint(1, 3)):
        value = tree(value, rng)
    return _some(json.dumps(value).encode(), rng, 0.15)


def _some(data: bytes, rng: Rng, share: float) -> bytes:
    return damaged(data, rng) if rng.random() < share else data


TALKS: dict[str, Callable[[Places, Rng], Talk]] = {
    "local": local,
    "xmlrpc": xmlrpc_call,
    "tcpros": tcpros,
    "rosbridge": rosbridge,
    "rosbridge-tcp": rosbridge_tcp,
    "foxglove": foxglove,
    "ros-tcp": ros_tcp,
    "udp": udp,
    "editor": editor,
}
