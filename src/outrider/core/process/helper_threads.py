"""Threads for compiled work beside the simulation's own, one for every further core.

Python's lock goes over to a helper when it begins, and back as soon as its compiled code runs. So
the simulation never waits for a turn, and a helper needs none while it works.
"""

import atexit
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Flag: TypeAlias = NDArray[np.bool_]  # (1,): compiled code sets it when it is done
_MOST = 16


class HelperJob:
    """Work that a helper has begun."""

    def __init__(self, work: Callable[[], None], done: Flag) -> None:
        self._work: Callable[[], None] | None = work
        self._done = done
        self._error: BaseException | None = None
        self._under_way = threading.Lock()
        self._under_way.acquire()

    @property
    def done(self) -> bool:
        """Whether its compiled code is through, so that waiting takes no time."""
        return bool(self._done[0]) or not self._under_way.locked()

    def run(self) -> None:
        """Do the work; what goes wrong is told to who waits for it."""
        work, self._work = self._work, None
        assert work is not None
        try:
            work()
        except BaseException as error:
            self._error = error
        self._under_way.release()

    def wait(self) -> None:
        """Wait for its end."""
        self.settle()
        if self._error is not None:
            raise self._error

    def settle(self) -> None:
        """Wait for its end, whatever came of it."""
        with self._under_way:
            pass


class _Helper:
    """A thread that does one job after another."""

    def __init__(self) -> None:
        self.job: HelperJob | None = None
        self._call, self._begun = threading.Lock(), threading.Lock()
        self._call.acquire()
        self._begun.acquire()
        threading.Thread(target=self._serve, name="helper", daemon=True).start()

    def begin(self, job: HelperJob) -> None:
        """Return when the job has begun."""
        self.job = job
        self._call.release()
        self._begun.acquire()

    def _serve(self) -> None:
        while True:
            self._call.acquire()
            job = self.job
            assert job is not None
            self._begun.release()
            job.run()


class Helpers:
    """All helpers of the process."""

    def __init__(self) -> None:
        self._gate = threading.Lock()
        self._helpers: list[_Helper] = []
        self.most = min(_MOST, _cores() - 1)

    def begin(self, work: Callable[[], None], done: Flag) -> HelperJob | None:
        """Let a helper begin; None if all are busy, or there is none.

        ``work`` should be one call of compiled code that gives Python's lock back, and sets
        ``done`` at its end.
        """
        with self._gate:
            helper = self._idle()
            if helper is None:
                return None
            job = HelperJob(work, done)
            helper.begin(job)
            return job

    def settle(self) -> None:
        """Wait until none of them works."""
        for helper in self._helpers:
            if helper.job is not None:
                helper.job.settle()

    def _idle(self) -> _Helper | None:
        for helper in self._helpers[: self.most]:
            if helper.job is None or helper.job.done:
                if helper.job is not None:
                    helper.job.settle()
                return helper
        if len(self._helpers) >= self.most:
            return None
        self._helpers.append(_Helper())
        return self._helpers[-1]


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_all: list[Helpers] = []


def helpers() -> Helpers:
    """Return those of this process, with as many as there are further cores."""
    if not _all:
        _all.append(Helpers())
        atexit.register(_all[0].settle)  # what they read is released after that
    return _all[0]


if hasattr(os, "register_at_fork"):  # threads stay behind: a new process makes its own
    os.register_at_fork(after_in_child=_all.clear)


@contextmanager
def at_most(count: int) -> Iterator[None]:
    """Use no more than so many helpers inside."""
    found = helpers()
    before, found.most = found.most, count
    try:
        yield
    finally:
        found.most = before
