"""The live table of a sweep: how far it is, how fast, and who does what."""

import time
from collections import deque
from typing import Self

from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table

from outrider.cli.output.harmless_text import harmless, progress_console
from outrider.core.structure import Data
from outrider.sweeps.verdict import begun
from outrider.sweeps.worker_pool import WorkerPool

_LATEST = 6
_COLUMNS = {"run": 3, "seed": 4, "outcome": 9, "point": 12}  # the least width of each


class LiveTable:
    """Shows a sweep while it goes on; on anything but a terminal, a line now and then."""

    def __init__(self, name: str) -> None:
        self._name = escape(harmless(name))
        self._console = progress_console()
        self._pool: WorkerPool | None = None
        self._total = self._kept = self._count = self._failed = 0
        self._latest: deque[Data] = deque(maxlen=_LATEST)
        self._began_s = self._said_s = time.perf_counter()
        self._live = Live(
            console=self._console, get_renderable=self._shown, refresh_per_second=2, transient=True
        )

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def begin(self, total: int, kept: int, pool: WorkerPool) -> None:
        """Take how many runs there are, and how many of them were found done."""
        self._total, self._kept, self._pool = total, kept, pool
        self._began_s = time.perf_counter()

    def done(self, line: Data) -> None:
        """Take the line of a run."""
        self._count += 1
        self._failed += not line["completed"] and begun(line)
        self._latest.append(line)
        now_s = time.perf_counter()
        if not self._console.is_terminal and now_s > self._said_s + 10.0:
            self._said_s = now_s
            self._console.print(f"{self._name}: {self._progress()}", highlight=False)

    def _progress(self) -> str:
        elapsed_s = max(1e-9, time.perf_counter() - self._began_s)
        rate, done = self._count / elapsed_s, self._kept + self._count
        words = [f"{done} of {self._total} runs", f"{60 * rate:.1f} a minute"]
        if rate > 0:
            words.append(f"{duration((self._total - done) / rate)} left")
        words += [f"{self._failed} failed"] if self._failed else []
        return ", ".join(words)

    def _shown(self) -> Group:
        bar = ProgressBar(total=max(1, self._total), completed=self._kept + self._count, width=50)
        table = Table(box=None, pad_edge=False)
        for head, width in _COLUMNS.items():
            table.add_column(head, overflow="ellipsis", no_wrap=True, min_width=width)
        for line in self._latest:
            word = "failed" if begun(line) else "could not begin"
            outcome = "completed" if line["completed"] else f"{word}: {line['reason']}"
            table.add_row(str(line["run"]), str(line["seed"]), outcome, _point(line["point"]))
        for job in self._at_work():
            table.add_row(str(job["run"]), str(job["seed"]), "...", _point(job["point"]))
        return Group(f"{self._name}: {self._progress()}", bar, table)

    def _at_work(self) -> list[Data]:
        pool = self._pool
        return [] if pool is None else [job.as_data() for job in list(pool.busy.values())]


def duration(seconds: float) -> str:
    """Return a time as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _point(point: Data) -> str:
    texts = (f"{v:.4g}" if isinstance(v, float) else str(v) for v in point.values())
    named = zip((key.rpartition(".")[2] for key in point), texts, strict=True)
    return ", ".join(f"{key} {text}" for key, text in named)
