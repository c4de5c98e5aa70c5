"""A body that goes where it is told, over the plane, without wheels."""

import math

import numpy as np

from outrider.components.component import Component
from outrider.components.handle import Handle
from outrider.core.frames import yaw_of
from outrider.core.structure import number

_MOST_LOST = np.array([0.1, 0.1, 0.5])  # m/s and rad/s in a step


class PlanarMove(Component):
    """Moves a model at the velocity of a Twist, in its own axes; falling is left to physics.

    Until the first command it does nothing: a robot may have wheels as well.
    """

    topic: str = "/cmd_vel"  # geometry_msgs/Twist
    timeout_s: float = number(0.5, least=0.0)  # stops this long after the last command; 0: never
    odometry: str = ""  # a topic for nav_msgs/Odometry
    frame: str = "odom"
    child_frame: str = "base_footprint"

    def start(self, me: Handle) -> None:
        """Listen."""
        me.listen(self.topic, "geometry_msgs/msg/Twist")
        me.state.told_ns, me.state.velocity = -1, [0.0, 0.0, 0.0]
        me.state.lost = np.zeros(3)

    def step(self, me: Handle) -> None:
        """Move as the last command says."""
        for message in me.received(self.topic):
            told = (message.linear.x, message.linear.y, message.angular.z)
            if all(math.isfinite(value) for value in told):
                me.state.told_ns, me.state.velocity = me.time_ns, [float(v) for v in told]
        if me.state.told_ns < 0:  # nobody uses it: what the model has else moves it
            return
        silent_s = (me.time_ns - me.state.told_ns) * 1e-9
        if self.timeout_s and silent_s > self.timeout_s:
            me.state.velocity = [0.0, 0.0, 0.0]
        x, y, turn = me.state.velocity
        yaw = yaw_of(me.pose.rotation)
        ahead = np.array([math.cos(yaw), math.sin(yaw)])
        aside = np.array([-ahead[1], ahead[0]])
        wanted = np.array([*(x * ahead + y * aside), turn])
        # what friction takes away in a step is given beforehand
        lost = me.state.lost + 0.5 * (wanted - [*me.velocity[:2], me.angular_velocity[2]])
        me.state.lost = np.clip(lost, -_MOST_LOST, _MOST_LOST) if wanted.any() else np.zeros(3)
        given = wanted + me.state.lost
        me.move([*given[:2], me.velocity[2]], [0.0, 0.0, given[2]])
        if self.odometry:
            self._tell(me)

    def _tell(self, me: Handle) -> None:
        x, y, turn = me.state.velocity
        place, q = me.position, me.pose.rotation
        pose = {
            "position": dict(zip("xyz", place.tolist(), strict=True)),
            "orientation": dict(zip("xyzw", q.tolist(), strict=True)),
        }
        twist = {"linear": {"x": x, "y": y}, "angular": {"z": turn}}
        sec, nanosec = divmod(me.time_ns, 1_000_000_000)
        header = {"frame_id": self.frame, "stamp": {"sec": sec, "nanosec": nanosec}}
        message = {
            "header": header,
            "child_frame_id": self.child_frame,
            "pose": {"pose": pose},
            "twist": {"twist": twist},
        }
        me.publish(self.odometry, message, "nav_msgs/msg/Odometry")
