"""Worker processes with limits: a case that hangs, dies or fills memory costs that case only."""

import json
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60.0  # of one case, on a machine that has other things to do as well
_START_S = 300.0  # kernels may have to be compiled
_MEMORY = 3 << 30  # bytes that a worker may ask for beyond what it has at its start


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case: ``fault`` is empty if all is as it should be."""

    number: int
    kind: str
    refused: bool = False
    fault: str = ""
    first_bytes: str = ""
    seconds: float = 0.0


def limit_memory() -> None:
    """Let this process ask for so much more memory, and no more; write no core files."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def outcomes(command: list[str], first: int, count: int) -> Iterator[Outcome]:
    """Run cases in workers, one worker after another; ``command`` gets the range's ends."""
    last = first + count
    while first < last:
        for outcome in _one_worker(command, first, last):
            yield outcome
            first = outcome.number + 1


def _one_worker(command: list[str], first: int, last: int) -> Iterator[Outcome]:
    """Yield what a worker says; the last outcome is ours if it hangs or dies."""
    asked = [sys.executable, "-m", *command, str(first), str(last)]
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    ours, theirs = socket.socketpair()
    worker = subprocess.Popen(asked, stdout=theirs, env=env, cwd=ROOT)
    theirs.close()
    number, kind, start = first, "start", ""
    ours.settimeout(_START_S)
    try:
        for line in ours.makefile("r", encoding="utf-8"):
            said = json.loads(line)
            if "begun" in said:
                number, kind, start = said["begun"], said["kind"], said["bytes"]
                ours.settimeout(SECONDS)
            else:
                yield Outcome(**said)
                number, kind, start = number + 1, "?", ""
        if number < last:
            fault = f"the process ended with {worker.wait()}"
            yield Outcome(number, kind, fault=fault, first_bytes=start)
    except TimeoutError:
        yield Outcome(number, kind, fault=f"took more than {SECONDS:g} s", first_bytes=start)
    finally:
        worker.kill()
        worker.wait()
        ours.close()
