"""One thread that serves all TCPROS sockets."""

import queue
import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

from outrider.core.process.service_thread import ServiceThread


class Watched(Protocol):
    """Something with a socket."""

    def ready(self, readable: bool, writable: bool, /) -> None:
        """Read or write as far as goes without waiting."""

    def tick(self, now_s: float) -> None:
        """Be asked about once a second whether it has waited too long."""


class Reactor:
    """Runs callbacks when sockets are ready; ``call`` hands work in from other threads."""

    def __init__(self, on_fault: Callable[[Exception], None]) -> None:
        """``on_fault`` hears what went wrong in a callback: no peer may end the thread."""
        self._on_fault = on_fault
        self._selector = selectors.DefaultSelector()
        self._here, self._there = socket.socketpair()
        self._here.setblocking(False)
        self._there.setblocking(False)
        self._selector.register(self._here, selectors.EVENT_READ, None)
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._closed = False
        self._ticked_s = 0.0
        self._thread = ServiceThread(self._run, "outrider-tcpros")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End the thread; sockets are left to their owners."""
        self._closed = True
        self.call(lambda: None)
        self._thread.wait_for_end()
        self._selector.close()
        self._here.close()
        self._there.close()

    def call(self, work: Callable[[], None]) -> None:
        """Have something done in the reactor's thread."""
        self._work.put(work)
        with suppress(OSError):  # full: it will wake anyway
            self._there.send(b"\0")

    def watch(self, end: socket.socket, owner: Watched, *, write: bool = False) -> None:
        """Wait for a socket, or change what is waited for; only in the reactor's thread."""
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if write else 0)
        try:
            self._selector.modify(end, events, owner)
        except KeyError:
            with suppress(KeyError, ValueError, OSError):  # closed meanwhile
                self._selector.register(end, events, owner)
        except (ValueError, OSError):
            return

    def forget(self, end: socket.socket) -> None:
        """Wait for a socket no longer; only in the reactor's thread."""
        with suppress(KeyError, ValueError, OSError):
            self._selector.unregister(end)

    def _run(self) -> None:
        while not self._closed:
            for key, events in self._selector.select(timeout=1.0):
                if key.data is None:
                    with suppress(OSError):
                        self._here.recv(4096)
                else:
                    self._safely(partial(_serve, key.data, events))
            while not self._work.empty():
                self._safely(self._work.get())
            self._tick()

    def _safely(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # whatever a peer's bytes made of it
            self._on_fault(error)

    def _tick(self) -> None:
        now_s = time.monotonic()
        if now_s - self._ticked_s >= 1.0:
            self._ticked_s = now_s
            for key in list(self._selector.get_map().values()):
                if key.data is not None:
                    self._safely(partial(key.data.tick, now_s))


def _serve(owner: Watched, events: int) -> None:
    owner.ready(bool(events & selectors.EVENT_READ), bool(events & selectors.EVENT_WRITE))
