"""The bar over a series of runs, and the table at its end."""

import statistics
import threading
from collections.abc import Sequence
from typing import Self

import typer
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from outrider.cli.output.harmless_text import harmless, progress_console
from outrider.cli.output.table import print_table
from outrider.core.structure import Data
from outrider.evaluation.runs.figures import table


class SeriesBar:
    """Shows how far all runs are together; on anything but a terminal it shows nothing."""

    def __init__(self, name: str, duration_s: float, runs: int) -> None:
        console = progress_console()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[figures]}"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task(
            escape(harmless(name)), total=runs * duration_s, figures=""
        )
        self._runs = runs
        self._sim_s: dict[int, float] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def __call__(self, seed: int, sim_s: float) -> None:
        """Take how far a run is."""
        with self._lock:
            self._sim_s[seed] = sim_s
            done, at = sum(self._sim_s.values()), len(self._sim_s)
        words = f"run {at} of {self._runs}, seed {seed}: {sim_s:.1f} s"
        self._progress.update(self._task, completed=done, figures=words)


def print_series(results: Sequence[Data]) -> None:
    """Print mean, spread and worst of what the runs have figures for."""
    completed = sum(bool(result["completed"]) for result in results)
    typer.echo(f"\n{completed} of {len(results)} runs completed")
    rows = [
        {
            "figure": row.figure.label,
            "mean": row.text(row.mean),
            "spread": row.text(row.spread),
            "worst": row.text(row.worst),
            "runs": len(row.values),
            "unit": row.figure.unit,
        }
        for row in table(results)
    ]
    print_table(rows)
    jobs = [result["jobs"] for result in results if "jobs" in result]
    if jobs:
        typer.echo(f"timings were taken with {statistics.mode(jobs)} runs at a time")
