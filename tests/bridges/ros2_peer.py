"""A ROS 2 node in a process of its own, told by lines of JSON what to do. It knows nothing of ours.

``Peer`` starts it; run as a program it is the node. Only rclpy and message packages are imported.
"""

import array
import base64
import json
import math
import os
import select
import subprocess
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path

_PATIENCE_S = 130.0  # longer than anything a peer may wait for


def surroundings(packages: Path | None, path: str) -> dict[str, str]:
    """Return the environment of a process that finds these packages, and ``path``."""
    if packages is None:
        return {**os.environ, "PYTHONPATH": path}
    libraries = [str(packages / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(packages), path])),
        "LD_LIBRARY_PATH": os.pathsep.join(filter(None, libraries)),
    }


class Peer:
    """The other end of the process."""

    def __init__(self, domain: int, packages: Path | None = None) -> None:
        env = {**surroundings(packages, ""), "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(domain)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=env,
        )

    def __call__(self, do: str, **details: object) -> object:
        self.process.stdin.write(json.dumps({"do": do, **details}) + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], _PATIENCE_S)
        if not ready:
            self.kill()
        line = self.process.stdout.readline() if ready else ""
        assert line, f"the peer {'died' if ready else 'hung'} at {do} {details}"
        answer = json.loads(line)
        assert "error" not in answer, answer
        return answer["result"]

    def __enter__(self) -> "Peer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let it end, or end it: none may stay behind, not even a stopped one."""
        with suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def type_of(name: str) -> type:
    package, kind, short = name.split("/")
    return getattr(import_module(f"{package}.{kind}"), short)


def plain(value: object) -> object:
    """Return a message as JSON can carry it; long arrays of bytes as base64 text."""
    if hasattr(value, "get_fields_and_field_types"):
        return {name: plain(getattr(value, name)) for name in value.get_fields_and_field_types()}
    if isinstance(value, array.array) and value.typecode == "B":
        return base64.b64encode(value.tobytes()).decode()
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def fill(message: object, values: dict) -> object:
    for name, value in values.items():
        if isinstance(value, dict):
            fill(getattr(message, name), value)
        else:
            setattr(message, name, value)
    return message


def yaw_of(q: object) -> float:
    return math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y**2 + q.z**2))


def steer(x: float, y: float, yaw: float, goal: tuple[float, float]) -> tuple[float, float]:
    """Return the speed and yaw rate of a controller that knows nothing of ROS."""
    dx, dy = goal[0] - x, goal[1] - y
    if math.hypot(dx, dy) < 0.1:
        return 0.0, 0.0
    error = math.remainder(math.atan2(dy, dx) - yaw, math.tau)
    return 0.6 * max(0.0, math.cos(error)), 1.5 * error


