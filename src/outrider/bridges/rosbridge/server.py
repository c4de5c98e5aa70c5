"""The socket thread: accepts clients, serves them, and sends their queues."""

import asyncio
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from outrider.bridges.bridge import Outside
from outrider.bridges.control_services import ControlServices
from outrider.bridges.gazebo_services import GazeboServices
from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.rosbridge.actions import ActionOperations
from outrider.bridges.rosbridge.authentication import Authentication
from outrider.bridges.rosbridge.calls import Calls, OwnService
from outrider.bridges.rosbridge.client import Peer
from outrider.bridges.rosbridge.fanout import Delivery, Fanout
from outrider.bridges.rosbridge.hub import Hub
from outrider.bridges.rosbridge.options import RosbridgeOptions
from outrider.bridges.rosbridge.plain_socket import PlainPeer, Threshold
from outrider.bridges.rosbridge.rosapi import RosApi
from outrider.bridges.rosbridge.session import ClientSession, Operation
from outrider.bridges.rosbridge.simulate_steps import SimulateSteps
from outrider.bridges.rosbridge.topics import TopicOperations
from outrider.bridges.rosbridge.typed_service import TypedService
from outrider.bridges.rosbridge.websocket import WebSocketListener
from outrider.core.errors import BridgeError
from outrider.core.structure import Data

_WORKERS = 8
_RETRY_S = 0.005  # between looks at clients that had not read all
_CARE_S = 0.5
_AUTH_S = 5.0  # that a client has to say who it is


