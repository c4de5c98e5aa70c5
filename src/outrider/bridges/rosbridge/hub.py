"""What all clients of one server share."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from outrider.bridges.bridge import Outside
from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.rosbridge.fanout import Fanout

if TYPE_CHECKING:
    from outrider.bridges.rosbridge.session import ClientSession


@dataclass(frozen=True, slots=True)
class Hub:
    """The simulation, the socket thread and its workers."""

    outside: Outside
    peer_errors: PeerErrors
    fanout: Fanout
    loop: asyncio.AbstractEventLoop
    workers: Executor
    flush: Callable[["ClientSession"], None]  # sends what waits for a client, now or as it reads
    most_bytes: int  # of one message from a client

    def carry_out(
        self,
        work: Callable[[], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Let a worker do what may take long; the answer comes back to the sockets' thread."""

        def run() -> None:
            try:
                found = work()
            except Exception as error:  # a service's fault goes to who called
                self.soon(failed, error)
            else:
                self.soon(done, found)

        self.workers.submit(run)

    def soon(self, call: Callable[..., None], *arguments: object) -> None:
        """Call something in the sockets' thread; nothing once that has ended."""
        try:
            self.loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # the loop is closed
            return
