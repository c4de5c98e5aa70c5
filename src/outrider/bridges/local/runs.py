"""The files that list running simulations, with their ports and tokens."""

import json
import os
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from outrider.core.cache_folder import cache_dir
from outrider.core.errors import BridgeError
from outrider.core.files.atomic_file import replacing


@dataclass(frozen=True, slots=True)
class RunningRun:
    """A running simulation as described by its file."""

    pid: int
    port: int
    token: str
    scenario: str
    started: float  # seconds since the epoch


def announce(port: int, token: str, scenario: str) -> RunningRun:
    """Write the run file of this process, for this user's eyes only."""
    run = RunningRun(os.getpid(), port, token, scenario, time.time())
    path = _path(run.pid)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.parent.chmod(0o700)
        _write(path, json.dumps(asdict(run)))
    except OSError as error:
        raise BridgeError(
            f"cannot write the run file {path}: {error.strerror};"
            " set OUTRIDER_CACHE to a folder that can be written"
        ) from None
    return run


def withdraw(run: RunningRun) -> None:
    """Remove a run's file, unless another run of the process has replaced it."""
    if _read(_path(run.pid)) == run:
        with suppress(OSError):
            _path(run.pid).unlink()


def runs() -> list[RunningRun]:
    """Return the runs whose process lives, newest first; files of dead ones are removed."""
    found = []
    for path in _path(0).parent.glob("*.json"):
        run = _read(path)
        if run is not None and _lives(run.pid):
            found.append(run)
        elif not (path.stem.isdigit() and _lives(int(path.stem))):
            with suppress(OSError):  # a disk that cannot be written
                path.unlink()
    return sorted(found, key=lambda run: run.started, reverse=True)


def listed(found: list[RunningRun]) -> str:
    """Return runs as a text to choose from."""
    now = time.time()
    return ", ".join(f"{run.pid} '{run.scenario}', {now - run.started:.0f} s old" for run in found)


def _lives(pid: int) -> bool:
    import psutil  # only who looks for runs needs it

    return psutil.pid_exists(pid)


def _path(pid: int) -> Path:
    return cache_dir() / "runs" / f"{pid}.json"


def _write(path: Path, text: str) -> None:
    with replacing(path, mode=0o600) as file:
        file.write(text.encode())


def _read(path: Path) -> RunningRun | None:
    try:
        data = json.loads(path.read_text("utf-8"))
        return RunningRun(
            int(data["pid"]),
            int(data["port"]),
            str(data["token"]),
            str(data["scenario"]),
            float(data["started"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
