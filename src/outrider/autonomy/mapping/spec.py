"""Parameters of mapping."""

from dataclasses import dataclass, field

from outrider.core.structure import number


@dataclass(frozen=True, slots=True)
class OddsSpec:
    """The weight of one observation in log-odds; 0.85 is 70 %, 2.0 is 88 %."""

    hit: float = number(0.85, above=0.0)
    miss: float = number(0.4, above=0.0)
    most: float = number(3.5, above=0.0)
    least: float = number(-2.0, most=0.0)
    occupied: float = number(0.8, above=0.0)  # above, a cell is occupied
    free: float = number(-0.3, most=0.0)  # below, it is free


@dataclass(frozen=True, slots=True)
class MappingSpec:
    """The grid: 0.05 m cells, and 5 m around the robot as in Platt's experiments."""

    resolution: float = number(0.05, above=0.0)
    range: float = number(5.0, above=0.0)
    period_s: float = number(0.2, above=0.0)  # between two observations that are used
    publish_s: float = number(1.0, above=0.0)  # between two published maps
    odds: OddsSpec = field(default_factory=OddsSpec)


@dataclass(frozen=True, slots=True)
class ScanViewSpec:
    """The range up to which a scan is used, and how long it waits for a pose."""

    max_range: float = number(10.0, above=0.0)
    patience_s: float = number(0.2, above=0.0)
