"""A sensor of one's own: the distance straight ahead, with noise, on a topic."""

import outrider as o


class RangeFinder(o.Component):
    """Measures along x of what it is attached to; give it a rate_hz."""

    topic: str = "/range_ahead"
    far: float = 10.0  # m
    noise: float = 0.01  # m, standard deviation

    def step(self, me: o.Handle) -> None:
        distance = me.ray([1.0, 0.0, 0.0], self.far)
        measured = distance + self.noise * me.random.standard_normal()
        me.publish(self.topic, {"data": measured}, "std_msgs/msg/Float32")
