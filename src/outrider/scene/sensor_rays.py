"""What sensor rays see: every visible surface, where it was when each ray was cast."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.scene.cones import BLOCK
from outrider.scene.part import Part, mover_rows
from outrider.scene.past_poses import PastPoses, Times
from outrider.scene.ray_kernels import merge, select, shade
from outrider.scene.surface import Floats32

Ints = NDArray[np.int32]
NO_MODEL = -2
STATIC = -1  # the part number of everything that never moves


@dataclass(frozen=True, slots=True, eq=False)
class SensorHits:
    """Where rays ended (n,): ``shape`` is -1 for none, and is counted in its part.

    ``part`` is STATIC or a row of the view's movers, ``cosine`` that of the angle to the normal.
    """

    distance: Floats32
    cosine: Floats32
    reflectivity: Floats32
    shape: Ints
    part: Ints


class View:
    """The parts that sensors may see. Used by one thread: it keeps scratch buffers for its rays."""

    def __init__(self, static: Part | None, movers: list[Part]) -> None:
        self.static = static
        self.movers = movers
        self._rows = mover_rows(movers)
        self._scratch(1024)

    def look(
        self,
        origins: Floats32,
        directions: Floats32,
        far: Floats32,
        times_ns: Times,
        past: PastPoses,
        ignore_model: int = NO_MODEL,
        alike: bool = False,
    ) -> SensorHits:
        """Cast rays of unit direction, each at its own time; ``far`` is overwritten.

        It is faster if they are ``alike``, each nearly like the next.
        """
        hits = self._look_static(origins, directions, far, alike)
        self.add_movers(origins, directions, times_ns, past, ignore_model, hits, alike)
        return hits

    def shows_movers(self, ignore_model: int) -> bool:
        """Say whether there is any mover but those of one model."""
        return bool((self._rows["model"] != ignore_model).any())

    def add_movers(
        self,
        origins: Floats32,
        directions: Floats32,
        times_ns: Times,
        past: PastPoses,
        ignore_model: int,
        hits: SensorHits,
        alike: bool,
    ) -> None:
        """Let movers stand before what rays found of all that never moves."""
        if len(hits.distance) and self.shows_movers(ignore_model):
            ends = self._select(origins, directions, times_ns, past, ignore_model, hits)
            self._look_movers(ends, hits, alike)

    def _look_static(
        self, origins: Floats32, directions: Floats32, far: Floats32, alike: bool
    ) -> SensorHits:
        n = len(far)
        cosine, echo = np.empty(n, np.float32), np.empty(n, np.float32)
        part = np.full(n, STATIC, np.int32)
        if self.static is None:
            cosine[:] = echo[:] = 0
            return SensorHits(far, cosine, echo, np.full(n, -1, np.int32), part)
        found = self.static.surface.cast_raw(origins, directions, far, alike)
        shape = found["geomID"]
        shade(directions, found["Ng"], shape, self.static.reflectivity, cosine, echo)
        return SensorHits(found["tfar"], cosine, echo, shape, part)

    def _select(
        self,
        origins: Floats32,
        directions: Floats32,
        times_ns: Times,
        past: PastPoses,
        ignore: int,
        hits: SensorHits,
    ) -> NDArray[np.int64]:
        """Return where each mover's rays end in the lists of picked rays, after a 0."""
        cones = np.empty((-(-len(origins) // BLOCK), 10))
        ends = np.zeros(1 + len(self.movers), np.int64)
        while True:
            count = select(
                self._rows,
                ignore,
                past.bodies,
                times=past.times,
                first=past.first,
                count=past.count,
                origins=origins,
                directions=directions,
                distance=hits.distance,
                when=times_ns,
                cones=cones,
                picked=self._picked,
                starts=self._starts,
                along=self._along,
                ends=ends[1:],
            )
            if count <= len(self._picked):
                return ends
            self._scratch(2 * count)

    def _look_movers(self, ends: NDArray[np.int64], hits: SensorHits, alike: bool) -> None:
        for number in np.flatnonzero(np.diff(ends)).tolist():
            part, begin, end = self.movers[number], ends[number], ends[number + 1]
            rays, along = self._picked[begin:end], self._along[begin:end]
            far = hits.distance[rays]
            found = part.surface.cast_raw(self._starts[begin:end], along, far, alike)
            merge(
                number,
                rays,
                along,
                found_distance=found["tfar"],
                found_shapes=found["geomID"],
                normals=found["Ng"],
                reflectivity=part.reflectivity,
                distance=hits.distance,
                shapes=hits.shape,
                parts=hits.part,
                cosine=hits.cosine,
                echo=hits.reflectivity,
            )

    def _scratch(self, count: int) -> None:
        self._picked = np.empty(count, np.int32)
        self._starts = np.empty((count, 3), np.float32)
        self._along = np.empty((count, 3), np.float32)
