"""The returns of a beam: rays that hit something near enough, at a small enough incidence."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, matrix_from_quaternion
from outrider.sensors.distance.cone import Beam, BeamCone
from outrider.sensors.instant_rays import bodies_seen, cast_now
from outrider.sensors.site import Site


@dataclass(frozen=True, slots=True, eq=False)
class Echoes:
    """Rays that returned, nearest first."""

    distance: Array  # (k,)
    direction: Array  # (k, 3) unit, in the sensor's frame
    body: NDArray[np.int64]  # (k,) what was hit, or WORLD
    shape: NDArray[np.int32]  # (k,) which of that body's shapes

    def __len__(self) -> int:
        return len(self.distance)

    def point(self, index: int) -> Array:
        """Return where a ray ended, in the sensor's frame."""
        place: Array = self.direction[index] * self.distance[index]
        return place

    def first_group(self, rays: int, depth: float) -> int:
        """Return the nearest echo that enough rays share within a depth, or -1."""
        last = len(self) - rays
        if last < 0:
            return -1
        together = self.distance[rays - 1 :] - self.distance[: last + 1] <= depth
        found = int(np.argmax(together))
        return found if together[found] else -1


class EchoCaster:
    """Casts a beam from the sensor's current pose: one cast for all its cones."""

    def __init__(
        self,
        site: Site,
        cones: tuple[BeamCone, ...],
        incidence_limit_deg: float,
        *,
        light: bool = False,
    ) -> None:
        self._site, self._light = site, light
        self.beam = Beam(cones)
        # a hair wider, so that a ray exactly at the limit counts whatever the last bit says
        self._least_cosine = math.cos(math.radians(incidence_limit_deg)) - 1e-6

    def cast(self) -> Echoes:
        """Return what comes back; the robot's own parts are looked through."""
        site, beam = self._site, self.beam
        pose = site.pose
        directions = beam.directions @ matrix_from_quaternion(pose.rotation).T
        origins = np.broadcast_to(pose.position, directions.shape)
        sight = cast_now(site, origins, directions, beam.lengths, light=self._light)
        rays = np.flatnonzero((sight.shape >= 0) & (sight.cosine >= self._least_cosine))
        rays = rays[np.argsort(sight.distance[rays], kind="stable")]
        return Echoes(
            sight.distance[rays].astype(np.float64),
            beam.directions[rays],
            bodies_seen(site, sight)[rays],
            sight.shape[rays],
        )
