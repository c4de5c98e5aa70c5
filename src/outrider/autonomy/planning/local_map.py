"""The local cost map: a small window of fine cells that moves with the robot."""

import numpy as np

from outrider.autonomy.mapping.grid import LogOddsGrid
from outrider.autonomy.mapping.observation import look_of
from outrider.autonomy.planning.costmap import CostMap, inflate
from outrider.autonomy.planning.footprint import FootprintSpec
from outrider.autonomy.planning.spec import InflationSpec, LocalMapSpec
from outrider.core.frames import Array, Pose, yaw_of

_DEEP = np.array([0.0, 0.05, 0.1])  # m: how thick what holds a robot is taken to be


class LocalMap:
    """Obstacles near the robot, in the odometry's frame."""

    def __init__(
        self, spec: LocalMapSpec, footprint: FootprintSpec, inflation: InflationSpec
    ) -> None:
        self._spec = spec
        self._footprint = footprint
        self._inflation = inflation
        self._grid = LogOddsGrid(spec.resolution, spec.odds, (spec.size, spec.size))
        self._costmap: CostMap | None = None

    def look(self, obstacles: Array, ground: Array, pose: Pose) -> None:
        """Add a scan in the robot's frame at a pose."""
        self._grid.recentre(pose.position[:2])
        look = look_of(obstacles, ground, pose, self._spec.size)
        x, y = pose.position[:2].tolist()
        self._grid.look(*look.placed(x, y, yaw_of(pose.rotation)))
        self._costmap = None

    def block(self, plane: Array) -> None:
        """Add an obstacle at the front of a robot at a pose (x, y, yaw)."""
        x, y = self._footprint.half
        aside = np.arange(-y, y, self._spec.resolution)
        front = np.concatenate(
            [np.stack([np.full_like(aside, x + d), aside], axis=1) for d in _DEEP]
        )
        c, s = np.cos(plane[2]), np.sin(plane[2])
        hits = front @ np.array([[c, s], [-s, c]]) + plane[:2]
        self._grid.look(plane[:2], hits, np.empty((0, 2)))
        self._costmap = None

    def clear(self) -> None:
        """Remove all obstacles; those still there will be seen again."""
        self._grid.clear()
        self._costmap = None

    @property
    def costmap(self) -> CostMap:
        """The current costs."""
        if self._costmap is None:
            grid = self._grid
            costs = inflate(grid.occupied(), grid.resolution, self._footprint, self._inflation)
            self._costmap = CostMap(costs, grid.resolution, np.array(grid.origin))
        return self._costmap
