"""A run in its own process: the job comes on standard input, the result goes to standard output.

Both are lines of JSON. Whatever a library prints goes to the error stream.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import IO

from outrider.core.errors import OutriderError
from outrider.core.structure import Data
from outrider.scenarios.result import json_ready
from outrider.sim.runner import Runner

_SPEAK_S = 0.5


def work(job: Data, out: IO[str]) -> None:
    """Carry out one job: run, measure, write files, and report progress."""
    from outrider.evaluation.runs.folder import recording_in, write_measured
    from outrider.evaluation.runs.measured_run import measured_run
    from outrider.scenarios.load import loads

    folder = None if job["folder"] is None else Path(job["folder"])
    measured = measured_run(
        loads(job["scenario"], where="scenario"),
        watch=_Speaker(out),
        truth_folder=None if folder is None else folder.parent,
        speed=job["speed"],
        since_s=job["since_s"],
        bridges=job["bridges"],
        files=None if job["files"] is None else Path(job["files"]),
        recording=recording_in(folder) if job["record"] else None,
    )
    answer: Data = {"result": json_ready(measured.result)}
    if folder is not None:
        try:
            write_measured(folder, measured)
        except (OutriderError, OSError) as error:  # the result is there, its files are not
            answer["trouble"] = str(error)
    _say(out, answer)


class _Speaker:
    """Reports the progress of a run twice a second."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._next_s = 0.0

    def __call__(self, runner: Runner) -> None:
        now_s = time.perf_counter()
        if now_s >= self._next_s:
            self._next_s = now_s + _SPEAK_S
            _say(self._out, {"sim_s": runner.simulation.time_s})


def _say(out: IO[str], message: Data) -> None:
    out.write(json.dumps(message, allow_nan=False) + "\n")
    out.flush()


def main() -> None:
    """Read a job, run it, and exit; a user error is one line."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    os.environ.setdefault("MUJOCO_GL", "disable")  # it would look for windows
    job = json.loads(sys.stdin.readline())
    try:
        work(job, out)
    except OutriderError as error:
        _say(out, {"refused": str(error)})


if __name__ == "__main__":
    main()
