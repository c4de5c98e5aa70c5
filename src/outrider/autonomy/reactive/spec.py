"""Parameters of the reactive controllers."""

from dataclasses import dataclass
from typing import Literal

from outrider.core.structure import number


@dataclass(frozen=True, slots=True)
class AvoidSpec:
    """Distances and speeds."""

    type: Literal["avoid"] = "avoid"
    speed: float = number(0.4, above=0.0)
    yaw_rate: float = number(1.0, above=0.0)
    stop_m: float = number(0.6, above=0.0)  # to an obstacle ahead: it turns
    slow_m: float = number(1.5, above=0.0)  # to an obstacle ahead: it slows down
    width: float = number(0.8, above=0.0)  # m of the strip ahead that must be free


@dataclass(frozen=True, slots=True)
class LaneSpec:
    """Where in the image marks are searched, and the steering gains."""

    type: Literal["lane"] = "lane"
    speed: float = number(0.4, above=0.0)
    gain: float = number(1.5, above=0.0)  # rad/s for a lane half an image off
    top: float = number(0.6, least=0.0, most=1.0)  # fraction of the image height
    bottom: float = number(0.8, least=0.0, most=1.0)  # fraction of the image height
    lane_share: float = number(0.6, above=0.0)  # fraction of the image width between two markings
    contrast: float = number(40.0, above=0.0)  # grey values above the median
    side: Literal["left", "right"] = "right"  # which marking is followed if only one is seen
    patience: int = number(10, least=1)  # images without a marking before it stops


@dataclass(frozen=True, slots=True)
class WallSpec:
    """Which wall, and its distance."""

    type: Literal["wall"] = "wall"
    side: Literal["left", "right"] = "right"
    distance: float = number(0.8, above=0.0)
    speed: float = number(0.4, above=0.0)
    yaw_rate: float = number(1.2, above=0.0)
    lookahead: float = number(0.5, above=0.0)  # m
    gain: float = number(1.5, above=0.0)  # rad/s per metre off
    damping: float = number(1.0, least=0.0)  # rad/s per radian off
    stop_m: float = number(0.5, above=0.0)  # to an obstacle ahead: it turns away
