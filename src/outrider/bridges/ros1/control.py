"""Control of the simulation as ROS 1 services."""

from outrider.bridges.bridge import Outside
from outrider.bridges.control_services import ControlServices
from outrider.bridges.ros1.gazebo import Gazebo
from outrider.bridges.ros1.node import Ros1Node
from outrider.bridges.ros1.outflow import Outflow


class Ros1Control:
    """Our own services in addition to those of gazebo_ros."""

    def __init__(
        self, node: Ros1Node, outside: Outside, flow: Outflow, gazebo: bool, states_hz: float
    ) -> None:
        self._gazebo = Gazebo(node, outside, flow, states_hz) if gazebo else None
        for name, kind, handler in ControlServices(outside, node.name).rows():
            node.serve(name, kind, handler)
        node.serve(f"{node.name}/get_loggers", "roscpp/GetLoggers", lambda _: {})
        node.serve(f"{node.name}/set_logger_level", "roscpp/SetLoggerLevel", lambda _: {})

    def start(self) -> None:
        """Begin."""
        if self._gazebo is not None:
            self._gazebo.start()

    def close(self) -> None:
        """End."""
        if self._gazebo is not None:
            self._gazebo.close()
