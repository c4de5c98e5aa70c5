"""A controller for one joint: position, velocity or effort, from a topic."""

import math
from typing import Literal

from outrider.components.component import Component
from outrider.components.handle import Handle
from outrider.core.structure import number


class JointController(Component):
    """Follows a set point; without gains it is a stiff servo, with them a PID controller."""

    control: Literal["position", "velocity", "effort"] = "position"
    topic: str = ""  # std_msgs/Float64; empty: the joint's name and /cmd
    target: float = 0.0  # until the first message
    p: float = number(0.0, least=0.0)  # N m (or N) per unit of error
    i: float = number(0.0, least=0.0)  # N m (or N) per unit and second
    d: float = number(0.0, least=0.0)  # N m (or N) per unit per second
    windup: float = number(math.inf, least=0.0)  # limit of the integral's effort
    effort: float = number(math.inf, least=0.0)  # limit in N m or N
    speed: float = number(1.0, above=0.0)  # of the servo: rad/s or m/s

    def start(self, me: Handle) -> None:
        """Listen."""
        me.state.sum = me.state.before = 0.0
        me.listen(self._topic(me), "std_msgs/msg/Float64")

    def step(self, me: Handle) -> None:
        """Push."""
        message = me.latest(self._topic(me))
        told = self.target if message is None else float(message.data)
        target = told if math.isfinite(told) else self.target
        if self.control == "effort":
            me.joint.push(max(-self.effort, min(self.effort, target)))
        elif self.p or self.i or self.d:
            now = me.joint.position if self.control == "position" else me.joint.velocity
            me.joint.push(self._pid(me, target - now))
        elif self.control == "position":
            me.joint.move_to(target, self.speed, self.effort)
        else:
            me.joint.turn(target, self.effort)

    def _pid(self, me: Handle, error: float) -> float:
        wound = me.state.sum + self.i * error * me.step_s
        me.state.sum = max(-self.windup, min(self.windup, wound))
        slope = (error - me.state.before) / me.step_s if me.time_ns else 0.0
        if self.control == "position":
            slope = -me.joint.velocity  # the same without the jerk of a new set point
        me.state.before = error
        wanted: float = self.p * error + me.state.sum + self.d * slope
        return max(-self.effort, min(self.effort, wanted))

    def _topic(self, me: Handle) -> str:
        return self.topic or f"/{me.joint.name}/cmd"
