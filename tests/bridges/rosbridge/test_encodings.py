"""Messages in every encoding, beside other implementations of each."""

import base64
import io
import json
import math

import cbor2
import numpy as np
import pytest
from PIL import Image as Picture

from outrider.bridges.rosbridge.encoding import cbor
from outrider.bridges.rosbridge.encoding.encode import Encoding, encoded
from outrider.bridges.rosbridge.encoding.png import unwrapped, wrapped
from outrider.core.errors import BridgeError
from outrider.messages.convert import from_dict, to_dict
from outrider.messages.fields import fields_of
from outrider.messages.ros1.types import deserialize
from outrider.messages.store import store
from outrider.messages.types import CameraInfo, Image, LaserScan, Twist, Vector3, header

TAGGED = {
    69: "<u2",
    70: "<u4",
    71: "<u8",
    72: "i1",
    77: "<i2",
    78: "<i4",
    79: "<i8",
    85: "<f4",
    86: "<f8",
}


def decoded(message, form="ros2", compression="none", topic="/t"):
    out = encoded(Encoding(form, compression), topic, 7_000_000_009, message)
    data = b"".join(bytes(part) for part in out.bare)
    found = cbor2.loads(data) if compression.startswith("cbor") else json.loads(data)
    assert (found["op"], found["topic"]) == ("publish", topic)
    return found["msg"]


