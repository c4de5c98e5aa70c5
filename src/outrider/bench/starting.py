"""What every command costs before it does anything: processor time and memory of new processes."""

import os
import subprocess
import sys
from collections.abc import Iterator

from outrider.bench.measurement import Measurement

_REPEATS = 6
_RUN = ("run", "hratc", "--headless", "--no-ui", "--speed", "0", "--duration", "0.05")

# Linux counts the memory of the process that started a command as the command's: this one is small.
_MEASURE = """
import os, subprocess, sys
command = [sys.executable, "-m", "outrider", *sys.argv[1:]]
process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def starts() -> Iterator[Measurement]:
    """Measure the help, and a world until it has run for 0.05 s."""
    help_s, _ = _least("--help")
    yield Measurement("outrider --help, processor time", help_s, "s", "lower")
    seconds, megabytes = _least(*_RUN)
    yield Measurement("start of hratc, processor time", seconds, "s", "lower", limit=0.85)
    yield Measurement("memory of hratc after its start", megabytes, "MB", "lower", limit=190.0)


def _least(*command: str) -> tuple[float, float]:
    """Return the least processor time and memory; the first start, which may compile, is extra."""
    found = [_once(*command) for _ in range(1 + _REPEATS)][1:]
    return min(seconds for seconds, _ in found), min(megabytes for _, megabytes in found)


def _once(*command: str) -> tuple[float, float]:
    # as after an installation, with compiled modules on disk
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    measured = subprocess.run(
        [sys.executable, "-c", _MEASURE, *command],
        env=kept,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
        text=True,
    )
    seconds, memory = (float(word) for word in measured.stdout.split())
    return seconds, memory / (1 << (20 if sys.platform == "darwin" else 10))
