"""Detects that the robot pushes against something unseen: wheels turn, the robot does not move."""

from collections import deque

import numpy as np

from outrider.autonomy.planning.spec import BumpSpec
from outrider.core.clock import NS_PER_S, to_ns
from outrider.core.frames import Array


class BumpWatch:
    """Compares commanded with actual motion."""

    def __init__(self, spec: BumpSpec) -> None:
        self._spec = spec
        self._past: deque[tuple[int, Array, float]] = deque()  # when, where, speed from then on

    def reset(self) -> None:
        """Discard the history."""
        self._past.clear()

    def held(self, now_ns: int, place: Array, speed: float) -> bool:
        """Add the position (x, y) and commanded speed; return whether the robot is blocked."""
        past, spec = self._past, self._spec
        past.append((now_ns, place, speed))
        window_ns = to_ns(spec.window_s)
        if now_ns - past[0][0] < window_ns:
            return False
        while len(past) > 2 and now_ns - past[1][0] >= window_ns:
            past.popleft()
        times = np.array([t for t, _, _ in past])
        speeds = np.array([v for _, _, v in past])
        wanted = float((speeds[:-1] * np.diff(times)).sum()) / NS_PER_S
        driven = float(np.hypot(*(place - past[0][1])))
        return wanted > spec.least_m and driven < spec.share * wanted
