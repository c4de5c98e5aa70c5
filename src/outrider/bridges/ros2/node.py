"""Our rclpy node: its context, its network, and its threads."""

import os
import re
import threading
import time
from contextlib import suppress
from typing import Any, Literal, TypeAlias

from outrider.bridges.ros2.fastdds import profile
from outrider.core.errors import BridgeError

Network: TypeAlias = Literal["localhost", "subnet", "system"]

_RANGE = "ROS_AUTOMATIC_DISCOVERY_RANGE"
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
LAST_DOMAIN = 232  # beyond it there are no ports
_REST_S = 0.0005  # after each piece of work: who sends without end cannot take the interpreter
_SPIN_S = 1.0


def load_rclpy() -> Any:
    """Return rclpy, or raise an error that says how to install it."""
    try:
        import rclpy
    except ImportError as error:
        raise BridgeError(
            "the bridge ros2 needs rclpy: source your ROS 2 set-up file, or"
            f" pip install outrider[ros2] ({error})"
        ) from None
    return rclpy


def set_network(network: Network) -> None:
    """Set the discovery range; "system" leaves it to the user's ROS settings."""
    if network == "system":
        return
    os.environ[_RANGE] = network.upper()
    os.environ["ROS_LOCALHOST_ONLY"] = "1" if network == "localhost" else "0"
    if os.environ.get("ROS_DISTRO") not in {"foxy", "galactic", "humble"}:
        del os.environ["ROS_LOCALHOST_ONLY"]  # newer ones warn of it


def domain_id(asked: int | None) -> int:
    """Return the domain asked for, or else the user's; others would end the process."""
    text = os.environ.get("ROS_DOMAIN_ID", "") or "0"
    if asked is None and not text.isdecimal():
        raise BridgeError(
            f"ros2: ROS_DOMAIN_ID must be a number from 0 to {LAST_DOMAIN}, not {text!r}"
        )
    found = int(text) if asked is None else asked
    if not 0 <= found <= LAST_DOMAIN:
        raise BridgeError(f"ros2: domain must lie between 0 and {LAST_DOMAIN}, got {found}")
    return found


def _check_names(name: str, namespace: str) -> None:
    if not _NAME.fullmatch(name):
        raise BridgeError(f"ros2: node: expected letters, digits and _, got '{name}'")
    if namespace and not all(map(_NAME.fullmatch, namespace.strip("/").split("/"))):
        raise BridgeError(f"ros2: namespace: expected a name like lab/west, got '{namespace}'")


def _check_middleware(found: str) -> None:
    """Refuse what would end the process: a middleware that is asked for and not installed."""
    asked = os.environ.get("RMW_IMPLEMENTATION", "")
    if asked and asked != found:
        raise BridgeError(f"ros2: RMW_IMPLEMENTATION asks for {asked}, but {found} is installed")


class Ros2Node:
    """A node with its context, and a second one that only subscribes.

    rclpy checks everything a node has for every message; a node with nothing but subscriptions
    receives commands at a fraction of the cost, and no service delays them.
    """

    def __init__(self, name: str, namespace: str, domain: int | None, network: Network) -> None:
        rclpy = load_rclpy()
        from rclpy.context import Context

        number = domain_id(domain)
        _check_names(name, namespace)
        set_network(network)
        self.middleware: str = rclpy.get_rmw_implementation_identifier()
        _check_middleware(self.middleware)
        self.context = Context()
        try:
            with profile(
                "" if network == "system" else self.middleware, here=network == "localhost"
            ):
                self.context.init(args=[], domain_id=number)
                self.node = self._made(name, namespace)
            self.ears = self._made(f"{name}_commands", namespace, bare=True)
        except Exception as error:  # of many classes, all of them the user's settings
            with suppress(Exception):
                self.context.try_shutdown()
            raise BridgeError(f"ros2: the node cannot be created: {error}") from None
        self._closed = threading.Event()
        self._threads: list[tuple[threading.Thread, Any]] = []

    def serve(self) -> None:
        """Start serving and subscribing."""
        from rclpy.executors import SingleThreadedExecutor

        for node in (self.node, self.ears):
            executor = SingleThreadedExecutor(context=self.context)
            executor.add_node(node)
            thread = threading.Thread(
                target=self._spin, args=(executor,), name="outrider-ros2-in", daemon=True
            )
            thread.start()
            self._threads.append((thread, executor))

    def say(self, sentence: str) -> None:
        """Report on the terminal and on /rosout."""
        self.node.get_logger().warning(sentence)

    def close(self) -> None:
        """End the threads, then the nodes, then their context: in another order it crashes."""
        if self._closed.is_set():
            return
        self._closed.set()
        for thread, executor in self._threads:
            executor.wake()
            thread.join(timeout=5.0)
            executor.shutdown(timeout_sec=1.0)
        for node in (self.ears, self.node):
            node.destroy_node()
        self.context.try_shutdown()
        self.context.destroy()

    def _made(self, name: str, namespace: str, bare: bool = False) -> Any:
        from rclpy.node import Node as RosNode

        return RosNode(
            name,
            context=self.context,
            namespace=namespace or None,
            enable_rosout=not bare,
            start_parameter_services=not bare,
        )

    def _spin(self, executor: Any) -> None:
        while not self._closed.is_set():
            try:
                executor.spin_once(timeout_sec=_SPIN_S)
            except Exception:  # an entity that was destroyed meanwhile, or a shutdown
                if not self.context.ok():
                    return
            time.sleep(_REST_S)
