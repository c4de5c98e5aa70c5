"""Starts user code in a process of its own, and ends it with the run."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from outrider.core.errors import ConfigError

Heard: TypeAlias = Callable[[str], object]

_END_S = 2.0
_LONGEST = 4096  # characters of a line


class UserProcess:
    """A user's file that runs beside a simulation of this process."""

    def __init__(
        self, file: Path, *arguments: str, kind: str = "program", heard: Heard | None = None
    ) -> None:
        """Start it; ``heard`` gets its output, which otherwise goes to this process's output."""
        pipe = None if heard is None else subprocess.PIPE
        self._child = subprocess.Popen(
            [*_command(kind), str(file), str(os.getpid()), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe and subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        self._listener: threading.Thread | None = None
        if heard is not None:
            self._listener = threading.Thread(target=self._listen, args=(heard,), daemon=True)
            self._listener.start()

    @property
    def running(self) -> bool:
        """Whether it is still running."""
        return self._child.poll() is None

    def stop(self) -> None:
        """End it, even if it hangs."""
        self._child.terminate()
        try:
            self._child.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        if self._listener is not None:
            self._listener.join(_END_S)

    def _listen(self, heard: Heard) -> None:
        assert self._child.stdout is not None
        with self._child.stdout as lines:
            while line := lines.readline(_LONGEST):
                heard(line.rstrip("\n"))


@contextmanager
def user_code(file: Path | None, *arguments: str, kind: str = "program") -> Iterator[None]:
    """Run a user's file beside a simulation of this process."""
    if file is None:
        yield
        return
    check_file(file)
    process = UserProcess(file, *arguments, kind=kind)
    try:
        yield
    finally:
        process.stop()


def check_file(file: Path) -> None:
    """Refuse a file that does not exist."""
    if not file.is_file():
        raise ConfigError(f"--user-code: there is no file '{file}'")


def _command(kind: str) -> list[str]:
    return [sys.executable, "-u", "-P", "-m", "outrider.user_code", kind]
