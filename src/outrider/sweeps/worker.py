"""A worker process: an executor that gets its jobs on standard input, as lines of JSON.

The first line says what the executor is; every other one is a job and is answered by one line.
"""

import json
import os
import sys
from typing import IO

from outrider.sweeps.one_core import pin
from outrider.sweeps.run_executor import RunExecutor


def work(jobs: IO[str], out: IO[str]) -> None:
    """Answer jobs until there are no more."""
    start = json.loads(jobs.readline())
    pin(start.pop("core"))
    executor = RunExecutor(**start)
    for text in jobs:
        out.write(json.dumps(executor.run(json.loads(text)), allow_nan=False) + "\n")
        out.flush()


def main() -> None:
    """Work; whatever a library prints goes to the error stream."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        work(sys.stdin, out)
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)  # who asked has gone


if __name__ == "__main__":
    main()
