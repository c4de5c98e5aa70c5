"""The URDF of each robot on its latched topic robot_description."""

from collections.abc import Callable

from outrider.bridges.bridge import RobotDescription
from outrider.bridges.ros2.topics import quiet
from outrider.core.untyped import RosEntity, RosNode


class Descriptions:
    """One publisher per robot; robots may be added, removed and changed."""

    def __init__(
        self,
        node: RosNode,
        robots: Callable[[], list[RobotDescription]],
        named: Callable[[str], str],
    ) -> None:
        self._node = node
        self._robots = robots
        self._named = named
        self._known: dict[str, tuple[str, RosEntity]] = {}  # by topic: the text, and its publisher

    def update(self) -> None:
        """Publish new descriptions, and remove old ones."""
        now = {self._topic(robot): robot.urdf for robot in self._robots()}
        for topic in set(self._known) - set(now):
            self._node.destroy_publisher(self._known.pop(topic)[1])
        for topic, urdf in now.items():
            if topic not in self._known:
                self._known[topic] = ("", self._publisher(topic))
            text, publisher = self._known[topic]
            if text != urdf:
                self._publish(publisher, urdf)
                self._known[topic] = (urdf, publisher)

    def _topic(self, robot: RobotDescription) -> str:
        place = f"/{robot.namespace}" if robot.namespace else ""
        return self._named(f"{place}/robot_description")

    def _publisher(self, topic: str) -> RosEntity:
        from rclpy.qos import DurabilityPolicy, QoSProfile
        from std_msgs.msg import String

        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        return self._node.create_publisher(
            String, topic, latched, event_callbacks=quiet("Publisher")
        )

    def _publish(self, publisher: RosEntity, urdf: str) -> None:
        from std_msgs.msg import String

        publisher.publish(String(data=urdf))
