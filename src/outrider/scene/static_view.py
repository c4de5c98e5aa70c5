"""What never moves, for rays of light that are cast before a sensor is asked."""

from dataclasses import dataclass

from outrider.scene.embree import Tracer
from outrider.scene.relief import Relief
from outrider.scene.surface import Floats32


@dataclass(frozen=True, slots=True, eq=False)
class StaticView:
    """Surfaces that rays of light are cast at; in front of it there may be movers."""

    tracer: Tracer
    reflectivity: Floats32  # per shape
    relief: Relief
    alone: bool  # nothing moves in front of it, so that relief can be told at once
