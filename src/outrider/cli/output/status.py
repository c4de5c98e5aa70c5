"""The live status line and progress bar of a terminal, and the summary at the end."""

import math
import sys
import time
from typing import TYPE_CHECKING, Self

from outrider.cli.output.harmless_text import harmless, progress_console
from outrider.core.structure import Data
from outrider.sim.runner import Runner

if TYPE_CHECKING:
    from rich.progress import Progress

_NOTICED_S = 0.1  # a shorter pause is nobody's


class Status:
    """A watcher of a run; on anything but a terminal it shows nothing."""

    def __init__(self, name: str, duration_s: float | None, runs: int = 1) -> None:
        """Make a bar if the run has an end."""
        self._duration_s, self._runs = duration_s or 0.0, runs
        self._bar = _bar(name, None if duration_s is None else duration_s * runs)
        self._done = 0
        self._last = (time.perf_counter(), 0.0)
        self._factor = 0.0

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, runner: Runner) -> None:
        """Show the status of the run."""
        if self._bar is None:
            return
        self._measure(runner.simulation.time_s)
        self._bar.update(
            self._bar.task_ids[0],
            completed=self._done * self._duration_s + runner.simulation.time_s,
            figures=self._figures(runner),
        )
        self._bar.refresh()

    def say(self, sentence: str) -> None:
        """Print something above the live line."""
        line = harmless(" ".join(sentence.split()))
        if self._bar is None:
            print(line, file=sys.stderr)
        else:
            self._bar.console.print(line, highlight=False, markup=False)

    def _measure(self, sim_s: float) -> None:
        wall_s = time.perf_counter()
        since_s, before_s = self._last
        if sim_s < before_s and self._done < self._runs - 1:
            self._done += 1  # the next run has begun
        if wall_s - since_s >= 0.5 or sim_s < before_s:
            self._factor = max(0.0, sim_s - before_s) / (wall_s - since_s)
            self._last = (wall_s, sim_s)

    def _figures(self, runner: Runner) -> str:
        pose = (
            next(iter(runner.simulation.robots.values())).pose if runner.simulation.robots else None
        )
        parts = [f"{runner.simulation.time_s:8.2f} s", f"{self._factor:6.2f}x"]
        if pose is not None:
            x, y, z = pose.position
            parts.append(f"x {x:.2f} y {y:.2f} z {z:.2f} yaw {math.degrees(pose.rpy[2]):.0f}°")
        if runner.pacer.lag_s > 0.01 or runner.pacer.dropped_s > 0:
            parts.append(f"lag {runner.pacer.lag_s:.2f} s, dropped {runner.pacer.dropped_s:.2f} s")
        if runner.paused:
            parts.append("paused")
        return "  ".join(parts)


def _bar(name: str, total_s: float | None) -> "Progress | None":
    """Return the live line, with a bar if the end is known; None where there is no terminal."""
    if not sys.stderr.isatty():
        return None
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn

    bar = () if total_s is None else (BarColumn(bar_width=24),)
    columns = (TextColumn("{task.description}"), *bar, TextColumn("{task.fields[figures]}"))
    # drawn by the loop itself ten times a second: no thread of its own that takes its time
    progress = Progress(*columns, console=progress_console(), auto_refresh=False, transient=True)
    progress.add_task(escape(harmless(name)), total=total_s, figures="")
    return progress


def ending_line(result: Data) -> str:
    """Return the line that a run ends with."""
    parts = [f"{result['scenario']}: {_time(result)}"]
    for name, robot in result["robots"].items():
        place = f"({robot['x']:.2f}, {robot['y']:.2f})"
        parts.append(f"{name} drove {robot['distance_m']:.2f} m to {place}")
    collisions = result["collisions"]
    parts.append(f"{collisions} collision{'s' if collisions != 1 else ''}")
    if result["dropped_time_s"] > 0:
        parts.append(f"{result['dropped_time_s']:.2f} s dropped")
    parts.append(f"state {result['state_hash'][:12]}")
    return ", ".join(parts)


def _time(result: Data) -> str:
    paused_s = result["paused_time_s"]
    paused = f", {paused_s:.2f} s of them paused" if paused_s >= _NOTICED_S else ""
    factor = f"{result['real_time_factor']:.1f}x real time"
    wall = f"{result['wall_time_s']:.2f} s{paused} ({factor})"
    total_s, clock_s = result["total_sim_time_s"], result["sim_time_s"]
    set_back = not math.isclose(total_s, clock_s, abs_tol=0.005)
    clock = f", its clock at {clock_s:.2f} s: a reset or undo set it back" if set_back else ""
    return f"{total_s:.2f} s simulated in {wall}{clock}"
