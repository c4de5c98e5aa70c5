"""A module in a process of its own: lines of JSON in and out; the last things it says are kept."""

import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from typing import IO

from outrider.core.structure import Data


class WorkerProcess:
    """The process and its pipes."""

    def __init__(self, module: str, environment: Mapping[str, str] | None = None) -> None:
        """``environment`` are variables beside those of this process."""
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module],  # none from the folder that is the current one
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            text=True,
            env={**os.environ, **(environment or {})},
        )
        self._said: deque[str] = deque(maxlen=20)
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def _listen(self) -> None:
        """Keep what it says, and take its exit code: the system lists it until somebody does."""
        self._said.extend(_open(self._process.stderr))
        self._process.wait()

    def send(self, message: Data) -> None:
        """Write a line to it; raises OSError if it is gone."""
        pipe = _open(self._process.stdin)
        pipe.write(json.dumps(message) + "\n")
        pipe.flush()

    def answers(self) -> Iterator[Data]:
        """Read its lines; raises ValueError at one that was cut short."""
        for line in _open(self._process.stdout):
            yield json.loads(line)

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End it, whatever it does."""
        self._process.kill()

    @property
    def code(self) -> int:
        """Its exit code, once it has ended; negative is a signal."""
        return self._process.wait()

    def how_it_ended(self) -> str:
        """Wait for its end, and return how that was and what it said last."""
        code = self.code
        self._reader.join(timeout=5.0)
        last = next((text.strip() for text in reversed(self._said) if text.strip()), "")
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        return f"its process {how}: {last or 'it said nothing'}"


def _open(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe
