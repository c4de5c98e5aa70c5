"""Starts user code in a process of its own, and ends it with the run."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from outrider.core.errors import ConfigError

_END_S = 2.0


@contextmanager
def user_code(file: Path | None, *arguments: str, kind: str = "program") -> Iterator[None]:
    """Have a user's file run beside a simulation of this process."""
    if file is None:
        yield
        return
    if not file.is_file():
        raise ConfigError(f"--user-code: there is no file '{file}'")
    command = [sys.executable, "-m", "outrider.user_code", kind, str(file), str(os.getpid())]
    child = subprocess.Popen([*command, *arguments], stdin=subprocess.DEVNULL)
    try:
        yield
    finally:
        child.terminate()
        try:
            child.wait(_END_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
