"""Nodes of rospy in processes of their own, for the ROS 1 benchmark: they know nothing of ours.

``listen`` prints for each topic how old its messages were; ``talk`` publishes a cloud. Stamps are
the machine's monotonic clock, which all processes share. Run by the system's Python.
"""

import json
import sys
import threading
import time
from importlib import import_module
from typing import Any


def listen(seconds: str, *topics: str) -> None:
    """Listen to ``topic=type`` for a while after the first message; print the ages in ns."""
    rospy = import_module("rospy")
    messages = import_module("sensor_msgs.msg")

    rospy.init_node("bench_listener", disable_signals=True, disable_rostime=True)
    ages: dict[str, list[int]] = {}
    began = threading.Event()
    for text in topics:
        name, _, kind = text.partition("=")
        ages[name] = []

        def take(message: Any, found: list[int] = ages[name]) -> None:
            stamp = message.header.stamp
            found.append(time.monotonic_ns() - (stamp.secs * 10**9 + stamp.nsecs))
            began.set()

        message_type = getattr(messages, kind.rpartition("/")[2])
        rospy.Subscriber(name, message_type, take, queue_size=100, buff_size=2**24)
    began.wait(30.0)
    time.sleep(float(seconds))
    sys.stdout.write(json.dumps(ages) + "\n")


def talk(topic: str, size: str, count: str, period: str) -> None:
    """Publish clouds of so many bytes."""
    rospy = import_module("rospy")
    cloud_type = import_module("sensor_msgs.msg").PointCloud2

    rospy.init_node("bench_talker", disable_signals=True, disable_rostime=True)
    publisher = rospy.Publisher(topic, cloud_type, queue_size=10, tcp_nodelay=True)
    message = cloud_type(height=1, width=int(size) // 22, point_step=22, data=bytes(int(size)))
    while not publisher.get_num_connections():
        time.sleep(0.01)
    time.sleep(0.5)
    for _ in range(int(count)):
        message.header.stamp.secs, message.header.stamp.nsecs = divmod(time.monotonic_ns(), 10**9)
        publisher.publish(message)
        time.sleep(float(period))


if __name__ == "__main__":
    listen(*sys.argv[2:]) if sys.argv[1] == "listen" else talk(*sys.argv[2:])
