"""A series of runs, each in its own process: parallel and resumable; no result is lost."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from outrider.core.errors import ConfigError, EvaluationError, OutriderError
from outrider.core.files.atomic_file import check_writable
from outrider.core.process.worker_process import WorkerProcess
from outrider.core.structure import Data
from outrider.evaluation.runs.facts import facts, versions
from outrider.evaluation.runs.figures import FIGURES
from outrider.evaluation.runs.folder import (
    RECORDING,
    RESULT,
    SCENARIO,
    read_result,
    recording_in,
    seed_folder,
    seeds_in,
    write_json,
    write_table,
)
from outrider.evaluation.runs.statistics import leaves, whole
from outrider.scenarios.load import dump
from outrider.scenarios.names import with_names
from outrider.scenarios.result import Result
from outrider.scenarios.scenario import Scenario

Progress: TypeAlias = Callable[[int, float], None]  # seed and simulated seconds


@dataclass(frozen=True, slots=True)
class SeriesOptions:
    """Options of a series."""

    runs: int = 1
    jobs: int = 1
    speed: float = 0.0
    out: Path | None = None
    record: bool = False
    bridges: tuple[str, ...] = ()
    files: Path | None = None  # folder that peers on a bridge may use


@dataclass(slots=True)
class Series:
    """The results of a series."""

    results: list[Result] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)  # seeds that were found done
    troubles: list[str] = field(default_factory=list)  # files that could not be written


def run_series(
    scenario: Scenario, options: SeriesOptions, progress: Progress | None = None
) -> Series:
    """Run all seeds that are not done yet; a failed run is a result with a reason."""
    check_series(scenario, options)
    scenario = with_names(scenario, scenario.name)
    _refuse_other_runs(scenario, options)
    series, todo = Series(), []
    for seed in range(scenario.seed, scenario.seed + options.runs):
        one = replace(scenario, seed=seed)
        done = _found(one, options)
        if done is None:
            todo.append(one)
        else:
            series.results.append(done)
            series.kept.append(seed)
    _run_all(todo, series, _Workers(options, progress or _say_nothing))
    series.results.sort(key=lambda result: int(result["seed"]))
    if options.out is not None:
        _write(options.out, series)
    return series


def run_once(scenario: Scenario, options: SeriesOptions, **how: Any) -> Series:
    """Run once, in this process; ``how`` are further options of ``measured_run``."""
    from outrider.evaluation.runs.folder import write_measured
    from outrider.evaluation.runs.measured_run import measured_run

    scenario = with_names(scenario, scenario.name)
    out, series = options.out, Series()
    _refuse_other_runs(scenario, options)
    done = _found(scenario, options)
    if done is not None:
        return Series([done], [scenario.seed])
    folder = None if out is None else seed_folder(out, scenario.seed)
    measured = measured_run(
        scenario,
        speed=options.speed,
        bridges=options.bridges,
        files=options.files,
        truth_folder=out,
        recording=recording_in(folder) if options.record else None,
        **how,
    )
    series.results.append(measured.result)
    if out is not None and folder is not None:
        try:
            write_measured(folder, measured)
        except OutriderError as error:
            series.troubles.append(str(error))
        _write(out, series)
    return series


def _run_all(todo: list[Scenario], series: Series, workers: "_Workers") -> None:
    with ThreadPoolExecutor(workers.size) as pool:
        try:
            for answer in pool.map(workers.run, todo):
                series.results.append(answer["result"])
                series.troubles += [answer["trouble"]] if "trouble" in answer else []
        except BaseException:
            workers.stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _say_nothing(_seed: int, _sim_s: float) -> None:
    """Report nothing."""


def check_series(scenario: Scenario, options: SeriesOptions) -> None:
    """Refuse options that would disturb the measurements, or never end."""
    from outrider.evaluation.runs.measured_run import check_ends

    check_ends(scenario)
    if options.jobs > 1 and options.speed > 0:
        raise ConfigError(
            f"--jobs {options.jobs}: paced runs would slow each other down;"
            " use --speed 0 or --jobs 1"
        )
    if options.jobs > 1 and options.bridges:
        raise ConfigError(f"--jobs {options.jobs}: a bridge can serve one run at a time")
    if options.record and options.out is None:
        raise ConfigError("--record: recordings are stored next to the results: add --out DIR")
    if options.out is not None:
        check_writable(options.out / RESULT)


class _Workers:
    """Worker processes, each with a thread that waits for it."""

    def __init__(self, options: SeriesOptions, progress: Progress) -> None:
        self.size = max(1, options.jobs)
        self._options = options
        self._progress = progress
        self._lock = threading.Lock()
        self._busy: set[WorkerProcess] = set()
        self._stopped = False

    def run(self, scenario: Scenario) -> Data:
        """Run one job in a worker and return its result."""
        options = self._options
        folder = None if options.out is None else seed_folder(options.out, scenario.seed)
        job = {
            "name": scenario.name,
            "scenario": dump(scenario),
            "folder": None if folder is None else str(folder.resolve()),
            "record": options.record,
            "speed": options.speed,
            "bridges": list(options.bridges),
            "files": None if options.files is None else str(options.files),
            "since_s": time.time(),
        }
        answer = self._ask(scenario.seed, job)
        if "refused" in answer:
            raise ConfigError(answer["refused"])
        if options.jobs > 1:
            answer["result"]["jobs"] = options.jobs  # timings were shared
        return answer

    def stop(self) -> None:
        """Terminate all workers."""
        with self._lock:
            self._stopped = True
            for process in self._busy:
                process.kill()

    def _ask(self, seed: int, job: Data) -> Data:
        process = self._start()
        answer: Data = {}
        with suppress(OSError, ValueError):  # it died: what it said last tells why
            process.send(job)
            for answer in process.answers():
                if "sim_s" in answer:
                    self._progress(seed, float(answer["sim_s"]))
        ended = process.how_it_ended()
        with self._lock:
            self._busy.discard(process)
        if "result" in answer or "refused" in answer:
            return answer
        return {"result": _lost(job, seed, ended)}

    def _start(self) -> WorkerProcess:
        with self._lock:
            if self._stopped:
                raise EvaluationError("the series was stopped")
            process = WorkerProcess("outrider.evaluation.runs.worker")
            self._busy.add(process)
        return process


def _lost(job: Data, seed: int, reason: str) -> Result:
    """Return the result of a run whose process died."""
    return {
        "scenario": job["name"],
        "seed": seed,
        "completed": False,
        "error": reason,
        "reason": reason,
        "facts": facts(),
    }


def _refuse_other_runs(scenario: Scenario, options: SeriesOptions) -> None:
    """Refuse a folder with runs of something else, whatever their seeds: reports read them all."""
    for seed in [] if options.out is None else seeds_in(options.out):
        _found(replace(scenario, seed=seed), options)


def _found(scenario: Scenario, options: SeriesOptions) -> Result | None:
    """Return the whole result of a seed that is there; another scenario's is refused."""
    folder = None if options.out is None else seed_folder(options.out, scenario.seed)
    if folder is None or not (folder / RESULT).is_file():
        return None
    try:
        same = (folder / SCENARIO).read_text("utf-8") == dump(scenario)
    except OSError:
        same = False
    if not same:
        raise ConfigError(
            f"{folder}: holds a run of another scenario or other settings; choose another --out"
        )
    result = read_result(folder / RESULT)
    theirs, ours = versions(result.get("facts", {})), versions(facts())
    if theirs != ours:
        raise ConfigError(
            f"{folder}: was made by {_named(theirs)}, this is {_named(ours)}: choose another --out"
        )
    unrecorded = options.record and not (folder / RECORDING).is_file()
    return None if result.get("error") or unrecorded else result


def _named(found: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in found.items()) or "unknown versions"


def _write(out: Path, series: Series) -> None:
    """Write the summary of all runs in the folder, as JSON and as a table."""
    try:
        new = {int(result["seed"]): result for result in series.results}
        old = {seed: read_result(seed_folder(out, seed) / RESULT) for seed in seeds_in(out)}
        results = [result for _, result in sorted({**old, **new}.items())]
        write_json(out / RESULT, whole(results))
        write_csv(out / "runs.csv", results)
    except (OutriderError, OSError) as error:
        series.troubles.append(str(error))


def write_csv(path: Path, results: Sequence[Result]) -> None:
    """Write one line per run with every figure, those of the tables first."""
    rows = [dict(leaves(result)) for result in results]
    known = {name for row in rows for name in row}
    first = [figure.key for figure in FIGURES if figure.key in known]
    columns = [*first, *sorted(known - set(first))]
    lines = [
        [r["scenario"], r["seed"], r.get("reason") or "", *(row.get(c, "") for c in columns)]
        for r, row in zip(results, rows, strict=True)
    ]
    write_table(path, ["scenario", "seed", "reason", *columns], lines)
