"""Workers on a Ray cluster: an actor for each, with the same station in it."""

import contextlib
import logging
import os
import socket
from importlib import import_module
from typing import Any

from outrider.core.errors import SweepError
from outrider.core.structure import Data
from outrider.sweeps.crew import NoWorker, WorkerLost
from outrider.sweeps.station import Station

_ANSWER_S = 5.0  # for the cluster's head
_START_S = 60.0  # for a worker, with everything that it imports


class RayCluster:
    """A connection to a cluster."""

    def __init__(self, address: str) -> None:
        """Connect, or raise in a few seconds that nobody answers."""
        self.address = address
        self._ray = _ray()
        _check_answers(address)
        os.environ.setdefault("RAY_gcs_server_request_timeout_seconds", f"{_ANSWER_S:g}")
        try:
            self._ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
        except Exception as error:
            raise SweepError(f"--ray {address}: {_first_sentence(error)}") from None

    @property
    def cores(self) -> int:
        """How many workers it has room for."""
        return int(self._ray.cluster_resources().get("CPU", 1))

    def start(self, station: Data) -> "RayWorker":
        """Start a worker; ``station`` are the arguments of the station in it."""
        return RayWorker(self._ray, station)

    def close(self) -> None:
        """Leave the cluster."""
        self._ray.shutdown()


class RayWorker:
    """An actor with a station."""

    def __init__(self, ray: Any, station: Data) -> None:
        self._ray = ray
        self._actor = ray.remote(num_cpus=1)(Station).remote(**station)
        try:
            ray.get(self._actor.ready.remote(), timeout=_START_S)
        except ray.exceptions.RayError as error:
            self.close()
            raise NoWorker(_first_sentence(error)) from None

    def ask(self, job: Data) -> Data:
        """Run a job and return its line."""
        try:
            answer: Data = self._ray.get(self._actor.run.remote(job))
        except self._ray.exceptions.RayActorError as error:
            raise WorkerLost(f"its process ended: {_first_sentence(error)}") from None
        return answer

    def close(self) -> None:
        """End the process, whatever it does."""
        with contextlib.suppress(Exception):  # the cluster itself may be gone
            self._ray.kill(self._actor)


def _ray() -> Any:
    try:
        return import_module("ray")
    except ImportError:
        raise SweepError("--ray needs Ray: pip install 'outrider[ray]'") from None


def _check_answers(address: str) -> None:
    """Ray itself would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdecimal():
        return  # "auto" or "local": Ray looks by itself
    try:
        socket.create_connection((host, int(port)), _ANSWER_S).close()
    except OSError as error:
        raise SweepError(
            f"--ray {address}: no cluster answers there ({error.strerror or error}); start one"
            " with 'ray start --head'"
        ) from None


def _first_sentence(error: BaseException) -> str:
    lines = [text.strip() for text in str(error).splitlines() if text.strip()]
    return lines[0] if lines else type(error).__name__
