import json
import math

import numpy as np
import pytest

from outrider.core.errors import BusError
from outrider.messages.convert import from_dict, to_dict
from outrider.messages.types import Image, JointState, header, register, store


def test_a_message_becomes_plain_json():
    position = np.array([0.5, -1.25])
    message = JointState(header(1_500_000_000, ""), ["a", "b"], position, np.zeros(0), np.zeros(0))
    data = json.loads(json.dumps(to_dict(message)))
    assert data == {
        "header": {"stamp": {"sec": 1, "nanosec": 500_000_000}, "frame_id": ""},
        "name": ["a", "b"],
        "position": [0.5, -1.25],
        "velocity": [],
        "effort": [],
    }


def test_scalars_of_numpy_become_plain():
    message = from_dict("sensor_msgs/msg/Range", {})
    message.range = np.float32(0.5)
    message.radiation_type = np.uint8(1)
    assert json.dumps(to_dict(message)["range"]) == "0.5"
    assert type(to_dict(message)["radiation_type"]) is int


def image(size: int) -> Image:
    return from_dict("sensor_msgs/msg/Image", {"data": list(range(size))})


def test_bytes_are_listed_summarised_or_packed_as_asked():
    assert to_dict(image(3))["data"] == [0, 1, 2]
    assert to_dict(image(3), octets="base64")["data"] == "AAEC"
    assert to_dict(image(65), longest=64)["data"] == "<65 bytes>"
    assert to_dict(image(64), longest=64)["data"] == list(range(64))


@pytest.mark.parametrize("octets", ["list", "base64"])
def test_bytes_come_back_in_either_form(octets):
    again = from_dict("sensor_msgs/msg/Image", to_dict(image(200), octets=octets))
    assert np.array_equal(again.data, np.arange(200, dtype=np.uint8))


def test_missing_fields_are_zero_or_empty():
    message = from_dict("sensor_msgs/CameraInfo", {"width": 640})
    assert message.width == 640
    assert message.height == 0
    assert np.array_equal(message.k, np.zeros(9))
    assert message.d.size == 0
    assert message.roi.do_rectify is False
    assert message.distortion_model == ""


def test_every_type_of_the_store_survives_with_its_defaults():
    for name in store().types:
        message = from_dict(name, {})
        raw = bytes(store().serialize_cdr(message, name))
        again = from_dict(name, to_dict(store().deserialize_cdr(raw, name)))
        assert bytes(store().serialize_cdr(again, name)) == raw


def test_not_a_number_and_infinity_survive():
    scan = from_dict("sensor_msgs/LaserScan", {"ranges": [math.inf, math.nan, 1.5]})
    ranges = to_dict(scan)["ranges"]
    assert ranges[0] == math.inf
    assert math.isnan(ranges[1])
    assert ranges[2] == 1.5


def test_a_field_that_is_a_word_of_python_keeps_its_name_in_dictionaries():
    register("lab_msgs/msg/Lesson", "string class\n")
    assert to_dict(from_dict("lab_msgs/Lesson", {"class": "6b"})) == {"class": "6b"}


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("geometry_msgs/Twist", {"liner": {}}, r"Twist: unknown field 'liner'.*'linear'"),
        ("geometry_msgs/Twist", {"linear": {"w": 1}}, r"Twist: linear: unknown field 'w'"),
        ("geometry_msgs/Twist", {"linear": {"x": "fast"}}, r"linear.x: expected a number.*'fast'"),
        ("geometry_msgs/Twist", {"linear": {"x": True}}, "linear.x: expected a number, got True"),
        ("geometry_msgs/Twist", {"linear": {"x": None}}, "linear.x: expected a number, got None"),
        ("geometry_msgs/Twist", {"linear": {"x": 10**400}}, "linear.x: expected a float64"),
        ("geometry_msgs/Twist", {"linear": [1, 2, 3]}, "linear: expected a mapping"),
        ("geometry_msgs/Twist", [], "expected a mapping"),
        ("autominy_msgs/Tick", {"value": 256}, "whole number from 0 to 255, got 256"),
        ("autominy_msgs/Tick", {"value": 1.0}, "whole number"),
        ("autominy_msgs/Voltage", {"value": 1e39}, "a float32"),
        ("std_msgs/Bool", {"data": 1}, "true or false"),
        ("std_msgs/String", {"data": 5}, "text"),
        ("std_msgs/String", {"data": "\ud800"}, "whole characters"),
        ("sensor_msgs/JointState", {"position": [1.0, "2"]}, "list of float64"),
        ("sensor_msgs/JointState", {"position": [[1.0]]}, "list of float64"),
        ("sensor_msgs/JointState", {"position": [1.0, [2.0]]}, "list of float64"),
        ("sensor_msgs/JointState", {"position": 1.0}, "list of float64"),
        ("sensor_msgs/JointState", {"name": "wheel"}, "a list"),
        ("sensor_msgs/JointState", {"name": ["a", 3]}, r"name\[1\]: expected text"),
        ("sensor_msgs/Image", {"data": [0, 256]}, "list of uint8"),
        ("sensor_msgs/Image", {"data": [-1]}, "list of uint8"),
        ("sensor_msgs/Image", {"data": [0.5]}, "list of uint8"),
        ("sensor_msgs/Image", {"data": "not base64!"}, "base64"),
        ("sensor_msgs/LaserScan", {"ranges": [1e39]}, "list of float32"),
        ("sensor_msgs/CameraInfo", {"k": [0.0] * 8}, "k: expected 9 values, got 8"),
        ("tf2_msgs/TFMessage", {"transforms": [{}, {"child": ""}]}, r"transforms\[1\]: unknown"),
    ],
)
def test_wrong_values_are_refused_with_their_place(name, data, said):
    with pytest.raises(BusError, match=said) as caught:
        from_dict(name, data)
    assert "\n" not in str(caught.value)


def test_bounds_of_a_type_are_kept():
    register("lab_msgs/msg/Bounded", "string<=3 word\nint8[<=2] few\nstring[<=1] names\n")
    assert to_dict(from_dict("lab_msgs/Bounded", {"word": "abc", "few": [1, 2]}))["few"] == [1, 2]
    for data in ({"word": "abcd"}, {"few": [1, 2, 3]}, {"names": ["a", "b"]}):
        with pytest.raises(BusError, match="at most"):
            from_dict("lab_msgs/Bounded", data)
