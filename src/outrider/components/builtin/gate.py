"""A door, gate or barrier: opened by a message, by robots that are near, or by the clock."""

import numpy as np

from outrider.components.builtin.carriage import carry_to, remember_home, unit_axis
from outrider.components.component import Component
from outrider.components.handle import Handle
from outrider.core.structure import number


class Gate(Component):
    """Opens and closes a joint, or shifts a scripted object."""

    open: float = 1.5708  # rad or m, of the joint; m along the axis for an object
    closed: float = 0.0  # rad or m, of the joint
    speed: float = number(1.0, above=0.0)  # rad/s or m/s
    effort: float = number(200.0, above=0.0)  # N m or N; not used for an object
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)  # in the world, for an object
    topic: str = ""  # std_msgs/Bool: true opens
    near: float = number(0.0, least=0.0)  # m within which a robot's centre opens it; 0: off
    period_s: float = number(0.0, least=0.0)  # open for half of it, then closed; 0: off

    def start(self, me: Handle) -> None:
        """Listen."""
        remember_home(me)
        me.state.is_open = False
        if self.topic:
            me.listen(self.topic, "std_msgs/msg/Bool")

    def step(self, me: Handle) -> None:
        """Move."""
        me.state.is_open = self._told(me) or self._is_near(me) or self._is_time(me)
        goal = self.open if me.state.is_open else self.closed
        carry_to(me, goal, self.speed, self.effort, unit_axis(self.axis))

    def _told(self, me: Handle) -> bool:
        message = me.latest(self.topic) if self.topic else None
        return message is not None and bool(message.data)

    def _is_near(self, me: Handle) -> bool:
        ways = [me.find(name).position - me.position for name in me.robots if self.near]
        return any(bool(np.linalg.norm(way) < self.near) for way in ways)

    def _is_time(self, me: Handle) -> bool:
        return self.period_s > 0.0 and me.time_s % self.period_s < self.period_s / 2
