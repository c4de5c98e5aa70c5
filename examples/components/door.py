"""A door that opens while a robot is near, and closes behind it."""

import math

import numpy as np

import outrider as o


class Door(o.Component):
    """Turns a hinge; attach it to the door's link or joint."""

    angle_deg: float = 90.0
    near_m: float = 2.5
    speed_deg_s: float = 60.0

    def start(self, me: o.Handle) -> None:
        me.state.open, me.state.openings = False, 0

    def step(self, me: o.Handle) -> None:
        ways = [me.find(name).position - me.position for name in me.robots]
        near = any(np.linalg.norm(way) < self.near_m for way in ways)
        me.state.openings += near and not me.state.open
        me.state.open = near
        goal = math.radians(self.angle_deg) if near else 0.0
        me.joint.move_to(goal, math.radians(self.speed_deg_s), effort=50.0)
