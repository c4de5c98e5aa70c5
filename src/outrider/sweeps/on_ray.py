"""Workers on a Ray cluster: an actor for each, with the same executor in it."""

import atexit
import contextlib
import logging
import os
import socket
import sys
from importlib import import_module
from types import ModuleType
from typing import Self

from outrider.core.errors import SweepError
from outrider.core.structure import Data
from outrider.sweeps.run_executor import RunExecutor
from outrider.sweeps.worker_pool import NoWorkerError, WorkerLostError

_ANSWER_S = 5.0  # for the cluster's head
_LOOK_S = 2.0  # between two looks whether the cluster is still there
_GONE = "the cluster disappeared after the last run; the results are complete"
_START_S = 60.0  # for a worker, with everything that it imports


class RayCluster:
    """A connection to a cluster."""

    def __init__(self, address: str) -> None:
        """Connect, or raise in a few seconds that nobody answers."""
        self.address = address
        self.ray = _ray()
        _check_answers(address, address)
        os.environ.setdefault("RAY_gcs_server_request_timeout_seconds", f"{_ANSWER_S:g}")
        try:
            self.ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
        except Exception as error:
            raise SweepError(f"--ray {address}: {_first_sentence(error)}") from None
        self._head = str(self.ray.get_runtime_context().gcs_address)

    @property
    def cores(self) -> int:
        """How many workers it has room for."""
        return int(self.ray.cluster_resources().get("CPU", 1))

    def check(self) -> None:
        """Raise if the head has gone; Ray itself would end this process after a minute."""
        _check_answers(self._head, self.address)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        """Leave the cluster; one that has gone is not waited for."""
        try:
            self.check()
        except SweepError:
            atexit.register(_end_at_once, "" if error else f"--ray {self.address}: {_GONE}")
        else:
            self.ray.shutdown()


class RayWorker:
    """An actor with an executor."""

    def __init__(self, cluster: RayCluster, executor: Data) -> None:
        """``executor`` are the arguments of the executor in it."""
        self._cluster = cluster
        self._ray = cluster.ray
        cluster.check()
        self._actor = self._ray.remote(num_cpus=1)(RunExecutor).remote(**executor)
        try:
            self._ray.get(self._actor.ready.remote(), timeout=_START_S)
        except self._ray.exceptions.RayError as error:
            cluster.check()
            self.close()
            raise NoWorkerError(_first_sentence(error)) from None

    def ask(self, job: Data) -> Data:
        """Run a job and return its line."""
        answer = self._actor.run.remote(job)
        while True:
            try:
                line: Data = self._ray.get(answer, timeout=_LOOK_S)
                return line
            except self._ray.exceptions.GetTimeoutError:
                self._cluster.check()
            except self._ray.exceptions.RayActorError as error:
                self._cluster.check()
                raise WorkerLostError(f"its process ended: {_first_sentence(error)}") from None

    def close(self) -> None:
        """End the process, whatever it does."""
        with contextlib.suppress(Exception):  # the cluster itself may be gone
            self._cluster.check()
            self._ray.kill(self._actor)


def _end_at_once(sentence: str) -> None:
    """End this process without Ray's own end, which waits for the head or crashes."""
    if sentence:
        sys.stderr.write(f"outrider: {sentence}\n")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(2)


def _ray() -> ModuleType:
    try:
        return import_module("ray")
    except ImportError:
        raise SweepError("--ray needs Ray: pip install 'outrider[ray]'") from None


def _check_answers(head: str, address: str) -> None:
    """Raise if nobody answers at a head, which the user knows by its address."""
    host, _, port = head.removeprefix("ray://").rpartition(":")
    if not port.isdecimal():
        return  # "auto" or "local": Ray looks by itself
    try:
        socket.create_connection((host, int(port)), _ANSWER_S).close()
    except OSError as error:
        raise SweepError(
            f"--ray {address}: no cluster answers there ({error.strerror or error}); finished runs"
            " are kept, and the same command continues once 'ray start --head' has started one"
        ) from None


def _first_sentence(error: BaseException) -> str:
    lines = [text.strip() for text in str(error).splitlines() if text.strip()]
    return lines[0] if lines else type(error).__name__
