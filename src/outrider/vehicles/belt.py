"""Belts: the ground contact of tracked robots."""

from dataclasses import dataclass

from outrider.core.structure import number


@dataclass(frozen=True, slots=True)
class TrackSpec:
    """One belt: its flat part on the ground, from rear to front, in the chassis link's frame."""

    sprocket: str  # the joint that drives the belt
    link: str  # the link that carries it
    y: float
    z: float  # of the axle line of the road wheels
    x_rear: float
    x_front: float
    radius: float = number(above=0.0)  # outer radius of the belt about that line
    width: float = number(above=0.0)
    contacts: int = number(8, least=2, most=64)
