"""The rays of a revolution, cast on other cores while it goes on.

They are cast as soon as the poses at their times are known, in the same packets, from the same
poses and with the same results as all at once at the end. So whoever is faster, the messages are
the same bytes.
"""

from collections.abc import Callable
from functools import partial
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from outrider.core.process.faster_choice import FasterChoice
from outrider.core.process.helper_threads import HelperJob, helpers
from outrider.scene.past_poses import PastPoses, Times
from outrider.scene.sensor_rays import STATIC, SensorHits
from outrider.scene.static_view import StaticView
from outrider.sensors.lidar.sweep_kernels import LidarRays, RayBuffers, Surfaces, cast

_PACKET = 16  # rays that Embree takes together, or fewer: runs begin and end between packets
_SECTORS = 3
_OWN = 4  # of what is left at the end, one run in so many is not handed out
LEAST_RAYS = 4000  # below, a revolution is cast faster than it is handed out
NEVER = 1 << 62  # ns
Runs = NDArray[np.int64]  # (n, 2): first ray, and the one after the last
_NO_RUNS: Runs = np.zeros((0, 2), np.int64)


class LidarSweep:
    """One revolution, sector by sector. Its arrays are free again when the next one begins."""

    def __init__(self, rays: LidarRays, static_view: StaticView) -> None:
        self.static_view, self._rays = static_view, rays
        self._surfaces = _surfaces(static_view)
        self._ends, self._runs = sectors(rays.offsets_ns)
        n = len(rays.offsets_ns)
        self.origins, self.directions = np.empty((2, n, 3), np.float32)
        self.when = np.empty(n, np.int64)
        distance, cosine, echo = np.empty((3, n), np.float32)
        shapes, parts = np.empty(n, np.int32), np.full(n, STATIC, np.int32)
        self.hits = SensorHits(distance, cosine, echo, shapes, parts)
        self._out = RayBuffers(
            scratch=np.empty((6, n), np.float32),
            origins=self.origins,
            directions=self.directions,
            when=self.when,
            distance=distance,
            shapes=shapes,
            faces=np.empty(n, np.int32),
            corners=np.empty((2, n), np.float32),
            normals=np.empty((n, 3), np.float32),
            cosine=cosine,
            echo=echo,
            parts=parts,
        )
        self._job: HelperJob | None = None
        self.start_ns, self._changes, self._cast, self.due_ns = 0, -1, 0, NEVER
        self.quicker = FasterChoice()  # with helpers, or all at once
        self._spent_s = 0.0

    def begin(self, start_ns: int, changes: int) -> None:
        """Go on to the revolution that starts then; ``changes`` are those of the past so far.

        It is left out if its rays are sooner cast all at once: no core is free, for example.
        """
        self.drop()
        if self.quicker.choose():
            self.hits.part[:] = STATIC
            self.start_ns, self._changes, self._spent_s = start_ns, changes, 0.0
            self._advance(0)

    def fits(self, start_ns: int, changes: int) -> bool:
        """Say whether it is this revolution, in a past that was not replaced since."""
        return self.start_ns == start_ns and self._changes == changes

    def step(self, now_ns: int, past: Callable[[], PastPoses]) -> None:
        """Hand out the sectors whose rays were all fired before now, if a helper is free.

        ``past`` makes one that stays as it is while the simulation goes on.
        """
        if self._job is not None and not self._job.done:
            return
        ready = sum(self.start_ns + end < now_ns for end in self._ends)
        if ready > self._cast and self.due_ns != NEVER:
            began = perf_counter()
            if self._hand_out(self._between(self._cast, ready), past()):
                self._advance(ready)
            self._spent_s += perf_counter() - began

    def finish(self, past: PastPoses, beside: Callable[[], None]) -> None:
        """Cast what is left, and do something ``beside`` that."""
        began = perf_counter()
        left = self._between(self._cast, _SECTORS)
        own = np.arange(len(left)) % _OWN == _OWN - 1
        if not self._hand_out(left[~own], past):
            own[:] = True
        beside()
        self._work(left[own], past, np.zeros(1, np.bool_))()
        self._wait()
        self._advance(_SECTORS)
        self.quicker.note(True, self._spent_s + perf_counter() - began)

    def drop(self) -> None:
        """Wait for what is under way, and forget it."""
        job, self._job = self._job, None
        if job is not None:
            job.settle()
        self._changes, self.due_ns = -1, NEVER

    def _hand_out(self, runs: Runs, past: PastPoses) -> bool:
        """Let a helper begin with some runs, after what it has of this revolution."""
        self._wait()
        done = np.zeros(1, np.bool_)
        self._job = helpers().begin(self._work(runs, past, done), done)
        return self._job is not None

    def _wait(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.wait()

    def _advance(self, sectors: int) -> None:
        self._cast = sectors
        done = sectors >= _SECTORS
        self.due_ns = NEVER if done else self.start_ns + self._ends[sectors] + 1

    def _between(self, first: int, last: int) -> Runs:
        return np.concatenate([_NO_RUNS, *self._runs[first:last]])

    def _work(self, runs: Runs, past: PastPoses, done: NDArray[np.bool_]) -> Callable[[], None]:
        start_ns, rays, surfaces = self.start_ns, self._rays, self._surfaces
        # the LiDAR exchanges these two with its own, revolution by revolution
        out = self._out._replace(origins=self.origins, directions=self.directions)
        # the simulation may be gone before the end: compiled code reads the view's memory
        return partial(_cast_in, self.static_view, runs, past, start_ns, rays, out, surfaces, done)


def _cast_in(
    _view: StaticView,
    runs: Runs,
    past: PastPoses,
    start_ns: int,
    rays: LidarRays,
    out: RayBuffers,
    surfaces: Surfaces,
    done: NDArray[np.bool_],
) -> None:
    """Cast rays in a view, which stays as long as that takes."""
    cast(runs, past.arrays, start_ns, rays, out, surfaces, done)


def _surfaces(ground: StaticView) -> Surfaces:
    relief = ground.relief
    return Surfaces(
        ground.tracer.coherent,
        ground.reflectivity,
        with_relief=bool(ground.alone and len(relief.height)),
        height=relief.height,
        most=relief.most,
        steepest=relief.steepest,
        tile=relief.tile,
        tiles=relief.tiles,
    )


def sectors(offsets_ns: Times) -> tuple[list[int], list[Runs]]:
    """Return when the last ray of each sector is fired, and its runs of rays."""
    fired = np.maximum.reduceat(offsets_ns, np.arange(0, len(offsets_ns), _PACKET))
    ends = [int(fired.max()) * (k + 1) // _SECTORS for k in range(_SECTORS)]
    sector = np.searchsorted(ends, fired)
    return ends, [_runs(np.flatnonzero(sector == k), len(offsets_ns)) for k in range(_SECTORS)]


def _runs(packets: NDArray[np.intp], rays: int) -> Runs:
    """Return packets that follow one another as runs of rays."""
    begins = packets[np.diff(packets, prepend=-2) > 1]
    ends = packets[np.diff(packets, append=rays + 2) > 1] + 1
    return np.column_stack([begins * _PACKET, np.minimum(ends * _PACKET, rays)])
