"""Workers on this machine: processes that live on, each on a core of its own."""

from outrider.core.process.worker_process import WorkerProcess
from outrider.core.structure import Data
from outrider.sweeps.one_core import ONE_THREAD, cores
from outrider.sweeps.worker_pool import WorkerLostError


class LocalWorker:
    """A worker process that takes job after job."""

    def __init__(self, number: int, executor: Data) -> None:
        """``executor`` are the arguments of the executor in it."""
        self._process = WorkerProcess("outrider.sweeps.worker", ONE_THREAD)
        self._answers = self._process.answers()
        usable = cores()
        self._start = {**executor, "core": usable[number % len(usable)]}

    def ask(self, job: Data) -> Data:
        """Run a job and return its line."""
        try:
            if self._start:
                self._process.send(self._start)
                self._start = {}
            self._process.send(job)
            return next(self._answers)
        except (OSError, ValueError, StopIteration):  # no reader, or no whole answer
            raise WorkerLostError(self._process.how_it_ended()) from None

    def close(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.how_it_ended()
