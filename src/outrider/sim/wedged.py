"""Movable things that start inside others: they are told of, and come out slowly.

Robots in such places are refused, and so are things that are added one by one; the worlds of others
often have things that are not quite apart.
"""

import logging
from collections.abc import Container

from outrider.sim.free_places import thing_advice
from outrider.sim.obstruction import wedged
from outrider.sim.rig import Rig

_LOG = logging.getLogger("outrider")
_TOLD = 3  # of all of them, each in a sentence of its own


def tell_of_wedged(rig: Rig, names: Container[str] | None) -> None:
    """Say which movable things are inside others; with ``names`` only what those are part of."""
    found = wedged(rig)
    if names is not None:
        found = {k: other for k, other in found.items() if k in names or other.name in names}
    for name, other in list(found.items())[:_TOLD]:
        _LOG.warning(
            "'%s' starts %s and will be pushed out; %s",
            name,
            other,
            thing_advice(rig.trial(), name),
        )
    if len(found) > _TOLD:
        _LOG.warning("%d more things start inside others", len(found) - _TOLD)
