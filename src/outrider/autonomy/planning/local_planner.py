"""The local planner (DWA): the best of all commands that can be reached now."""

import math

import numpy as np

from outrider.autonomy.planning.costmap import INSCRIBED, CostMap
from outrider.autonomy.planning.footprint import FootprintSpec
from outrider.autonomy.planning.rollout_kernels import score
from outrider.autonomy.planning.spec import LocalPlannerSpec
from outrider.core.frames import Array


class LocalPlanner:
    """Chooses the next speed and yaw rate."""

    def __init__(self, spec: LocalPlannerSpec, footprint: FootprintSpec, period_s: float) -> None:
        self.spec = spec
        self._outline = footprint.outline(0.04)
        self._period_s = period_s
        self._turning = False

    def command(
        self, costmap: CostMap, pose: Array, velocity: Array, path: Array
    ) -> tuple[float, float] | None:
        """Return speed and yaw rate, or None if every command collides.

        ``pose`` is x, y, yaw; ``velocity`` the command before; ``path`` (n, 2) what lies ahead.
        """
        ahead = self._ahead(path, pose)
        to_x, to_y = ahead[-1] - pose[:2]
        way_left = math.hypot(to_x, to_y)
        off = math.remainder(math.atan2(to_y, to_x) - pose[2], 2 * math.pi)
        limit = math.radians(self.spec.turn_first_deg)
        if way_left > 0.1 and abs(off) > (limit * 0.35 if self._turning else limit):
            turn = self._turn_on_spot(costmap, pose, off)
            if turn is not None:
                self._turning = True
                return 0.0, turn
        self._turning = False
        return self._best(costmap, pose, velocity, ahead)

    def free(self, costmap: CostMap, pose: Array, command: tuple[float, float]) -> bool:
        """Return whether a command is free of collisions over the whole horizon."""
        cost = self._score(costmap, pose, np.array([command]), pose[None, :2])
        return bool(np.isfinite(cost[0]))

    def _turn_on_spot(self, costmap: CostMap, pose: Array, off: float) -> float | None:
        spec = self.spec
        size = min(spec.max_yaw_rate, max(spec.min_turn, 1.5 * abs(off)))
        for turn in (math.copysign(size, off), -math.copysign(size, off)):
            if self.free(costmap, pose, (0.0, turn)):
                return turn
        return None

    def _best(
        self, costmap: CostMap, pose: Array, velocity: Array, ahead: Array
    ) -> tuple[float, float] | None:
        spec = self.spec
        way_left = float(np.hypot(*(ahead[-1] - pose[:2])))
        top = min(spec.max_speed, max(0.08, 1.2 * way_left))
        reach_v, reach_w = spec.acceleration * 0.25, spec.yaw_acceleration * 0.25
        low = min(top, max(0.0, velocity[0] - reach_v))
        high = min(top, velocity[0] + reach_v)
        left = max(-spec.max_yaw_rate, velocity[1] - reach_w)
        right = min(spec.max_yaw_rate, velocity[1] + reach_w)
        v, w = np.meshgrid(
            np.linspace(low, max(low, high), spec.speeds), np.linspace(left, right, spec.turns)
        )
        commands = np.stack([v.ravel(), w.ravel()], axis=1)
        commands = np.concatenate([commands, [[0.0, 0.0], [high, 0.0]]])
        costs = self._score(costmap, pose, commands, ahead)
        costs[commands[:, 0] < 0.02] += 0.5  # standing still leads nowhere
        best = int(np.argmin(costs))
        if not np.isfinite(costs[best]) or commands[best, 0] < 0.01:
            return None
        return float(commands[best, 0]), float(commands[best, 1])

    def _score(self, costmap: CostMap, pose: Array, commands: Array, path: Array) -> Array:
        spec = self.spec
        out = np.empty(len(commands))
        settings = np.array(
            [
                spec.horizon_s,
                spec.step_s,
                spec.path_weight,
                spec.goal_weight,
                spec.heading_weight,
                spec.obstacle_weight,
            ]
        )
        ox, oy = costmap.origin.tolist()
        score(
            costs=costmap.costs,
            resolution=costmap.resolution,
            ox=ox,
            oy=oy,
            outline=self._outline,
            inscribed=INSCRIBED,
            path=np.ascontiguousarray(path),
            pose=pose,
            commands=commands,
            settings=settings,
            out=out,
        )
        return out

    def _ahead(self, path: Array, pose: Array) -> Array:
        """Return the path from the point nearest to the robot up to the look-ahead distance."""
        near = int(((path - pose[:2]) ** 2).sum(axis=1).argmin())
        rest = path[near:]
        steps = np.hypot(*np.diff(rest, axis=0).T)
        end = int(np.searchsorted(np.cumsum(steps), self.spec.lookahead)) + 2
        return rest[:end]