def untagged(value):
    """Return typed arrays as lists, whatever library has decoded them."""
    if isinstance(value, cbor2.CBORTag):
        return np.frombuffer(value.value, TAGGED[value.tag]).tolist()
    if isinstance(value, dict):
        return {key: untagged(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [untagged(item) for item in value]
    if isinstance(value, bytes):
        return list(value)
    return value


def filled(full):
    """Return plain data for a type with something in every field."""
    out = {}
    for number, field in enumerate(fields_of(full), start=1):
        count = field.count or 2
        if field.message:
            item = filled(field.message)
            out[field.name] = [item] * count if field.is_array else item
        elif field.base == "string":
            out[field.name] = ["a", "ß"][:count] if field.is_array else "tür"
        elif field.base == "bool":
            out[field.name] = [True, False][:count] if field.is_array else True
        else:
            value = number + 0.5 if field.base.startswith("float") else number % 100
            out[field.name] = [value] * count if field.is_array else value
    return out


TYPES = sorted(
    name
    for name in store().types
    if name.split("/")[0]
    in (
        "sensor_msgs",
        "nav_msgs",
        "std_msgs",
        "geometry_msgs",
        "tf2_msgs",
        "autominy_msgs",
        "outrider_msgs",
        "diagnostic_msgs",
    )
)


TYPES.remove("std_msgs/msg/ByteMultiArray")


@pytest.mark.parametrize("full", TYPES)
def test_cbor_and_json_of_every_type_say_what_the_message_says(full):
    message = from_dict(full, filled(full))
    wanted = to_dict(message)
    assert untagged(decoded(message, compression="cbor")) == wanted
    assert decoded(message) == to_dict(message, octets="base64")


@pytest.mark.parametrize(
    ("kind", "data", "wanted"),
    [
        ("Float32MultiArray", [1.0, 2.0], "d85548 0000803f 00000040"),
        ("UInt16MultiArray", [1, 2], "d84544 01000200"),
        ("UInt8MultiArray", [1, 2, 3, 255], "44 010203ff"),
    ],
)
def test_arrays_have_the_bytes_of_the_reference(kind, data, wanted):
    message = from_dict(f"std_msgs/msg/{kind}", {"data": data})
    out = b"".join(bytes(c) for c in cbor.published("/t", message, "ros2"))
    assert out.endswith(bytes.fromhex(wanted))


def test_heads_are_those_of_the_standard_library_of_cbor():
    for value in (
        0,
        23,
        24,
        255,
        256,
        65535,
        65536,
        2**32 - 1,
        2**32,
        2**63,
        -1,
        -24,
        -25,
        -(2**31),
    ):
        assert cbor.whole(value) == cbor2.dumps(value)
    assert cbor.text("grün") == cbor2.dumps("grün")


def test_a_picture_is_not_copied():
    pixels = np.arange(300_000, dtype=np.uint8)
    message = Image(header(0, "c"), 1, 100_000, "rgb8", 0, 300_000, pixels)
    large = [c for c in cbor.published("/i", message, "ros2") if isinstance(c, memoryview)]
    assert len(large) == 1
    assert np.shares_memory(np.frombuffer(large[0], np.uint8), pixels)


def test_octets_are_base64_and_what_is_no_number_is_null():
    image = Image(header(0, "c"), 1, 4, "mono8", 0, 4, np.array([1, 2, 3, 255], np.uint8))
    assert decoded(image)["data"] == "AQID/w=="
    ranges = np.array([1.5, np.nan, np.inf, -np.inf], np.float32)
    scan = LaserScan(header(0, "s"), 0.0, 1.0, 0.1, 0.0, 0.0, 0.0, math.inf, ranges, ranges[:0])
    assert decoded(scan)["ranges"] == [1.5, None, None, None]
    assert decoded(scan)["range_max"] is None
    assert decoded(scan)["intensities"] == []


def test_bytes_are_numbers_in_json_and_signed_in_cbor():
    message = from_dict("std_msgs/msg/ByteMultiArray", {"data": [1, 255]})
    assert decoded(message)["data"] == [1, 255]
    assert untagged(decoded(message, compression="cbor"))["data"] == [1, -1]


def test_the_ros_1_form_has_the_keys_of_ros_1():
    message = from_dict("sensor_msgs/msg/CameraInfo", {"k": [float(i) for i in range(9)]})
    assert isinstance(message, CameraInfo)
    found = decoded(message, "ros1")
    assert found["K"][8] == 8.0
    assert "k" not in found
    stamped = from_dict(
        "geometry_msgs/msg/PointStamped", {"header": {"stamp": {"sec": 3, "nanosec": 4}}}
    )
    one, two = decoded(stamped, "ros1"), decoded(stamped, "ros2")
    assert one["header"] == {"seq": 0, "stamp": {"secs": 3, "nsecs": 4}, "frame_id": ""}
    assert two["header"] == {"stamp": {"sec": 3, "nanosec": 4}, "frame_id": ""}
    assert untagged(decoded(stamped, "ros1", "cbor")) == one


def test_raw_bytes_are_what_each_ros_would_send():
    twist = Twist(Vector3(1.0, 2.0, 3.0), Vector3(4.0, 5.0, 6.0))
    one, two = decoded(twist, "ros1", "cbor-raw"), decoded(twist, "ros2", "cbor-raw")
    assert (one["secs"], one["nsecs"]) == (7, 9)
    assert deserialize(one["bytes"], "geometry_msgs/msg/Twist").angular.z == 6.0
    assert len(one["bytes"]) == 48
    assert two["bytes"][:4] == bytes((0, 1, 0, 0))
    assert store().deserialize_cdr(two["bytes"], "geometry_msgs/msg/Twist").linear.y == 2.0


def test_a_png_holds_the_text_in_its_pixels():
    out = encoded(Encoding("ros2", "png"), "/t", 0, Twist(Vector3(1.0, 0, 0), Vector3(0, 0, 0)))
    outer = json.loads(out.bare[0])
    assert outer["op"] == "png"
    picture = Picture.open(io.BytesIO(base64.b64decode(outer["data"])))
    assert picture.mode == "RGB"
    inner = json.loads(picture.tobytes().replace(b"\n", b""))
    assert inner["msg"]["linear"]["x"] == 1.0
    size = math.ceil(len(json.dumps(inner, separators=(",", ":"))) / 3)
    assert picture.width == math.floor(math.sqrt(size)) or abs(picture.width**2 - size) < 20


@pytest.mark.parametrize("length", [1, 2, 3, 11, 12, 13, 1000])
def test_texts_of_any_length_come_out_of_a_png_again(length):
    assert unwrapped(wrapped(b"x" * length), 10_000) == b"x" * length


def test_a_png_that_is_none_or_too_large_is_refused():
    with pytest.raises(BridgeError, match="not a PNG"):
        unwrapped("AAAA", 1000)
    with pytest.raises(BridgeError, match="at most 100 bytes"):
        unwrapped(wrapped(b"x" * 1000), 100)
