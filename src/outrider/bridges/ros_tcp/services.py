"""Services both ways: ours called by ROS, and those of ROS called by the simulation."""

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import TypeAlias

from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.ros_tcp.wire import Handler, Wire
from outrider.bridges.service_types import service_type
from outrider.core.errors import OutriderError
from outrider.core.structure import Data
from outrider.messages.fields import fields_of
from outrider.messages.ros1.types import Ros1Service

Row: TypeAlias = tuple[str, str, Handler]
Reply: TypeAlias = Callable[[str, int, str, bytes], None]  # command, number, service, body

_MOST_WAITING = 64  # requests of ROS that are not answered yet


class OwnServices:
    """Our services called by ROS, carried out by workers."""

    def __init__(
        self, rows: list[Row], workers: Executor, reply: Reply, peer_errors: PeerErrors
    ) -> None:
        self.rows = {name: (service_type(kind), handler) for name, kind, handler in rows}
        self._workers, self._reply, self._peer_errors = workers, reply, peer_errors
        self._room = threading.Semaphore(_MOST_WAITING)

    def request(self, wire: Wire, number: int, name: str, body: bytes) -> None:
        """Take a request of ROS."""
        found = self.rows.get(name)
        if found is None:
            self._peer_errors.note(
                "unknown service", f"ROS calls '{name:.80}', which is not a service here"
            )
        elif not self._room.acquire(blocking=False):
            self._peer_errors.note(
                "crowded", f"{_MOST_WAITING} calls are waiting; one of {name} is lost"
            )
        else:
            self._workers.submit(self._serve, wire, number, name, body)

    def _serve(self, wire: Wire, number: int, name: str, body: bytes) -> None:
        kind, handler = self.rows[name]
        try:
            self._reply("__response", number, name, wire.answer(kind, handler, body))
        except Exception as error:  # the protocol has no way to say that a call failed
            text = str(error) if isinstance(error, OutriderError) else f"{error!r:.120}"
            self._peer_errors.note("failed service", f"service {name} failed: {text}")
        finally:
            self._room.release()


class RosCalls:
    """Calls to ROS services: each waits for the response with its number."""

    def __init__(self) -> None:
        self._numbers = itertools.count(101)  # an endpoint counts from 1001
        self._waiting: dict[int, Future[bytes]] = {}
        self.known: dict[str, Ros1Service] = {}

    def begin(self) -> tuple[int, "Future[bytes]"]:
        """Return a number and what will have the answer."""
        number, answer = next(self._numbers), Future[bytes]()
        self._waiting[number] = answer
        return number, answer

    def answer(self, number: int, body: bytes) -> bool:
        """Hand an answer on; return whether somebody waited for it."""
        waiting = self._waiting.pop(number, None)
        if waiting is None:
            return False
        waiting.set_result(body)
        return True

    def forget(self, number: int) -> None:
        """Wait no longer."""
        self._waiting.pop(number, None)


def can_refuse(kind: str) -> bool:
    """Return whether responses of a service's type can say that nothing was done."""
    return any(field.name == "success" for field in fields_of(service_type(kind).response))


def number_in(fields: Data) -> int | None:
    """Return the number of a request or response, if there is one."""
    number = fields.get("srv_id")
    return number if isinstance(number, int) and not isinstance(number, bool) else None
