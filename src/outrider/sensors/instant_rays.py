"""Rays cast all at once, now: for sensors whose measurement time is negligible."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.scene.past_poses import PastPoses
from outrider.scene.sensor_rays import NO_MODEL, STATIC, SensorHits
from outrider.sensors.site import Site
from outrider.world.assembly import WORLD


def cast_now(
    site: Site, origins: Array, directions: Array, far: Array, *, light: bool = False
) -> SensorHits:
    """Cast rays (n, 3) of own lengths (n,) in the world; the sensor's own robot is not seen.

    Rays of ``light`` go through what is clear; sound and radio waves do not.
    """
    now_ns = site.state.time_ns
    return site.scene.look(
        np.ascontiguousarray(origins, np.float32),
        np.ascontiguousarray(directions, np.float32),
        far.astype(np.float32),
        np.full(len(far), now_ns, np.int64),
        PastPoses.of(site.state.bodies, now_ns),
        site.model if site.body != WORLD else NO_MODEL,
        by_light=light,
    )


def bodies_seen(site: Site, hits: SensorHits) -> NDArray[np.int64]:
    """Return the body that each ray ended on; WORLD for what never moves."""
    movers = np.array([*(part.body for part in site.scene.view.movers), WORLD], np.int64)
    return np.where(hits.part == STATIC, WORLD, movers[hits.part])
