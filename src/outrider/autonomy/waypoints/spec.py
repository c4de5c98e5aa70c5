"""Waypoints in a scenario file."""

from dataclasses import dataclass
from pathlib import Path

from outrider.autonomy.waypoints.files import Waypoint, as_waypoint, read_waypoints
from outrider.core.errors import AutonomyError
from outrider.core.structure import number


@dataclass(frozen=True, slots=True)
class WaypointsSpec:
    """Positions in the map frame, here or in a file, and the timeout of each."""

    points: tuple[tuple[float, ...], ...] = ()  # [x, y] or [x, y, yaw_deg]
    file: str = ""  # .csv in the format of follow_waypoints, or .yaml
    timeout_s: float = number(180.0, above=0.0)
    wait_s: float = number(0.0, least=0.0)  # at each point
    patrol: bool = False  # start again after the last point

    def load(self) -> tuple[Waypoint, ...]:
        """Return the waypoints."""
        if self.file and self.points:
            raise AutonomyError("waypoints: give 'points' or 'file', not both")
        if self.file:
            return read_waypoints(Path(self.file))
        return tuple(as_waypoint(p, f"waypoints.{i}") for i, p in enumerate(self.points))
