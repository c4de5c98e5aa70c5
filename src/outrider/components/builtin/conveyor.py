"""A belt: its surface moves, and with it what lies or drives on it."""

from outrider.components.builtin.carriage import unit_axis
from outrider.components.component import Component
from outrider.components.handle import Handle
from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.core.structure import number


class Conveyor(Component):
    """Moves the surface of a scripted object, which itself stays where it is."""

    speed: float = number(0.3, least=-100.0, most=100.0)  # m/s
    axis: tuple[float, float, float] = (1.0, 0.0, 0.0)  # in the object's own frame
    topic: str = ""  # std_msgs/Float64: sets the speed

    def start(self, me: Handle) -> None:
        """Remember the place."""
        me.state.home, me.state.turn = me.position, me.pose.rotation
        if self.topic:
            me.listen(self.topic, "std_msgs/msg/Float64")

    def step(self, me: Handle) -> None:
        """Move the surface on, and the object back by what the step will carry it on."""
        message = me.latest(self.topic) if self.topic else None
        speed = self.speed if message is None else float(message.data)
        along = matrix_from_quaternion(me.state.turn) @ (speed * unit_axis(self.axis))
        me.place(Pose(me.state.home - along * me.step_s, me.state.turn), along)