class RosbridgeServer:
    """All clients, in one thread with its own event loop."""

    def __init__(
        self,
        outside: Outside,
        options: RosbridgeOptions,
        gate: Authentication,
        peer_errors: PeerErrors,
    ) -> None:
        self._options, self._gate, self._peer_errors = options, gate, peer_errors
        self._loop = asyncio.new_event_loop()
        self._workers = ThreadPoolExecutor(_WORKERS, "outrider-rosbridge")
        self.fanout = Fanout(outside.bus, self._deliver, peer_errors)
        self._loop.set_exception_handler(self._failed)
        self._hub = hub = Hub(
            outside=outside,
            peer_errors=peer_errors,
            fanout=self.fanout,
            loop=self._loop,
            workers=self._workers,
            flush=lambda session: self._flush((session,)),
            most_bytes=options.most_bytes,
        )
        self._topics = TopicOperations(hub)
        self._calls = Calls(hub, lambda: self._services)
        self._goals = ActionOperations(hub, {"/simulate_steps": SimulateSteps(outside.services)})
        api = RosApi(outside, self._topics, self._calls, self._goals)
        self._services: dict[str, OwnService] = {**api.services(), **_typed(outside)}
        self._operations: dict[str, Operation] = {
            **self._topics.operations(),
            **self._calls.operations(),
            **self._goals.operations(),
            "auth": self._auth,
        }
        self._listener = WebSocketListener(gate, self._welcome, self._leave, peer_errors.note)
        self._plain: asyncio.Server | None = None
        self._threshold = Threshold()
        self._sessions: dict[
            ClientSession, bool
        ] = {}  # and whether each may already ask for things
        self._behind: set[ClientSession] = set()
        self._retry: asyncio.TimerHandle | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="outrider-rosbridge", daemon=True)
        self.port = self.tcp_port = 0

    @property
    def clients(self) -> int:
        """How many are connected."""
        return len(self._sessions)

    def start(self) -> None:
        """Listen; raises where that cannot be."""
        self._thread.start()
        opened = asyncio.run_coroutine_threadsafe(self._open(), self._loop)
        try:
            opened.result(10.0)
        except OSError as error:
            raise BridgeError(
                f"rosbridge: cannot listen on {self._options.host}:{self._options.port}: {error};"
                " choose another port with --bridge rosbridge:port=N"
            ) from None
        self.fanout.start()

    def close(self) -> None:
        """Send all clients away and end all threads."""
        if self._closed:
            return
        self._closed = True
        self._goals.close()
        self.fanout.close()
        if self._thread.is_alive():
            shut = asyncio.run_coroutine_threadsafe(self._shut(), self._loop)
            shut.result(10.0)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(timeout=5.0)
        self._workers.shutdown(wait=False, cancel_futures=True)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    def _failed(self, _: asyncio.AbstractEventLoop, context: Data) -> None:
        """Count what went wrong where nobody looked; all else goes on."""
        reason = context.get("exception") or context.get("message")
        self._peer_errors.note("failed", f"something went wrong: {reason!r:.200}")

    async def _open(self) -> None:
        options = self._options
        self.port = await self._listener.open(options.host, options.port, options.most_bytes)
        if options.tcp_port is not None:
            self._plain = await self._loop.create_server(
                self._plain_peer, options.host, options.tcp_port
            )
            self.tcp_port = self._plain.sockets[0].getsockname()[1]
        self._loop.call_later(_CARE_S, self._look_after)

    async def _shut(self) -> None:
        if self._plain is not None:
            self._plain.close()
        for session in list(self._sessions):
            session.peer.end(1001, "the simulation ends")
        await self._listener.close()

    def _plain_peer(self) -> PlainPeer:
        return PlainPeer(
            lambda peer: self._welcome(peer, not self._gate.asks),
            self._leave,
            self._options.most_bytes,
            self._threshold,
        )

    def _welcome(self, peer: Peer, known: bool) -> ClientSession | None:
        session = ClientSession(self._hub, peer, self._options.form, self._operations)
        if len(self._sessions) >= self._options.clients:
            session.refuse("crowded", f"there are {self._options.clients} clients", 1013)
            return None
        self._sessions[session] = known
        if not known:
            session.only = {"auth": self._auth}
            self._loop.call_later(_AUTH_S, self._still_unknown, session)
        return session

    def _still_unknown(self, session: ClientSession) -> None:
        if self._sessions.get(session) is False:
            session.refuse("no token", "it did not authenticate")

    def _auth(self, session: ClientSession, message: Data) -> None:
        if not self._gate.asks:
            return
        if self._gate.opens_for(message):
            self._sessions[session] = True
            session.only = None
        else:
            session.refuse("wrong token", "its auth is not valid")

    def _leave(self, session: ClientSession) -> None:
        self._sessions.pop(session, None)
        self._behind.discard(session)
        for part in (self._topics, self._calls, self._goals):
            part.leave(session)

    def _deliver(self, batch: list[Delivery]) -> None:
        """Hand encoded messages to the sockets' thread, and wait until it has them.

        So nothing gathers between the two: what is too much waits on the bus, where it is bounded.
        """
        taken = threading.Event()
        self._hub.soon(self._take, batch, taken)
        taken.wait(1.0)

    def _take(self, batch: list[Delivery], taken: threading.Event) -> None:
        taken.set()
        touched: dict[ClientSession, None] = {}
        for message, subscriptions in batch:
            for subscription in subscriptions:
                subscription.put(message)
                touched[subscription.client] = None
        self._flush(touched)

    def _flush(self, sessions: Iterable[ClientSession]) -> None:
        now_s = self._loop.time()
        for session in sessions:
            if session.outbox.flush(now_s):
                self._behind.add(session)
            else:
                self._behind.discard(session)
        if self._behind and self._retry is None:
            self._retry = self._loop.call_later(_RETRY_S, self._try_again)

    def _try_again(self) -> None:
        self._retry = None
        self._flush(list(self._behind))

    def _look_after(self) -> None:
        """Send those away who have stopped reading, and forget what was never finished."""
        now_s = self._loop.time()
        for session in list(self._sessions):
            session.look_after()
            session.peer.finish(now_s)
            if session.outbox.stalled_s(now_s) > self._options.stall_s:
                session.refuse("slow", f"it has read nothing for {self._options.stall_s:g} s")
        if not self._closed:
            self._loop.call_later(_CARE_S, self._look_after)


def _typed(outside: Outside) -> dict[str, OwnService]:
    """Return the services that control the simulation, as the ROS 1 bridge has them."""
    rows = [*ControlServices(outside, "/outrider").rows(), *GazeboServices(outside).rows()]
    return {name: TypedService(kind, handler, outside.now_ns) for name, kind, handler in rows}
