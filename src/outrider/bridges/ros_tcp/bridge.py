"""ROS-TCP: the simulation takes Unity's place at a ROS-TCP-Endpoint."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import ClassVar, Literal

from outrider.bridges.addresses import address
from outrider.bridges.bridge import Outside
from outrider.bridges.control_services import ControlServices
from outrider.bridges.gazebo_services import GazeboServices
from outrider.bridges.peer_errors import PeerErrors, speaker
from outrider.bridges.ros_tcp.connection import EndpointConnection, Ends
from outrider.bridges.ros_tcp.services import OwnServices, RosCalls, can_refuse
from outrider.bridges.ros_tcp.wire import asked, told
from outrider.bridges.service_types import service_type
from outrider.bus.channel import TopicInfo
from outrider.bus.topic_watch import TopicWatch
from outrider.core.errors import BridgeError, ConfigError
from outrider.core.process.service_thread import ServiceThread
from outrider.core.structure import Data, number

_say = speaker("ros-tcp")
_CONNECT_S = 3.0
_AGAIN_S = 1.0  # between two tries
_LOOK_S = 0.1  # between looks at which topics there are
_SEND_S = 10.0  # that an endpoint may take nothing
_WORKERS = 4


@dataclass(frozen=True, slots=True)
class RosTcpOptions:
    """The options of ``--bridge ros-tcp:...``."""

    address: str = address("127.0.0.1:10000", bare=True)  # HOST:PORT
    form: Literal["auto", "ros1", "ros2"] = "auto"  # auto: as the endpoint says of itself
    topic: tuple[str, ...] = ()  # which to publish, as /front/* (repeatable); none is all
    services: bool = True  # offer control of the simulation
    clock_hz: float = number(100.0, least=0.0, most=10000.0)  # in simulated time; 0: every step
    most_bytes: int = number(64_000_000, least=1000, most=1_000_000_000)  # of one message in


class RosTcpBridge:
    """Connects, registers all topics and services, and reconnects to a restarted endpoint."""

    Options: ClassVar[type] = RosTcpOptions

    def __init__(self, outside: Outside, options: RosTcpOptions) -> None:
        self._outside, self._options = outside, options
        self._address = _address(options.address)
        self._peer_errors = PeerErrors(_say)
        self._workers = ThreadPoolExecutor(_WORKERS, "outrider-ros-tcp")
        rows = [*ControlServices(outside, "/outrider").rows(), *GazeboServices(outside).rows()]
        if not outside.policy.control:  # who calls what cannot be refused would wait for ever
            rows = [row for row in rows if can_refuse(row[1])]
        self._own = OwnServices(
            rows if options.services else [], self._workers, self._reply, self._peer_errors
        )
        self._calls = RosCalls()
        self._connection: EndpointConnection | None = None
        self._lock = threading.Lock()
        self._lost = 0  # by connections that are gone
        self.connections = 0  # so far
        self._closed = threading.Event()
        self._thread = ServiceThread(self._run, "outrider-ros-tcp")

    def start(self) -> None:
        """Begin; an endpoint that is not there yet is waited for."""
        self._thread.start()

    def close(self) -> None:
        """Leave the endpoint."""
        self._closed.set()
        connection = self._connection
        if connection is not None:
            connection.flow.close()
        self._thread.wait_for_end(_CONNECT_S + 1.0)
        self._workers.shutdown(wait=False, cancel_futures=True)

    def counts(self) -> dict[str, int]:
        """Return what was lost or refused so far."""
        connection = self._connection
        lost = self._lost + (connection.flow.lost() if connection else 0)
        return {**self._peer_errors.counts, "dropped": lost}

    def topics(self) -> dict[str, str]:
        """Return the topics that ROS has, with their types, as the endpoint listed them last."""
        connection = self._connection
        return dict(connection.topics) if connection else {}

    def call(self, name: str, kind: str, fields: Data, timeout_s: float = 10.0) -> Data:
        """Call a service of ROS and return the fields of its response."""
        described = service_type(kind)
        connection = self._connection
        if connection is None:
            raise BridgeError(f"ros-tcp: there is no endpoint at {self._options.address} now")
        if name not in self._calls.known:
            self._calls.known[name] = described
            connection.want(name, described)
        ident, answer = self._calls.begin()
        connection.send_service("__request", ident, name, asked(connection.wire, described, fields))
        try:
            return told(connection.wire, described, answer.result(timeout_s))
        except TimeoutError:
            raise BridgeError(f"ros-tcp: {name} did not answer within {timeout_s:g} s") from None
        finally:
            self._calls.forget(ident)

    def carries(self, topic: TopicInfo) -> bool:
        """Return whether a topic of the simulation is published."""
        wanted = self._options.topic
        return not wanted or any(fnmatchcase(topic.name, pattern) for pattern in wanted)

    def most_hz(self, topic: TopicInfo) -> float:
        """Return how often a topic is published at most, in simulated time."""
        return self._options.clock_hz if topic.name == "/clock" else 0.0

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                with socket.create_connection(self._address, timeout=_CONNECT_S) as end:
                    self._serve(end)
            except (OSError, EOFError, BridgeError) as error:
                if not self._closed.is_set():
                    reason = str(error) or "it has closed the connection"
                    text = f"the endpoint at {self._options.address} is not reachable: {reason}"
                    self._peer_errors.note("away", text)
            except Exception as error:  # nothing that an endpoint sends ends the bridge
                self._peer_errors.note("failed", f"the connection failed: {error!r:.200}")
            self._closed.wait(_AGAIN_S)

    def _serve(self, end: socket.socket) -> None:
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        form = None if self._options.form == "auto" else self._options.form
        outside = self._outside
        ends = Ends(
            bus=outside.bus,
            now_ns=outside.now_ns,
            own=self._own,
            calls=self._calls,
            rules=self,
            peer_errors=self._peer_errors,
            most_bytes=self._options.most_bytes,
        )
        connection = EndpointConnection(end, ends, form)
        _limit_sending(end)
        connection.flow.start()
        self._connection = connection
        self.connections += 1
        follower = threading.Thread(target=self._follow, args=(connection,), daemon=True)
        follower.start()
        try:
            connection.serve()
        finally:
            self._connection = None
            connection.flow.close()
            follower.join(timeout=2.0)
            self._lost += connection.flow.lost()

    def _follow(self, connection: EndpointConnection) -> None:
        """Register all there is, then topics that come while the connection lasts."""
        watch = TopicWatch(self._outside.bus)
        self._join(connection, watch)
        for name, (kind, _) in self._own.rows.items():
            connection.offer(name, kind)
        for name, wanted in list(self._calls.known.items()):
            connection.want(name, wanted)
        connection.command("__topic_list", {})
        while self._connection is connection and not self._closed.wait(_LOOK_S):
            self._join(connection, watch)

    def _join(self, connection: EndpointConnection, watch: TopicWatch) -> None:
        came, gone = watch.changes()
        for topic in gone:
            connection.leave(topic)
        for topic in came:
            if topic.direction == "out" or self._outside.policy.commands:
                connection.join(topic)

    def _reply(self, command: str, ident: int, name: str, body: bytes) -> None:
        connection = self._connection
        if connection is not None:
            connection.send_service(command, ident, name, body)


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise ConfigError(f"ros-tcp: expected HOST:PORT, as 127.0.0.1:10000, got '{text}'")
    return host.strip("[]"), int(port)


def _limit_sending(end: socket.socket) -> None:
    """Let an endpoint that takes nothing be given up; reading may wait for ever."""
    with suppress(OSError, AttributeError):  # not every system has it
        limit = int(_SEND_S * 1000)
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, limit)
