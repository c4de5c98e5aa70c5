"""A traffic light that programs listen to, and robots that cross at red are counted."""

import outrider as o


class TrafficLight(o.Component):
    """Publishes its colour; counts robots that pass x of the light while it is red."""

    green_s: float = 4.0
    red_s: float = 3.0

    def start(self, me: o.Handle) -> None:
        me.state.crossed_at_red = 0
        me.state.before = {}

    def step(self, me: o.Handle) -> None:
        red = me.time_s % (self.green_s + self.red_s) >= self.green_s
        me.publish("/light", {"data": "red" if red else "green"}, "std_msgs/msg/String")
        for name in me.robots:
            ahead = bool(me.robot(name).pose.position[0] > me.position[0])
            if red and ahead and not me.state.before.get(name, ahead):
                me.state.crossed_at_red += 1
            me.state.before[name] = ahead

    def draw(self, me: o.Handle, canvas: o.Canvas) -> None:
        canvas.text(me.position, f"{me.state.crossed_at_red} crossed at red", height=0.3)
