"""Tyres whose hub is past the ground's surface, fast or pushed in, and wheels that lie on a side.

The ring's rays start at the hub and see no ground from there. Such a tyre casts one more ray: along
the way its hub came in this step, or down again from above where its last contact was; along its
axle if that stands up. The way is that of its speed, but after a step in parts, in which it may
have gone in and come to a stop, from where it was before.
"""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.core.vector_kernels import dot
from outrider.physics.tyres.data import Record, Records
from outrider.physics.tyres.kernels import DEEP, FAST, Floats, Floats32, Ints, add_velocity, lies
from outrider.scene.surface import Surface


@compiled
def _measure_way(
    t: Record, body: Record, before: Floats, row: int, dt: float, velocity: Floats
) -> None:  # pragma: no cover - compiled
    """Set the velocity at which a hub came to where it is now."""
    velocity[:] = 0.0
    if not before.shape[0]:
        add_velocity(body, t.hub_world, 1.0, velocity)
        return
    for k in range(3):
        velocity[k] = (t.hub_world[k] - before[row, k]) / dt


@compiled
def _aim_deep(
    tyres: Records,
    bodies: Records,
    before: Floats,
    dt: float,
    which: NDArray[np.int64],
    origins: Floats32,
    directions: Floats32,
    far: Floats32,
) -> int:  # pragma: no cover - compiled
    """Set a ray for each tyre whose hub may be past the surface; return how many there are."""
    count = 0
    velocity = np.empty(3)
    for i in range(tyres.shape[0]):
        t = tyres[i]
        body = bodies[t.body]
        _measure_way(t, body, before, i, dt, velocity)
        length = math.sqrt(dot(velocity, velocity)) * dt
        if lies(t):  # from above, through the hub, to the middle of the side that it lies on
            sign, length = -math.copysign(1.0, t.axle_world[2]), t.radius + t.half_width
            for k in range(3):
                velocity[k] = sign * t.axle_world[k]
                origins[count, k] = t.hub_world[k] - t.radius * velocity[k]
                directions[count, k] = velocity[k]
            which[count], far[count] = i, length
            count += 1
            continue
        if t.ground >= 0 and t.penetration + length > DEEP * t.radius:
            length = t.penetration + t.radius + length
            for k in range(3):
                velocity[k] = -t.normal[k]
        elif length > FAST * t.radius:
            for k in range(3):
                velocity[k] *= dt / length
        else:
            continue
        which[count], far[count] = i, length
        for k in range(3):
            origins[count, k] = t.hub_world[k] - length * velocity[k]
            directions[count, k] = velocity[k]
        count += 1
    return count


class Buried:
    """What the extra rays of all tyres found: a shape or -1, how deep, and the surface's normal."""

    def __init__(self, tyres: int) -> None:
        self.shape: Ints = np.full(tyres, -1, np.int32)
        self.depth: Floats = np.zeros(tyres)
        self.normal: Floats = np.zeros((tyres, 3))
        self._which = np.zeros(tyres, np.int64)
        self._rays = np.zeros((2, tyres, 3), np.float32)
        self._far = np.zeros(tyres, np.float32)
        self._any = False

    def forget(self) -> None:
        """Let no tyre be buried."""
        if self._any:
            self.shape[:] = -1
            self._any = False

    def look(
        self, rows: Records, bodies: Records, before: Floats, surface: Surface, dt: float
    ) -> None:
        """Find the tyres that are past the surface now, after their rings were aimed.

        ``before``: where the hubs were before a step in parts; else it is empty.
        """
        origins, directions = self._rays
        count = _aim_deep(rows, bodies, before, dt, self._which, origins, directions, self._far)
        self.forget()
        if not count:
            return
        self._any = True
        ways = directions[:count]
        far = self._far[:count].copy()
        hits = surface.cast(origins[:count].copy(), ways.copy(), far.copy())
        for ray in np.flatnonzero(hits.shape >= 0):
            tyre = int(self._which[ray])
            normal = hits.normal[ray].astype(np.float64)
            normal /= math.sqrt(float(normal @ normal))
            if normal @ ways[ray] > 0.0:
                normal = -normal
            past = (float(far[ray]) - float(hits.distance[ray])) * -float(normal @ ways[ray])
            if past <= 0.0:  # it ends on the surface itself: nothing is pressed yet
                continue
            self.shape[tyre], self.normal[tyre] = hits.shape[ray], normal
            self.depth[tyre] = past if lies(rows[tyre]) else float(rows["radius"][tyre]) + past
