"""A lift or elevator: goes to floors, when told or one after the other."""

from outrider.components.builtin.carriage import carry_to, position_of, remember_home, unit_axis
from outrider.components.component import Component
from outrider.components.handle import Handle
from outrider.core.structure import number

_THERE = 0.01  # m


class Lift(Component):
    """Moves a prismatic joint, or a scripted object, to one of several heights."""

    floors: tuple[float, ...] = (0.0, 3.0)  # m from its start position
    speed: float = number(0.5, above=0.0)  # m/s
    effort: float = number(50_000.0, above=0.0)  # N; not used for an object
    wait_s: float = number(5.0, least=0.0)  # at a floor, before it continues by itself
    topic: str = ""  # std_msgs/Int32: the floor to go to, from 0; it then moves only on request

    def start(self, me: Handle) -> None:
        """Stand on the first floor."""
        remember_home(me)
        me.state.floor, me.state.arrived_s = 0, me.time_s
        if self.topic:
            me.listen(self.topic, "std_msgs/msg/Int32")

    def step(self, me: Handle) -> None:
        """Go on, or to where it is told."""
        message = me.latest(self.topic) if self.topic else None
        last = len(self.floors) - 1
        if message is not None:
            me.state.floor = min(last, max(0, int(message.data)))
        goal = self.floors[me.state.floor]
        if abs(position_of(me) - goal) > _THERE:
            me.state.arrived_s = me.time_s
        elif not self.topic and me.time_s - me.state.arrived_s >= self.wait_s:
            me.state.floor = (me.state.floor + 1) % (last + 1)
        carry_to(me, goal, self.speed, self.effort, unit_axis((0.0, 0.0, 1.0)))
