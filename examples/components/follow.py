"""A robot that follows another one at a distance."""

import math

import outrider as o


class Follow(o.Component):
    """Drives the robot that it is attached to, ten times a second if its entry says so."""

    leader: str
    gap: float = 1.5  # m
    most: float = 1.0  # m/s

    def step(self, me: o.Handle) -> None:
        ahead = me.pose.inverse().apply(me.find(self.leader).position)
        distance, bearing = math.hypot(ahead[0], ahead[1]), math.atan2(ahead[1], ahead[0])
        speed = min(self.most, max(0.0, 1.5 * (distance - self.gap)))
        me.robot().drive(speed, 2.0 * bearing)
