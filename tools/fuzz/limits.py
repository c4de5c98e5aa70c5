"""Worker processes with limits: a case that hangs, dies or fills memory costs that case only."""

import json
import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60.0  # of processor time for one case; kernels may have to be compiled in the first
_WALL_S = 600.0
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
    try:
        for line in _lines(ours, worker.pid):
            said = json.loads(line)
            if "begun" in said:
                number, kind, start = said["begun"], said["kind"], said["bytes"]
            else:
                yield Outcome(**said)
                number, kind, start = number + 1, "?", ""
        if number < last:
            fault = f"the process ended with {worker.wait()}"
            yield Outcome(number, kind, fault=fault, first_bytes=start)
    except TimeoutError as error:
        yield Outcome(number, kind, fault=str(error), first_bytes=start)
    finally:
        worker.kill()
        worker.wait()
        ours.close()


def _lines(end: socket.socket, pid: int) -> Iterator[bytes]:
    """Yield a worker's lines; raise TimeoutError if it works or waits too long for one.

    Work is measured in its own processor time: other programs may keep the machine busy.
    """
    end.settimeout(1.0)
    text, since_s, worked_s = b"", time.monotonic(), 0.0
    while True:
        try:
            part = end.recv(65_536)
        except TimeoutError:
            if _worked_s(pid) - worked_s > SECONDS:
                raise TimeoutError(f"took more than {SECONDS:g} s") from None
            if time.monotonic() - since_s > _WALL_S:
                raise TimeoutError(f"waited for more than {_WALL_S:g} s") from None
            continue
        if not part:
            return
        *whole, text = (text + part).split(b"\n")
        yield from whole
        since_s, worked_s = time.monotonic(), _worked_s(pid)


def _worked_s(pid: int) -> float:
    with suppress(psutil.Error):
        times = psutil.Process(pid).cpu_times()
        return times.user + times.system + times.children_user + times.children_system
    return 0.0
