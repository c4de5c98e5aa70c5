"""What every command costs before it does anything: processor time and memory of new processes."""

import os
import subprocess
import sys
from collections.abc import Iterator

from outrider.bench.measurement import Measurement

_REPEATS = 6
_RUN = ("run", "hratc", "--headless", "--no-ui", "--speed", "0", "--duration", "0.05")


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
    process = subprocess.Popen(
        [sys.executable, "-m", "outrider", *command],
        env=kept,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    kilobytes = used.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    return used.ru_utime + used.ru_stime, kilobytes / 1024
