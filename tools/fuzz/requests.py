"""Damaged requests to every port of a running simulation: refused, and time goes on."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
from tools.fuzz.limits import ROOT, Outcome
from tools.fuzz.mutate import generator
from tools.fuzz.talks import TALKS

from outrider.bridges.local.client import Client
from outrider.bridges.local.runs import RunningRun

BATCH = 200  # requests between two looks at the simulation
_AT_ONCE = 32
_ANSWER_S = 0.15  # that a connection is kept to see what comes back
_ALIVE_S = 60.0  # that simulated time may stand still, on a busy machine
_MOST_THREADS, _MOST_FILES = 400, 2000
_GREETING = {"version": "v0.7.0", "metadata": json.dumps({"protocol": "ROS1"})}
# what belongs into a program's log, not into an answer to a peer
_PYTHON = re.compile(
    rb"Traceback|[a-z]\w*\(\) (got|takes|missing)|object (has no attribute|is not)|NoneType"
    rb"|(Key|Type|Attribute|Index|Overflow|Recursion|ZeroDivision|Assertion|Memory)Error"
)


class Target:
    """A simulation in a process of its own, with all ports open."""

    def __init__(self, folder: Path) -> None:
        self._endpoint = socket.create_server(("127.0.0.1", 0))
        self._log = (folder / "log").open("w+b")
        (folder / "files").mkdir(exist_ok=True)
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "tools.fuzz.server"),
                *(str(self._endpoint.getsockname()[1]), str(folder / "files")),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            cwd=ROOT,
            env={
                **os.environ,
                "OUTRIDER_CACHE": str(folder / "cache"),
                "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
            },
        )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        if not said:
            code = self._process.wait()
            raise RuntimeError(f"no simulation, it ended with {code}: {self._last_words()}")
        self.places: dict[str, Any] = json.loads(said)
        self._link: socket.socket | None = None
        self._turn = threading.Lock()
        self._seen = 0

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(60.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._endpoint.close()
        self._log.close()

    def fault(self) -> str:
        """Return what is wrong with it, or nothing."""
        if self._process.poll() is not None:
            return f"the simulation ended with {self._process.returncode}: {self._last_words()}"
        if said := self._traceback():
            return said
        process = psutil.Process(self._process.pid)
        if process.num_threads() > _MOST_THREADS or process.num_fds() > _MOST_FILES:
            return f"{process.num_threads()} threads, {process.num_fds()} files are open"
        return self._standstill()

    def tell_endpoint(self, data: bytes) -> None:
        """Say something as the endpoint that the simulation connects to."""
        with self._turn:
            try:
                self._link = self._link or self._accepted()
                self._link.sendall(data)
                _drained(self._link)
            except OSError:
                if self._link is not None:
                    self._link.close()
                self._link = None

    def _accepted(self) -> socket.socket:
        self._endpoint.settimeout(5.0)
        link, _ = self._endpoint.accept()
        link.settimeout(1.0)
        hello = json.dumps(_GREETING).encode()
        name = b"__handshake"
        link.sendall(len(name).to_bytes(4, "little") + name)
        link.sendall(len(hello).to_bytes(4, "little") + hello)
        return link

    def _standstill(self) -> str:
        """Ask as the user's own terminal would, after undoing what peers may rightly ask for."""
        run = RunningRun(
            self.places["pid"], self.places["local"], self.places["token"], "", time.time()
        )
        try:
            with Client(run) as client:
                client.call("set_speed", speed=1.0)
                client.call("lockstep", period_s=0.0)
                client.call("resume")
                before, end = client.call("status")["steps"], time.monotonic() + _ALIVE_S
                while client.call("status")["steps"] == before:
                    if time.monotonic() > end:
                        return "simulated time stands still"
                    time.sleep(0.02)
        except Exception as error:
            return f"it does not answer its user: {error}"
        return ""

    def _traceback(self) -> str:
        self._log.flush()
        with Path(self._log.name).open("rb") as log:
            log.seek(self._seen)
            new = log.read()
        self._seen += len(new)
        at = new.find(b"Traceback")
        if at < 0:
            return ""
        lines = new[at:].decode(errors="replace").splitlines()
        print("\n".join(lines[:120]), file=sys.stderr)
        ends = [line for line in lines[1:] if line and not line.startswith(" ")]
        ours = [line.strip() for line in lines if "outrider/" in line]
        where = re.sub(r".*outrider/", "", ours[-1]) if ours else ""
        return f"a traceback in its log: {ends[0] if ends else '?'} at {where}"

    def _last_words(self) -> str:
        text = Path(self._log.name).read_text(errors="replace")
        return text.strip().splitlines()[-1][:200] if text.strip() else ""


