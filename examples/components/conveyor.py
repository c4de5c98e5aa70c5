"""A belt that carries what lies on it; attach it to a scripted object."""

import numpy as np

import outrider as o


class Conveyor(o.Component):
    """Its surface moves along x of the object while the object stays where it is."""

    speed: float = 0.3  # m/s

    def start(self, me: o.Handle) -> None:
        me.state.place = me.position

    def step(self, me: o.Handle) -> None:
        along = me.pose.apply(np.array([self.speed, 0.0, 0.0])) - me.position
        # the step itself carries it on by so much: it ends where it began
        me.place(o.Pose(me.state.place - along * me.step_s, me.pose.rotation), along)
