"""Workers on this machine: processes that live on, each on a core of its own."""

import json
import os
import subprocess
import sys
import threading
from collections import deque

from outrider.core.structure import Data
from outrider.sweeps.one_core import ONE_THREAD, cores
from outrider.sweeps.worker_pool import WorkerLost


class LocalWorker:
    """A worker process and its pipes."""

    def __init__(self, number: int, station: Data) -> None:
        """``station`` are the arguments of the station in it."""
        pipe = subprocess.PIPE
        command = [sys.executable, "-m", "outrider.sweeps.worker"]
        environment = {**os.environ, **ONE_THREAD}
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment
        )
        self._said: deque[str] = deque(maxlen=20)
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()
        usable = cores()
        self._start = {**station, "core": usable[number % len(usable)]}

    def ask(self, job: Data) -> Data:
        """Run a job and return its line."""
        try:
            if self._start:
                self._send(self._start)
                self._start = {}
            self._send(job)
            assert self._process.stdout is not None
            answer: Data = json.loads(self._process.stdout.readline())
        except (OSError, ValueError):  # a pipe without a reader, or an answer cut short
            raise WorkerLost(self._how_it_ended()) from None
        return answer

    def close(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()

    def _send(self, message: Data) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stderr is not None
        self._said.extend(self._process.stderr)

    def _how_it_ended(self) -> str:
        code = self._process.wait()
        self._reader.join(timeout=5.0)
        last = next((text.strip() for text in reversed(self._said) if text.strip()), "")
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        return f"its process {how}: {last or 'it said nothing'}"
