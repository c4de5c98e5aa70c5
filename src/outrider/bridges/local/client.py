"""The Python client of a running simulation; the command line's live commands use it too."""

import math
import socket
import time
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from typing import NamedTuple, Self

from outrider.bridges.local.json_lines import JsonLines
from outrider.bridges.local.runs import RunningRun, listed, runs, withdraw
from outrider.core.errors import BridgeError
from outrider.core.structure import Data

_SEND_TIMEOUT_S = 10.0
_GREETING_S = 10.0
_UNREAD = 10_000
_SILENT = "the simulation with process number {} does not answer"
_ENDED = "the simulation has ended the connection"


class Sample(NamedTuple):
    """One message as received: byte arrays are base64 text."""

    time_ns: int
    message: Data
    dropped: int  # messages lost before this one since subscribing


def connect(pid: int | None = None) -> "Client":
    """Return a client of the simulation with this process ID, or of the only one that runs."""
    return connect_only(pid, "connect(PID)")


def connect_only(pid: int | None, choice: str) -> "Client":
    """Return that client; if there are several to choose from, say by which ``choice``."""
    found = reachable() if pid is None else []
    if len(found) > 1:
        raise BridgeError(
            f"{len(found)} simulations are running; choose one with {choice}: {listed(found)}"
        )
    return connect_newest(pid)


def reachable() -> list[RunningRun]:
    """Return the runs to choose from, newest first: of several, those whose port is open."""
    found = runs()
    return found if len(found) < 2 else [run for run in found if _is_open(run)]


def _is_open(run: RunningRun) -> bool:
    try:
        _dialled(run).close()
    except ConnectionRefusedError:
        withdraw(run)  # its number went to another process
        return False
    except OSError:  # busy, maybe: it counts
        pass
    return True


def _dialled(run: RunningRun) -> socket.socket:
    return socket.create_connection(("127.0.0.1", run.port), timeout=_SEND_TIMEOUT_S)


def connect_newest(pid: int | None = None) -> "Client":
    """Return a client of the simulation with this process ID, or of the newest one."""
    for run in runs():
        if pid in (None, run.pid):
            try:
                return Client(run)
            except ConnectionRefusedError:
                withdraw(run)  # its number went to another process
            except OSError:
                raise BridgeError(_SILENT.format(run.pid)) from None
    raise BridgeError(_none_found(pid))


def _none_found(pid: int | None) -> str:
    if pid is None:
        return "no running simulation found; start one with 'outrider run'"
    others = ", ".join(str(run.pid) for run in reachable()) or "none"
    return f"no running simulation has the process number {pid}; running: {others}"


class Client:
    """A connection to one simulation, for use from one thread."""

    def __init__(self, run: RunningRun) -> None:
        """Connect and show the token."""
        self.run = run
        self._ids = count(1)
        self._inbox: dict[str, deque[Sample]] = defaultdict(lambda: deque(maxlen=_UNREAD))
        self._lines = JsonLines(_dialled(run), send_timeout_s=_SEND_TIMEOUT_S)
        try:
            self._send({"token": run.token})
            self._receive(_GREETING_S)
        except (BridgeError, TimeoutError):
            self._lines.close()
            raise BridgeError(_SILENT.format(run.pid)) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def topics(self) -> list[Data]:
        """List the topics: name, type, rate_hz, direction, latched, kept, count, subscribers."""
        listed: list[Data] = self._request("topics")["topics"]
        return listed

    def services(self) -> list[str]:
        """List the services that can be called."""
        listed: list[str] = self._request("topics")["services"]
        return listed

    def messages(
        self,
        topic: str,
        timeout_s: float | None = None,
        *,
        duration_s: float | None = None,
        kept: str | None = None,
        content: bool = True,
        longest: int | None = None,
    ) -> Iterator[Sample]:
        """Iterate over a topic's messages until none comes for ``timeout_s``, or the run ends.

        ``duration_s`` bounds the whole iteration; ``kept="all"`` asks for every message instead
        of the newest; without ``content`` only their times come; arrays of more than
        ``longest`` bytes come as ``"<n bytes>"``.
        """
        options = {"kept": kept, "content": content, "longest": longest}
        name = str(self._request("subscribe", topic=topic, **options)["topic"])
        end = time.monotonic() + (math.inf if duration_s is None else duration_s)
        return self._iterate(name, timeout_s, end)

    def publish(self, topic: str, message: Data, type_name: str | None = None) -> None:
        """Publish to one of the simulation's inputs; missing fields are zero."""
        self._request("publish", topic=topic, type=type_name, msg=message)

    def call(self, service: str, /, **arguments: object) -> Data:
        """Call a service such as pause, resume, step, reset or status, and return its reply."""
        return self._request("call", service=service, args=arguments)

    def close(self) -> None:
        """End the connection."""
        self._lines.close()

    def _iterate(self, name: str, timeout_s: float | None, end: float) -> Iterator[Sample]:
        try:
            with suppress(TimeoutError, _EndedError):
                while time.monotonic() < end:
                    yield self._next(name, timeout_s, end)
        finally:
            with suppress(BridgeError):
                self._request("unsubscribe", topic=name)
            self._inbox.pop(name, None)

    def _next(self, topic: str, timeout_s: float | None, end: float) -> Sample:
        deadline = min(end, time.monotonic() + (math.inf if timeout_s is None else timeout_s))
        while not self._inbox[topic]:
            left = deadline - time.monotonic()
            line = self._receive(left if math.isfinite(left) else None)
            if line.get("op") == "error" and line.get("topic") == topic:
                raise BridgeError(str(line["error"]))
        return self._inbox[topic].popleft()

    def _request(self, op: str, **details: object) -> Data:
        number = next(self._ids)
        self._send({"op": op, "id": number, **details})
        while True:
            reply = self._receive(None)
            if reply.get("id") != number:
                continue
            if "error" in reply:
                raise BridgeError(str(reply["error"]))
            result: Data = reply["result"]
            return result

    def _send(self, message: Data) -> None:
        try:
            self._lines.send(message)
        except OSError:
            raise _EndedError(_ENDED) from None

    def _receive(self, timeout_s: float | None) -> Data:
        """Take one line in; messages are put aside for whoever iterates over their topic."""
        try:
            line = self._lines.receive(timeout_s)
        except TimeoutError:
            raise
        except (OSError, EOFError, ValueError):
            raise _EndedError(_ENDED) from None
        if line.get("op") == "message":
            sample = Sample(line["time_ns"], line.get("msg", {}), line["dropped"])
            self._inbox[line["topic"]].append(sample)
        return line


class _EndedError(BridgeError):
    """The other end is gone."""
