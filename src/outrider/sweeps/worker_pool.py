"""A pool of workers that share jobs. If one dies, another does its job again."""

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, Self, TypeAlias

from outrider.core.errors import SweepError
from outrider.core.structure import Data
from outrider.sweeps.job import Job
from outrider.sweeps.run_executor import failed

_TRIES = 2  # a job that ends two workers is itself the fault


class WorkerLostError(Exception):
    """A worker died at its job; the text says how."""


class NoWorkerError(Exception):
    """No worker could be started in time."""


class Worker(Protocol):
    """A process, here or on a cluster, that runs one job at a time."""

    def ask(self, job: Data) -> Data:
        """Run a job and return its line; raise ``WorkerLostError`` if the worker dies."""

    def close(self) -> None:
        """End the process, whatever it does."""


Start: TypeAlias = Callable[[int], Worker]  # the worker's number -> it, or NoWorkerError


class WorkerPool:
    """Starts workers when there is work, one thread beside each; they live until it is closed."""

    def __init__(self, start: Start, size: int) -> None:
        self.size = size
        self.busy: dict[int, Job] = {}  # by the worker's number
        self._start = start
        self._todo: queue.Queue[tuple[Job, int] | None] = queue.Queue()
        self._done: queue.Queue[Data | BaseException] = queue.Queue()
        self._threads: list[threading.Thread] = []
        self._workers: dict[int, Worker] = {}
        self._lock = threading.Lock()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._closed = True
            workers = list(self._workers.values())
        for worker in workers:
            worker.close()
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join(timeout=5.0)

    def run(self, jobs: Iterable[Job]) -> Iterator[Data]:
        """Yield the line of each job as soon as it is there, in any order."""
        count = 0
        for job in jobs:
            self._todo.put((job, 1))
            count += 1
        for number in range(len(self._threads), min(self.size, count)):
            thread = threading.Thread(target=self._attend, args=(number,), daemon=True)
            self._threads.append(thread)
            thread.start()
        for _ in range(count):
            found = self._done.get()
            if isinstance(found, BaseException):
                raise found
            yield found

    def _attend(self, number: int) -> None:
        """Give one worker job after job."""
        while (item := self._todo.get()) is not None and not self._closed:
            self.busy[number] = item[0]
            try:
                self._attempt(number, *item)
            except NoWorkerError as error:
                self._todo.put(item)
                self._leave(number, str(error))
                return
            except BaseException as error:  # the sweep cannot go on: who reads the lines is told
                self._done.put(error)
                return
            finally:
                self.busy.pop(number, None)

    def _attempt(self, number: int, job: Job, tries: int) -> None:
        try:
            self._done.put(self._worker(number).ask(job.as_data()))
        except WorkerLostError as error:
            with self._lock:
                self._workers.pop(number).close()
            if tries < _TRIES:
                self._todo.put((job, tries + 1))
            else:
                self._done.put(failed(job.as_data(), str(error)))

    def _worker(self, number: int) -> Worker:
        if number not in self._workers:
            worker = self._start(number)
            with self._lock:
                self._workers[number] = worker
                if self._closed:
                    worker.close()
        return self._workers[number]

    def _leave(self, number: int, why: str) -> None:
        """Do without a worker; without the last one the sweep ends."""
        with self._lock:
            self.size -= 1
            if self.size == 0:
                self._done.put(SweepError(f"worker {number + 1} was the last one: {why}"))
