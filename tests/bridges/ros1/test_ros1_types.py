import numpy as np
import pytest

from outrider.bridges.names import canonical, remaps, resolve
from outrider.bridges.parameter_tree import ParameterTree
from outrider.bridges.ros1.header import decode_header, encode_header
from outrider.core.errors import BridgeError, ConfigError
from outrider.messages.convert import from_dict, to_dict
from outrider.messages.ros1.convert import from_ros1, to_ros1
from outrider.messages.ros1.types import deserialize, ros1_service, ros1_type, serialize
from outrider.messages.store import register

# As published ROS 1 packages have them
MESSAGES = {
    "std_msgs/Header": "2176decaecbce78abc3b96ef049fabed",
    "geometry_msgs/Twist": "9f195f881246fdfa2798d1d3eebca84a",
    "tf2_msgs/TFMessage": "94810edda583a504dfda3829e70d7eec",
    "nav_msgs/Odometry": "cd5e73d190d741a2f92e81eda573aca7",
    "sensor_msgs/LaserScan": "90c7ef2dc6895d81024acba2ac42f369",
    "sensor_msgs/Imu": "6a62c6daae103f4ff57a132d6f95cec2",
    "sensor_msgs/CameraInfo": "c9a58c1b0b154e0e6da7578cb991d214",
    "sensor_msgs/PointCloud2": "1158d486dd51d683ce2f1be655c3c181",
    "sensor_msgs/Range": "c005c34273dc426c67a020a87bc24148",
    "rosgraph_msgs/Clock": "a9c97c1d230cfc112e270351a944ee47",
    "rosgraph_msgs/Log": "acffd30cd6b6de30f120938c17c593fb",
    "gazebo_msgs/ModelState": "9330fd35f2fcd82d457e54bd54e10593",
    "gazebo_msgs/ModelStates": "48c080191eb15c41858319b4d8a609c2",
}
SERVICES = {
    "std_srvs/Empty": "d41d8cd98f00b204e9800998ecf8427e",
    "std_srvs/Trigger": "937c9679a518e3a18d831e57125ea522",
    "std_srvs/SetBool": "09fb03525b03e7ea1fd3992bafd87e16",
    "gazebo_msgs/SetModelState": "5b3ab0281d4f5445def017e3a2e4a07b",
    "gazebo_msgs/SpawnModel": "9ed9c82c96abe1a00c3e8cdaeee24413",
    "gazebo_msgs/GetWorldProperties": "36bb0f2eccf4d8be971410c22818ba3f",
    "gazebo_msgs/GetModelProperties": "5717f7bd34ed990fa80e28b3015027a3",
    "gazebo_msgs/GetModelState": "4c515e936d3319c9610c559c60bfc3d4",
    "gazebo_msgs/GetPhysicsProperties": "575a5e74786981b7df2e3afc567693a6",
    "gazebo_msgs/BodyRequest": "5eade9afe7f232d78005bd0cafeab755",
    "gazebo_msgs/ApplyBodyWrench": "585b9f9618aa0581b207e2f2d90866bc",
}


@pytest.mark.parametrize(("name", "md5sum"), MESSAGES.items())
def test_message_checksums_are_those_of_ros_1(name, md5sum):
    assert ros1_type(name).md5sum == md5sum


@pytest.mark.parametrize(("name", "md5sum"), SERVICES.items())
def test_service_checksums_are_those_of_ros_1(name, md5sum):
    assert ros1_service(name).md5sum == md5sum


def test_a_header_is_written_as_the_protocol_says():
    fields = {
        "callerid": "/n",
        "md5sum": "992ce8a1687cec8c8bd883ec73ca41d1",
        "topic": "/chatter",
        "type": "std_msgs/String",
    }
    expected = bytes.fromhex(
        "64000000 0b000000 63616c6c657269643d2f6e 27000000 6d643573756d3d39393263653861313638376365"
        "63386338626438383365633733636134316431 0e000000 746f7069633d2f63686174746572 14000000"
        "747970653d7374645f6d7367732f537472696e67"
    )
    assert encode_header(fields) == expected
    assert decode_header(expected[4:]) == fields


@pytest.mark.parametrize("body", [b"\x05\x00", b"\xff\xff\xff\x7fa=b", b"\x03\x00\x00\x00abc"])
def test_a_broken_header_is_refused(body):
    with pytest.raises(BridgeError):
        decode_header(body)


def _round(type_name, values):
    message = from_dict(type_name, values)
    data = serialize(to_ros1(type_name)(message), type_name)
    return message, from_ros1(type_name)(deserialize(data, type_name))


@pytest.mark.parametrize(
    ("type_name", "values"),
    [
        ("geometry_msgs/msg/Twist", {"linear": {"x": 1.5}, "angular": {"z": -0.25}}),
        (
            "sensor_msgs/msg/CameraInfo",
            {
                "header": {"frame_id": "cam", "stamp": {"sec": 3, "nanosec": 7}},
                "k": [2.0] * 9,
                "d": [0.1, 0.2],
                "height": 4,
                "distortion_model": "plumb_bob",
            },
        ),
        ("sensor_msgs/msg/JointState", {"name": ["a", "b"], "position": [1.0, 2.0]}),
        ("tf2_msgs/msg/TFMessage", {"transforms": [{"child_frame_id": "x"}]}),
        ("autominy_msgs/msg/SpeedCommand", {"value": 0.5}),
    ],
)
def test_a_message_comes_back_as_it_went(type_name, values):
    sent, came = _round(type_name, values)
    assert to_dict(came) == to_dict(sent)
    assert type(came) is type(sent)


def test_fields_that_ros_1_does_not_have_are_left_out():
    sent, came = _round("sensor_msgs/msg/Range", {"range": 2.5, "variance": 0.3})
    assert (came.range, came.variance) == (2.5, 0.0)
    assert sent.variance == pytest.approx(0.3)


def test_a_type_of_run_time_text_goes_over_the_wire():
    register("late_msgs/msg/Reading", "std_msgs/Header header\nfloat32[3] values\nuint8 KIND=2\n")
    sent, came = _round("late_msgs/msg/Reading", {"values": [1.0, 2.0, 3.0]})
    assert np.array_equal(sent.values, came.values)


def test_bytes_that_are_no_message_are_refused():
    with pytest.raises(BridgeError, match="Twist"):
        deserialize(b"\x00\x01", "geometry_msgs/msg/Twist")


def test_names_are_resolved_as_ros_does():
    assert resolve("~a", "/ns/node") == "/ns/node/a"
    assert resolve("a//b/", "/ns/node") == "/ns/a/b"
    assert resolve("/a", "/ns/node") == "/a"
    assert canonical("/") == "/"
    assert remaps(("odom:=/wheels/odom",)) == {"/odom": "/wheels/odom"}
    with pytest.raises(ConfigError, match="remap"):
        remaps(("/odom=/x",))


def test_parameters_form_a_tree():
    tree = ParameterTree()
    tree.set("/a/b", 1)
    tree.set("/a/c/d", "x")
    assert tree.get("/a") == {"b": 1, "c": {"d": "x"}}
    assert sorted(tree.names()) == ["/a/b", "/a/c/d"]
    assert tree.search("/a/c/e", "b") == "/a/b"
    tree.set("/a/b/below", 2)  # a value becomes a namespace
    assert tree.get("/a/b/below") == 2
    tree.delete("/a/c")
    assert not tree.has("/a/c/d")
    with pytest.raises(KeyError):
        tree.delete("/a/c")
