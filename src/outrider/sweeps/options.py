"""How a sweep is run: where its results go, and who works on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from outrider.core.structure import Data
from outrider.scenarios.load import dump
from outrider.sweeps.load import LoadedSweep
from outrider.sweeps.local import LocalWorker
from outrider.sweeps.on_ray import RayCluster, RayWorker
from outrider.sweeps.one_core import cores
from outrider.sweeps.worker_pool import WorkerPool


@dataclass(frozen=True, slots=True)
class SweepOptions:
    """Options of a sweep."""

    out: Path
    jobs: int | None = None  # None: as many as there are cores
    ray: str = ""  # address of a cluster; empty: processes on this machine
    record: bool = False


class Monitor(Protocol):
    """Whoever watches a sweep."""

    def begin(self, total: int, kept: int, pool: WorkerPool) -> None:
        """Take how many runs there are, and how many of them were found done."""

    def done(self, line: Data) -> None:
        """Take the line of a run."""


class Unwatched:
    """Watches nothing."""

    def begin(self, total: int, kept: int, pool: WorkerPool) -> None:
        """Take how many runs there are."""

    def done(self, line: Data) -> None:
        """Take the line of a run."""


@contextmanager
def workers(found: LoadedSweep, options: SweepOptions) -> Iterator[WorkerPool]:
    """Give a pool for a sweep's scenario, here or on a cluster."""
    executor = {
        "scenario": dump(found.scenario),
        "folder": str(options.out.resolve()),
        "record": options.record,
    }
    if not options.ray:
        with WorkerPool(lambda n: LocalWorker(n, executor), options.jobs or len(cores())) as pool:
            yield pool
        return
    with (
        RayCluster(options.ray) as cluster,
        WorkerPool(lambda _: RayWorker(cluster, executor), options.jobs or cluster.cores) as pool,
    ):
        yield pool
