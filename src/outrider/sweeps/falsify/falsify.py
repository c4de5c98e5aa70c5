"""Running a search: generations of runs, until the budget is spent."""

import time
from dataclasses import dataclass

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.core.seeds import generator
from outrider.core.structure import Data
from outrider.evaluation.report.document import Block, Code, Heading, Paragraph
from outrider.sweeps.falsify.search import Search
from outrider.sweeps.figures import check_measured
from outrider.sweeps.folder import claimed
from outrider.sweeps.job import job_at
from outrider.sweeps.journal import Journal
from outrider.sweeps.load import LoadedSweep, check_builds
from outrider.sweeps.options import Monitor, SweepOptions, Unwatched, workers
from outrider.sweeps.points import Point
from outrider.sweeps.spec import Distribution, EvenGrid, Sweep, Uniform
from outrider.sweeps.sweep import SweepResult, write_files
from outrider.sweeps.verdict import judge
from outrider.sweeps.worker_pool import WorkerPool
from outrider.sweeps.worst import replay_line


@dataclass(frozen=True, slots=True)
class Failure:
    """A run that failed, and how far it is from the undisturbed scenario."""

    line: Data
    size: float  # 1 is the whole range of one parameter


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search came to."""

    result: SweepResult
    first: Failure | None  # the failure with the lowest number
    smallest: Failure | None


def falsify(
    found: LoadedSweep, options: SweepOptions, monitor: Monitor | None = None
) -> SearchResult:
    """Search for the smallest disturbance that makes a run fail."""
    ranges, spec = _ranges(found), found.sweep.falsify
    nominal = nominal_point(found, ranges)
    check_builds(found)
    search = Search(nominal, generator(found.sweep.seed, "falsify"), spec.method)
    watched, began_s = monitor or Unwatched(), time.perf_counter()
    lines: list[Data] = []
    with workers(found, options) as pool, claimed(options.out, found, "falsify") as journal:
        kept = len(journal.lines)
        watched.begin(spec.budget, kept, pool)
        while len(lines) < spec.budget:
            shares = search.propose(min(spec.generation, spec.budget - len(lines)))
            fresh = _run(found, _points(ranges, shares), len(lines), (pool, journal, watched))
            if spec.fail is not None:
                check_measured(spec.fail.figure, fresh)
            search.learn(shares, [judge(line, spec.fail) for line in fresh])
            lines += fresh
    seconds = time.perf_counter() - began_s
    return _found(SweepResult(found.name, options.out, lines, kept, seconds), found, search)


def nominal_point(found: LoadedSweep, ranges: dict[str, Distribution]) -> Array:
    """Return the undisturbed values as shares: the file's, the scenario's, or the low ends."""
    given = found.sweep.falsify.nominal
    for key in given:
        if key not in ranges:
            raise ConfigError(f"{found.name}: falsify.nominal.{key}: is not among the parameters")
    values = {key: given.get(key, _present(found.scenario, key)) for key in ranges}
    shares = [
        0.0 if values[key] is None else one.share(float(values[key]))  # type: ignore[arg-type]
        for key, one in ranges.items()
    ]
    inside: Array = np.clip(np.array(shares), 0.0, 1.0)
    return inside


def _run(
    found: LoadedSweep, points: list[Point], before: int, means: tuple[WorkerPool, Journal, Monitor]
) -> list[Data]:
    """Run a generation and return its lines in order; those in the journal are taken from it."""
    pool, journal, monitor = means
    jobs = [job_at(before + n + 1, point, found.scenario) for n, point in enumerate(points)]
    for line in pool.run(job for job in jobs if job.run not in journal.lines):
        journal.append(line)
        monitor.done(line)
    return [journal.lines[job.run] for job in jobs]


def _found(result: SweepResult, found: LoadedSweep, search: Search) -> SearchResult:
    ranges = _ranges(found)
    failures = [
        Failure(line, float(search.size(_shares(ranges, line["point"]))))
        for line in result.lines
        if judge(line, found.sweep.falsify.fail).failed
    ]
    first = failures[0] if failures else None
    smallest = min(failures, key=lambda failure: failure.size, default=None)
    write_files(result, found, _blocks(found, first, smallest, len(failures)))
    return SearchResult(result, first, smallest)


def _blocks(
    found: LoadedSweep, first: Failure | None, smallest: Failure | None, count: int
) -> list[Block]:
    if first is None or smallest is None:
        return [Heading("Search"), Paragraph("No run failed.", note=True)]
    text = (
        f"{count} runs failed, the first was run {first.line['run']}. The smallest disturbance"
        f" that fails is run {smallest.line['run']}, {smallest.size:.3f} of a parameter's range"
        " away from the undisturbed scenario."
    )
    return [Heading("Search"), Paragraph(text, note=True), Code(replay_line(found, smallest.line))]


def _ranges(found: LoadedSweep) -> dict[str, Distribution]:
    """Return the parameters that a search can move along; a list has no in-between."""
    sweep = found.sweep
    lists = [key for key, p in sweep.parameters.items() if isinstance(p, tuple)]
    if lists or not sweep.parameters:
        named = f"parameters.{lists[0]}: is a list" if lists else "parameters: there are none"
        raise ConfigError(
            f"{found.file}: {named}; a search needs ranges with low and high"
            " ('outrider sweep' runs every value of a list)"
        )
    return {key: _range(sweep, key) for key in sweep.parameters}


def _range(sweep: Sweep, key: str) -> Distribution:
    parameter = sweep.parameters[key]
    if isinstance(parameter, EvenGrid):
        return Uniform(low=parameter.low, high=parameter.high)
    assert not isinstance(parameter, tuple)
    return parameter


def _points(ranges: dict[str, Distribution], shares: Array) -> list[Point]:
    rows: list[list[float]] = shares.tolist()
    return [
        {key: one.at(share) for (key, one), share in zip(ranges.items(), row, strict=True)}
        for row in rows
    ]


def _shares(ranges: dict[str, Distribution], point: Point) -> Array:
    return np.array([one.share(point[key]) for key, one in ranges.items()])


def _present(node: object, key: str) -> float | None:
    """Return the number that the scenario itself has at a key, if there is one."""
    for part in key.split("."):
        if isinstance(node, tuple):
            node = node[int(part)] if part.isdecimal() and int(part) < len(node) else None
        else:
            node = node.get(part) if isinstance(node, dict) else getattr(node, part, None)
    return node if isinstance(node, int | float) and not isinstance(node, bool) else None
