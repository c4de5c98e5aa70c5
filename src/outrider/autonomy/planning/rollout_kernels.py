"""Compiled: simulated trajectories at constant speed and yaw rate, and their scores."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.core.frames import Array

LETHAL = 254


@compiled
def score(
    costs: NDArray[np.uint8],
    resolution: float,
    ox: float,
    oy: float,
    outline: Array,
    inscribed: int,
    path: Array,
    pose: Array,
    commands: Array,
    settings: Array,
    out: Array,
) -> None:  # pragma: no cover
    """Write the cost of each command (n, 2) into ``out``; infinite where it would collide.

    ``path`` (m, 2) is what to follow, its last point the place to come to; ``settings`` are the
    time, its step, and the weights of path, goal, heading and obstacles.
    """
    span, dt, w_path, w_goal, w_heading, w_obstacle = settings
    rows, columns = costs.shape
    gx, gy = path[path.shape[0] - 1]
    for k in range(commands.shape[0]):
        v, w = commands[k]
        x, y, yaw = pose
        worst, t, hit = 0, 0.0, False
        while t < span - 1e-9 and not hit:
            yaw += 0.5 * w * dt
            x += v * np.cos(yaw) * dt
            y += v * np.sin(yaw) * dt
            yaw += 0.5 * w * dt
            t += dt
            i, j = int(np.floor((x - ox) / resolution)), int(np.floor((y - oy) / resolution))
            if not (0 <= i < columns and 0 <= j < rows):
                continue
            here = costs[j, i]
            if here >= inscribed:
                hit = True
            elif here > 0:
                c, s = np.cos(yaw), np.sin(yaw)
                for p in range(outline.shape[0]):
                    px = x + c * outline[p, 0] - s * outline[p, 1]
                    py = y + s * outline[p, 0] + c * outline[p, 1]
                    i = int(np.floor((px - ox) / resolution))
                    j = int(np.floor((py - oy) / resolution))
                    if 0 <= i < columns and 0 <= j < rows and costs[j, i] == LETHAL:
                        hit = True
                        break
            worst = max(worst, here)
        if hit:
            out[k] = np.inf
            continue
        near = np.inf
        for m in range(path.shape[0]):
            near = min(near, (path[m, 0] - x) ** 2 + (path[m, 1] - y) ** 2)
        to_goal = np.sqrt((gx - x) ** 2 + (gy - y) ** 2)
        aim = np.arctan2(gy - y, gx - x) - yaw
        off = abs(np.arctan2(np.sin(aim), np.cos(aim))) if to_goal > 0.05 else 0.0
        out[k] = (
            w_path * np.sqrt(near)
            + w_goal * to_goal
            + w_heading * off * min(1.0, to_goal)
            + w_obstacle * worst / 252.0
        )