def outcomes(first: int, count: int, seed: int, only: str = "") -> Iterator[Outcome]:
    """Send the requests of a range; a simulation that is hurt is replaced by a new one."""
    ports = [name for name in TALKS if only in name]
    with tempfile.TemporaryDirectory(prefix="outrider-fuzz-") as made:
        number, life = first, 0
        while number < first + count:
            life += 1
            folder = Path(made) / str(life)
            folder.mkdir()
            target = Target(folder)
            try:
                while number < first + count:
                    numbers = range(number, min(number + BATCH, first + count))
                    found, fault = _batch(target, numbers, seed, ports)
                    yield from found
                    number = numbers.stop
                    if fault:
                        break
            finally:
                target.close()


def _batch(
    target: Target, numbers: range, seed: int, ports: list[str]
) -> tuple[list[Outcome], str]:
    """Send some requests; a fault of the simulation is laid to the last of them."""
    found = asyncio.run(_sent(target, numbers, seed, ports))
    fault = target.fault()
    if fault:
        whole = f"{fault} (one of {numbers.start} to {numbers.stop - 1})"
        found.append(Outcome(numbers.stop - 1, "simulation", fault=whole))
    return found, fault


async def _sent(target: Target, numbers: range, seed: int, ports: list[str]) -> list[Outcome]:
    free = asyncio.Semaphore(_AT_ONCE)

    async def one(number: int) -> Outcome:
        kind = ports[number % len(ports)]
        port, data = TALKS[kind](target.places, generator(seed, number))
        async with free:
            began = time.monotonic()
            if port == "ros-tcp":
                await asyncio.to_thread(target.tell_endpoint, data)
                answer = b""
            elif port == "udp":
                answer = _thrown(target.places[port], data)
            else:
                answer = await _exchange(target.places[port], data)
        hit = _PYTHON.search(answer)
        fault = (
            f"Python in an answer: {answer[max(0, hit.start() - 60) : hit.end() + 60]!r}"
            if hit
            else ""
        )
        return Outcome(
            number,
            kind,
            refused=b"error" in answer.lower(),
            fault=fault,
            first_bytes=repr(data[-160:]),
            seconds=time.monotonic() - began,
        )

    return list(await asyncio.gather(*(one(number) for number in numbers)))


async def _exchange(port: int, data: bytes) -> bytes:
    """Send bytes, and return the beginning of what comes back in a short while."""
    answer = b""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return answer
    try:
        writer.write(data)
        async with asyncio.timeout(_ANSWER_S):
            while len(answer) < 1 << 20 and (part := await reader.read(65536)):
                answer += part
    except (OSError, TimeoutError):
        pass
    finally:
        writer.transport.abort()
    return answer


def _thrown(port: int, data: bytes) -> bytes:
    """Send a datagram, which nothing answers."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.sendto(data[:60_000], ("127.0.0.1", port))
    return b""


def _drained(link: socket.socket) -> None:
    link.setblocking(False)
    try:
        while link.recv(1 << 20):
            pass
        raise ConnectionResetError
    except BlockingIOError:
        link.settimeout(1.0)
