"""Bodies are ROS 1's own bytes, whichever way they are written."""

import numpy as np
import pytest

from outrider.bridges.udp import wire
from outrider.bridges.udp.table import STANDARD
from outrider.bridges.udp.wire import read_body, write_body
from outrider.core.errors import BridgeError
from outrider.messages.convert import from_dict, to_dict
from outrider.messages.fields import fields_of
from outrider.messages.ros1.convert import to_ros1
from outrider.messages.ros1.types import serialize


def filled(kind, numbers):
    """Return a message in which every value is another one."""
    values = {}
    for field in fields_of(kind):
        if field.message:
            count = field.count if field.count > 0 else 2
            inner = [filled(field.message, numbers) for _ in range(count)]
            values[field.name] = inner if field.is_array else inner[0]
        elif field.is_array:
            count = field.count if field.count > 0 else 3
            values[field.name] = [one(field, numbers) for _ in range(count)]
        else:
            values[field.name] = one(field, numbers)
    return values


def one(field, numbers):
    number = next(numbers)
    if field.base == "string":
        return f"text {number}"
    if field.base == "bool":
        return number % 2 == 0
    return float(number) if field.base.startswith("float") else number % 100


@pytest.mark.parametrize("kind", [*STANDARD.values(), "outrider_msgs/msg/WheelDrops"])
@pytest.mark.parametrize("large", [0, 10**9], ids=["in pieces", "as a whole"])
def test_they_are_what_ros_1_writes(kind, large, monkeypatch):
    monkeypatch.setattr(wire, "_LARGE", large)
    message = from_dict(kind, filled(kind, iter(range(10_000))))
    body = b"".join(write_body(message, kind))
    assert body == serialize(to_ros1(kind)(message), kind)
    found, wanted = to_dict(read_body(body, kind)), to_dict(message)
    wanted.pop("variance", None)  # ROS 1's Range has none
    found.pop("variance", None)
    assert found == wanted


def test_a_large_array_is_not_copied():
    cloud = from_dict("sensor_msgs/msg/PointCloud2", {"data": [0] * 100_000, "is_dense": True})
    head, data, tail = write_body(cloud, "sensor_msgs/msg/PointCloud2")
    assert np.shares_memory(np.frombuffer(data, np.uint8), cloud.data)
    assert (bytes(head[-4:]), bytes(tail)) == ((100_000).to_bytes(4, "little"), b"\x01")


@pytest.mark.parametrize("kind", ["sensor_msgs/msg/Imu", "geometry_msgs/msg/Twist"])
@pytest.mark.parametrize("change", [lambda b: b[:-1], lambda b: b + b"x", lambda b: b[:0]])
def test_other_bytes_are_refused(kind, change):
    body = b"".join(write_body(from_dict(kind, {}), kind))
    with pytest.raises(BridgeError, match="this is not a valid"):
        read_body(change(body), kind)
