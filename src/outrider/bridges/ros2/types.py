"""The rclpy class of a message type: from an installed package, or created at run time."""

from functools import cache
from importlib import import_module
from typing import Any

from outrider.bridges.ros2.dynamic_types import can_make, made_class
from outrider.core.errors import BridgeError


@cache
def ros_class(type_name: str, middleware: str) -> type[Any]:
    """Return the class that rclpy publishes and subscribes with."""
    found = installed(type_name)
    if found is not None:
        return found
    if can_make(middleware):
        return made_class(type_name)
    package = type_name.partition("/")[0]
    raise BridgeError(
        f"ros2: the package {package} is not installed, and its types can be made at run time"
        f" only with ROS 2 Jazzy over rmw_fastrtps_cpp, not over {middleware}"
    )


def installed(type_name: str) -> type[Any] | None:
    """Return the class of an installed message or service type, or None."""
    package, kind, name = type_name.split("/")
    try:
        found: type[Any] | None = getattr(import_module(f"{package}.{kind}"), name, None)
    except ImportError:
        return None
    return found
