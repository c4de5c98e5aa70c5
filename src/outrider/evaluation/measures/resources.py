"""Resource use of a process: CPU, memory, threads and GPU, once a second."""

import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import psutil

from outrider.core.structure import Data

COLUMNS = ("wall_s", "sim_s", "cpu_percent", "memory_mb", "threads", "gpu_memory_mb", "gpu_percent")


@dataclass(slots=True)
class ResourceWatch:
    """A thread that samples once a second, from ``start`` to ``stop``."""

    sim_s: Callable[[], float]
    period_s: float = 1.0
    rows: list[tuple[float, ...]] = field(default_factory=list)  # as COLUMNS
    _process: psutil.Process = field(default_factory=psutil.Process)
    _done: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _began_s: float = 0.0
    _gpu: bool = field(default_factory=lambda: shutil.which("nvidia-smi") is not None)

    def start(self) -> None:
        """Start sampling."""
        self._began_s = time.perf_counter()
        self._process.cpu_percent()
        self._thread = threading.Thread(target=self._look, name="outrider-watch", daemon=True)
        self._thread.start()

    def stop(self) -> list[tuple[float, ...]]:
        """Stop, with a last sample if the run was shorter than a second; return the rows."""
        self._done.set()
        if self._thread is not None:
            self._thread.join()
        if not self.rows:
            self._note()
        return self.rows

    def _look(self) -> None:
        while not self._done.wait(self.period_s):
            self._note()

    def _note(self) -> None:
        process = self._process
        with process.oneshot():
            used = process.cpu_percent(), process.memory_info().rss / 1e6, process.num_threads()
        wall_s = time.perf_counter() - self._began_s
        gpu = _graphics(process.pid) if self._gpu else (float("nan"), float("nan"))
        self.rows.append((wall_s, self.sim_s(), *used, *gpu))


def resource_figures(rows: list[tuple[float, ...]]) -> Data:
    """Return means over the run and the peak memory; GPU figures are None if there is none."""
    if not rows:
        return {}
    means = dict(zip(COLUMNS, np.array(rows, np.float64).mean(axis=0).tolist(), strict=True))
    known = {k: None if np.isnan(v) else v for k, v in means.items() if k not in COLUMNS[:2]}
    return known | {"memory_max_mb": max(row[3] for row in rows), "samples": len(rows)}


def _graphics(pid: int) -> tuple[float, float]:
    """Return framebuffer memory of a process (MB) and the use of its GPU (%); NaN: unknown."""
    memory = _asked("--query-compute-apps=pid,used_memory")
    own = [float(line.split(",")[1]) for line in memory if line.split(",")[0].strip() == str(pid)]
    use = [float(line) for line in _asked("--query-gpu=utilization.gpu") if line.strip()]
    return sum(own) if own else float("nan"), use[0] if use else float("nan")


def _asked(question: str) -> list[str]:
    command = ["nvidia-smi", question, "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=0.5, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return done.stdout.splitlines()
