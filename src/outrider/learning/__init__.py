"""Environments for reinforcement learning; importing this registers them with Gymnasium.

>>> import gymnasium
>>> import outrider.learning
>>> env = gymnasium.make("Outrider/Waypoints-v0")  # doctest: +SKIP

``gymnasium.make("outrider.learning:Outrider/Waypoints-v0")`` needs no import before it.
"""

from outrider.learning.registration import register_all

__all__ = ["register_all"]

register_all()