class Node:
    """What the process does."""

    def __init__(self, domain: int) -> None:
        import rclpy
        from rclpy.executors import SingleThreadedExecutor

        self.rclpy = rclpy
        rclpy.init(domain_id=domain)
        self.node = rclpy.create_node("peer")
        self.received: dict[str, list] = {}
        self.times: dict[str, list[float]] = {}
        self.writers: dict[str, object] = {}
        self.clients: dict[str, object] = {}
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.node)
        self.closed = threading.Event()
        self.thread = threading.Thread(target=self.spin, daemon=True)
        self.thread.start()

    def spin(self) -> None:
        while not self.closed.is_set():
            # rclpy raises here if a subscription is destroyed while it waits
            with suppress(Exception):
                self.executor.spin_once(timeout_sec=0.2)

    def subscribe(self, topic: str, type: str, **qos: object) -> None:  # noqa: A002
        from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

        profile = QoSProfile(
            depth=qos.get("depth", 5),
            reliability=ReliabilityPolicy[qos.get("reliability", "RELIABLE")],
            durability=DurabilityPolicy[qos.get("durability", "VOLATILE")],
        )
        kept = self.received.setdefault(topic, [])
        times = self.times.setdefault(topic, [])

        def take(message: object) -> None:
            times.append(time.time())
            kept.append(message)

        self.node.create_subscription(type_of(type), topic, take, profile)

    def wait(self, topic: str, count: int = 1, timeout: float = 60.0) -> int:
        end = time.time() + timeout
        while len(self.received[topic]) < count and time.time() < end:
            time.sleep(0.005)
        return len(self.received[topic])

    def clear(self, topic: str) -> None:
        self.received[topic].clear()
        self.times[topic].clear()

    def messages(self, topic: str, first: int = 0, last: int | None = None) -> list:
        return [plain(message) for message in self.received[topic][first:last]]

    def stamps(self, topic: str) -> list:
        stamps = [getattr(m, "clock", None) or m.header.stamp for m in self.received[topic]]
        return [[s.sec * 10**9 + s.nanosec for s in stamps], list(self.times[topic])]

    def publish(self, topic: str, type: str, message: dict, count: int = 1, period: float = 0.0):  # noqa: A002
        kind = type_of(type)
        if topic not in self.writers:
            self.writers[topic] = self.node.create_publisher(kind, topic, 10)
        publisher = self.writers[topic]
        end = time.time() + 60
        while not publisher.get_subscription_count() and time.time() < end:
            time.sleep(0.01)
        filled = fill(kind(), message)
        for _ in range(count):
            publisher.publish(filled)
            time.sleep(period)
        return publisher.get_subscription_count()

    def call(self, service: str, type: str, request: dict | None = None) -> object:  # noqa: A002
        kind = type_of(type)
        return plain(self.answer(kind, service, fill(kind.Request(), request or {})))

    def answer(self, kind: type, service: str, request: object, timeout: float = 60.0) -> object:
        if service not in self.clients:  # one for each: none is destroyed while the thread waits
            self.clients[service] = self.node.create_client(kind, service)
        client = self.clients[service]
        assert client.wait_for_service(timeout), f"there is no service {service}"
        answer = client.call_async(request)
        end = time.time() + timeout
        while not answer.done():
            assert time.time() < end, f"{service} does not answer"
            time.sleep(0.002)
        return answer.result()

    def call_any(self, service: str, rows: list) -> object:
        from rcl_interfaces.msg import Parameter
        from rcl_interfaces.srv import SetParametersAtomically

        request = SetParametersAtomically.Request()
        for row in rows:
            parameter = Parameter(name=row["name"])
            parameter.value.type, parameter.value.string_value = 4, row["string_value"]
            request.parameters.append(parameter)
        return plain(self.answer(SetParametersAtomically, service, request).result)

    def set_parameter(self, node: str, name: str, value: object) -> object:
        from rcl_interfaces.srv import SetParameters
        from rclpy.parameter import Parameter

        request = SetParameters.Request()
        request.parameters = [Parameter(name, value=value).to_parameter_msg()]
        return plain(self.answer(SetParameters, f"{node}/set_parameters", request).results[0])

    def drive(self, odometry: str, command: str, goal: list, timeout: float = 80.0) -> list:
        """Drive to a goal by odometry and return the path; each message gets an answer."""
        from geometry_msgs.msg import Twist
        from nav_msgs.msg import Odometry

        path: list = []
        arrived = threading.Event()
        publisher = self.node.create_publisher(Twist, command, 10)

        def react(message: object) -> None:
            pose = message.pose.pose
            path.append((pose.position.x, pose.position.y))
            forward, turn = steer(*path[-1], yaw_of(pose.orientation), goal)
            answer = Twist()
            answer.linear.x, answer.angular.z = forward, turn
            publisher.publish(answer)
            if math.dist(path[-1], goal) < 0.1:
                arrived.set()

        subscription = self.node.create_subscription(Odometry, odometry, react, 10)
        arrived.wait(timeout)
        self.node.destroy_subscription(subscription)
        publisher.publish(Twist())
        self.node.destroy_publisher(publisher)
        return path

    def graph(self) -> dict:
        return {
            "topics": dict(self.node.get_topic_names_and_types()),
            "services": dict(self.node.get_service_names_and_types()),
            "nodes": [f"{s.rstrip('/')}/{n}" for n, s in self.node.get_node_names_and_namespaces()],
        }

    def publishers(self, topic: str) -> int:
        return self.node.count_publishers(topic)

    def hashes(self, topic: str) -> list:
        return [str(info.topic_type_hash) for info in self.node.get_publishers_info_by_topic(topic)]


def main() -> None:
    node = Node(int(sys.argv[1]))
    for line in sys.stdin:
        details = json.loads(line)
        do = details.pop("do")
        try:
            answer = {"result": getattr(node, do)(**details)}
        except Exception as error:  # told to whoever asked
            answer = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    node.closed.set()
    node.thread.join()
    node.executor.shutdown(timeout_sec=1)
    node.node.destroy_node()
    node.rclpy.shutdown()


if __name__ == "__main__":
    main()
