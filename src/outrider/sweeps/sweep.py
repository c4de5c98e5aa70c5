"""Running a sweep: all runs that are not in its folder yet, then the table and the report."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from outrider.core.errors import OutriderError
from outrider.core.structure import Data
from outrider.evaluation.report.document import Block
from outrider.sweeps.folder import claimed
from outrider.sweeps.job import jobs_of
from outrider.sweeps.load import LoadedSweep, check_builds
from outrider.sweeps.options import Monitor, SweepOptions, Unwatched, workers
from outrider.sweeps.report import write_sweep_report
from outrider.sweeps.table import TABLE, write_results


@dataclass(slots=True)
class SweepResult:
    """What a sweep left in its folder."""

    name: str
    folder: Path
    lines: list[Data]  # by run
    kept: int  # runs that were found done
    wall_time_s: float
    files: list[Path] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)  # files that could not be written


def run_sweep(
    found: LoadedSweep, options: SweepOptions, monitor: Monitor | None = None
) -> SweepResult:
    """Run what is missing; every line is on disk before the next run is taken for done."""
    check_builds(found)
    monitor, jobs = monitor or Unwatched(), jobs_of(found)
    began_s = time.perf_counter()
    with workers(found, options) as pool, claimed(options.out, found, "sweep") as journal:
        kept = len(journal.lines)
        monitor.begin(len(jobs), kept, pool)
        for line in pool.run(job for job in jobs if job.run not in journal.lines):
            journal.append(line)
            monitor.done(line)
        lines = [journal.lines[job.run] for job in jobs]
    result = SweepResult(found.name, options.out, lines, kept, time.perf_counter() - began_s)
    write_files(result, found)
    return result


def write_files(result: SweepResult, found: LoadedSweep, opening: Sequence[Block] = ()) -> None:
    """Write the table and the report; the results are there even if these cannot be."""
    table = result.folder / TABLE
    try:
        write_results(table, result.lines)
        result.files.append(table)
        report = write_sweep_report(result.folder, found, result.lines, opening)
        result.files.append(report)
    except (OutriderError, OSError) as error:
        result.troubles.append(str(error))
