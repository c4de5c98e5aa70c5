"""Something that is moved along one way: a joint, or a scripted object."""

import numpy as np

from outrider.components.handle import Handle
from outrider.core.errors import ComponentError
from outrider.core.frames import Array, Pose

_APPROACH = 10.0  # 1/s: the speed is at most this times the way that is left


def remember_home(me: Handle) -> None:
    """Remember where an object stands at the start."""
    if not me.has_joint:
        me.state.home, me.state.turn, me.state.way = me.position, me.pose.rotation, 0.0


def carry_to(me: Handle, goal: float, speed: float, effort: float, axis: Array) -> None:
    """Move towards a goal: a joint's position, or a scripted object's way along an axis (m)."""
    if me.has_joint:
        me.joint.move_to(goal, speed, effort)
        return
    left = goal - me.state.way
    wanted = min(speed, max(-speed, _APPROACH * left))
    place = me.state.home + axis * me.state.way
    me.place(Pose(place, me.state.turn), axis * wanted)
    me.state.way += wanted * me.step_s


def position_of(me: Handle) -> float:
    """Return how far along it is."""
    return me.joint.position if me.has_joint else float(me.state.way)


def unit_axis(axis: tuple[float, float, float]) -> Array:
    """Return a direction of length one."""
    found = np.array(axis)
    length = float(np.linalg.norm(found))
    if length == 0.0:
        raise ComponentError("axis: expected a direction, got three zeros")
    direction: Array = found / length
    return direction
