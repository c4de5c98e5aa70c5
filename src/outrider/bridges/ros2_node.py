"""An rclpy node of our own: its context, its network, and the thread that serves it."""

import os
import threading
import time
from contextlib import suppress
from typing import Any, Literal, TypeAlias

from outrider.core.errors import BridgeError

Network: TypeAlias = Literal["localhost", "subnet", "system"]

_RANGE = "ROS_AUTOMATIC_DISCOVERY_RANGE"
_DOMAINS = 232  # the last; beyond it there are no ports
_REST_S = 0.0005  # after each piece of work: who sends without end cannot take the interpreter
_SPIN_S = 0.2


def load_rclpy() -> Any:
    """Return rclpy, or say in one sentence how to get it."""
    try:
        import rclpy
    except ImportError as error:
        raise BridgeError(
            "the bridge ros2 needs rclpy: source your ROS 2 set-up file, or"
            f" pip install outrider[ros2] ({error})"
        ) from None
    return rclpy


def set_network(network: Network) -> None:
    """Say how far our node is heard; "system" leaves it to the user's ROS settings."""
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
            f"ros2: ROS_DOMAIN_ID must be a number from 0 to {_DOMAINS}, not {text!r}"
        )
    found = int(text) if asked is None else asked
    if not 0 <= found <= _DOMAINS:
        raise BridgeError(f"ros2: domain must lie between 0 and {_DOMAINS}, got {found}")
    return found


class Node:
    """A node with its context; ``serve`` starts the thread that answers for it."""

    def __init__(self, name: str, namespace: str, domain: int | None, network: Network) -> None:
        rclpy = load_rclpy()
        from rclpy.context import Context
        from rclpy.executors import MultiThreadedExecutor
        from rclpy.node import Node as RosNode

        set_network(network)
        self.context = Context()
        try:
            self.context.init(args=[], domain_id=domain_id(domain))
            self.node = RosNode(name, context=self.context, namespace=namespace or None)
        except BridgeError:
            raise
        except Exception as error:  # of many classes, all of them the user's settings
            with suppress(Exception):
                self.context.try_shutdown()
            raise BridgeError(f"ros2: the node cannot be made: {error}") from None
        # two threads: a service that waits for the simulation does not hold up commands
        self.middleware: str = rclpy.get_rmw_implementation_identifier()
        self._executor = MultiThreadedExecutor(num_threads=2, context=self.context)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._spin, name="outrider-ros2-in", daemon=True)

    def serve(self) -> None:
        """Begin to answer."""
        self._executor.add_node(self.node)
        self._thread.start()

    def close(self) -> None:
        """End the thread, then the node, then its context: in another order it crashes."""
        if self._closed.is_set():
            return
        self._closed.set()
        if self._thread.is_alive():
            self._executor.wake()
            self._thread.join(timeout=5.0)
        self._executor.shutdown(timeout_sec=1.0)
        self.node.destroy_node()
        self.context.try_shutdown()
        self.context.destroy()

    def _spin(self) -> None:
        while not self._closed.is_set():
            try:
                self._executor.spin_once(timeout_sec=_SPIN_S)
            except Exception:  # an entity that was destroyed meanwhile, or a shutdown
                if not self.context.ok():
                    return
            time.sleep(_REST_S)
