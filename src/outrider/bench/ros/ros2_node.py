"""Nodes of rclpy in processes of their own, for the ROS 2 benchmark: they know nothing of ours.

``listen`` prints for each topic how many messages came and how old they were; ``talk`` publishes a
message that a file holds. Stamps are the machine's monotonic clock, which all processes share.
"""

import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any


def listen(domain: str, seconds: str, *topics: str) -> None:
    """Listen to ``topic=type`` for a while after the first message; print the ages in ns."""
    rclpy, node = _node(domain, "listener")
    from rclpy.executors import SingleThreadedExecutor

    ages: dict[str, list[int]] = {}
    for text in topics:
        name, _, kind = text.partition("=")
        ages[name] = []

        def take(message: Any, found: list[int] = ages[name]) -> None:
            stamp = message.header.stamp
            found.append(time.monotonic_ns() - (stamp.sec * 10**9 + stamp.nanosec))

        node.create_subscription(_type(kind), name, take, 100)
    executor = SingleThreadedExecutor()  # one that stays: as rclpy.spin does, and quicker
    executor.add_node(node)
    end = time.monotonic() + 30.0
    began = False
    while time.monotonic() < end:
        executor.spin_once(timeout_sec=0.2)
        if not began and any(ages.values()):
            began, end = True, time.monotonic() + float(seconds)
    _say(ages)
    node.destroy_node()
    rclpy.shutdown()


def talk(domain: str, topic: str, kind: str, file: str, count: str, period: str) -> None:
    """Publish the message in a file, stamped anew each time."""
    from rclpy.serialization import deserialize_message

    rclpy, node = _node(domain, "talker")
    message = deserialize_message(Path(file).read_bytes(), _type(kind))
    publisher = node.create_publisher(_type(kind), topic, 10)
    while not publisher.get_subscription_count():
        time.sleep(0.01)
    for _ in range(int(count)):
        seconds, rest = divmod(time.monotonic_ns(), 10**9)
        message.header.stamp.sec, message.header.stamp.nanosec = seconds, rest
        publisher.publish(message)
        time.sleep(float(period))
    node.destroy_node()
    rclpy.shutdown()


def _node(domain: str, name: str) -> tuple[Any, Any]:
    import rclpy

    rclpy.init(domain_id=int(domain))
    return rclpy, rclpy.create_node(name)


def _type(name: str) -> Any:
    package, kind, short = name.split("/")
    return getattr(import_module(f"{package}.{kind}"), short)


def _say(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    listen(*sys.argv[2:]) if sys.argv[1] == "listen" else talk(*sys.argv[2:])
