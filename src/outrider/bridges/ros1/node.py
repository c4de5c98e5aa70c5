"""A ROS 1 node in plain Python: topics, services and parameters at any master."""

import os
import socket
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.ros1.connection import Connection
from outrider.bridges.ros1.header import decode_header, encode_header
from outrider.bridges.ros1.publication import Publication
from outrider.bridges.ros1.reactor import Reactor
from outrider.bridges.ros1.registrar import Offer, Registrar
from outrider.bridges.ros1.services import Handler, OfferedService, ServiceCalls
from outrider.bridges.ros1.subscription import Ros1Subscription, Take
from outrider.bridges.ros1.xmlrpc import Answer, XmlRpcServer
from outrider.core.errors import BridgeError
from outrider.core.structure import Data
from outrider.messages.ros1.types import ros1_service, ros1_type

_CROWD = 512  # connections at once


class Ros1Node:
    """Everything may be called from any thread; the master is updated in the background."""

    def __init__(
        self,
        name: str,
        master: str,
        peer_errors: PeerErrors,
        *,
        bind: str = "127.0.0.1",
        shown: str = "localhost",
        on_listeners: Callable[[str], None] = lambda _: None,
        admit_shutdown: Callable[[], None] = lambda: None,
    ) -> None:
        """``shown`` is the host name for peers; ``on_listeners`` is called on changes.

        ``admit_shutdown`` raises BridgeError where peers may not end the node.
        """
        self.name, self.master = name, master
        self._peer_errors, self._on_listeners = peer_errors, on_listeners
        self._admit_shutdown = admit_shutdown
        self._lock = threading.Lock()
        self.publications: dict[str, Publication] = {}
        self.subscriptions: dict[str, Ros1Subscription] = {}
        self.services: dict[str, OfferedService] = {}
        self.parameters: Data = {}
        self._connections: dict[Connection, None] = {}  # the oldest first
        self._reactor = Reactor(
            lambda error: peer_errors.note("fault", f"a connection's data ended in {error!r:.80}")
        )
        self._workers = ThreadPoolExecutor(8, "outrider-ros1")
        self._callers = ThreadPoolExecutor(
            16, "outrider-ros1-out"
        )  # of publishers, who may be slow
        self._calls = ServiceCalls(name, self._workers, peer_errors)
        self._listener = socket.create_server((bind, 0), backlog=256)
        self._listener.setblocking(False)
        self._shown, self._port = shown, self._listener.getsockname()[1]
        self._server = XmlRpcServer(bind, 0, self._methods(), shown)
        self.uri = f"http://{shown}:{self._server.port}/"
        self.registrar = Registrar(
            master,
            name,
            self.uri,
            self._offers,
            lambda: dict(self.parameters),
            self._publishers,
            peer_errors,
        )

    def start(self) -> None:
        """Start listening, and look for the master."""
        self._reactor.start()
        self._reactor.call(lambda: self._reactor.watch(self._listener, self))
        self._server.start()
        self.registrar.start()

    def close(self) -> None:
        """Leave the master, all peers and all threads."""
        self.registrar.close()
        self._server.close()
        for subscription in list(self.subscriptions.values()):
            subscription.close()
        for connection in list(self._connections):
            connection.close()
        for workers in (self._workers, self._callers):
            workers.shutdown(wait=False, cancel_futures=True)
        self._reactor.call(self._listener.close)
        self._reactor.close()

    def advertise(self, topic: str, type_name: str, *, latched: bool = False) -> Publication:
        """Offer a topic."""
        made = Publication(topic, ros1_type(type_name), self.name, latched=latched)
        with self._lock:
            self.publications[topic] = made
        return made

    def unadvertise(self, topic: str) -> None:
        """Offer a topic no more."""
        with self._lock:
            gone = self.publications.pop(topic, None)
        for connection in gone.connections if gone else ():
            connection.close()

    def subscribe(self, topic: str, type_name: str, take: Take) -> Ros1Subscription:
        """Listen to a topic; ``take`` must not wait."""
        made = Ros1Subscription(
            topic,
            ros1_type(type_name),
            self.name,
            take,
            self._reactor,
            self._callers,
            self._peer_errors,
        )
        with self._lock:
            self.subscriptions[topic] = made
        return made

    def unsubscribe(self, topic: str) -> None:
        """Listen no more."""
        with self._lock:
            gone = self.subscriptions.pop(topic, None)
        if gone is not None:
            gone.close()

    def serve(self, name: str, type_name: str, handler: Handler) -> None:
        """Offer a service."""
        with self._lock:
            self.services[name] = OfferedService(name, ros1_service(type_name), handler)

    def ready(self, _readable: bool, _writable: bool) -> None:
        """Take a new connection; the reactor calls this."""
        try:
            end, address = self._listener.accept()
        except OSError:
            return
        if len(self._connections) >= _CROWD and not self._made_way():
            end.close()
            return
        peer = f"{address[0]}:{address[1]}"
        connection = Connection(self._reactor, end, self._frame, self._ended, peer)
        self._connections[connection] = None

    def _made_way(self) -> bool:
        """End the oldest connection that has not said what it wants, if there is one."""
        self._peer_errors.note("crowded", f"more than {_CROWD} connections at once")
        silent = next((c for c in self._connections if not c.greeted), None)
        if silent is not None:
            silent.close()
        return silent is not None

    def tick(self, now_s: float) -> None:
        """Do nothing: a listener may wait for ever."""

    def _frame(self, connection: Connection, frame: bytes) -> None:
        if connection.greeted:
            if not self._calls.request(connection, frame):
                connection.close("talking subscriber")
            return
        try:
            header = decode_header(frame)
        except BridgeError as error:
            connection.close(f"bad header: {error}"[:40])
            return
        self._welcome(connection, header)

    def _welcome(self, connection: Connection, header: dict[str, str]) -> None:
        publication = self.publications.get(header.get("topic", ""))
        service = self.services.get(header.get("service", ""))
        if publication is not None:
            refusal = publication.refusal(header)
        elif service is not None:
            refusal = self._calls.refusal(service, header)
        else:
            refusal = f"{self.name} has no such topic or service: {header!r:.80}"
        if refusal:
            self._peer_errors.note("wrong md5sum" if publication or service else "unknown", refusal)
            connection.finish(encode_header({"error": refusal}))
        elif publication is not None:
            publication.admit(connection)
            self._on_listeners(publication.topic)
        elif service is not None:
            self._calls.admit(service, connection, header)

    def _ended(self, connection: Connection, reason: str) -> None:
        self._connections.pop(connection, None)
        self._calls.forget(connection)
        for publication in list(self.publications.values()):
            if connection in publication.connections:
                publication.dismiss(connection)
                self._on_listeners(publication.topic)
        if reason:
            self._peer_errors.note(reason, f"{connection.peer} was cut off: {reason}")

    def _offers(self) -> set[Offer]:
        place = f"rosrpc://{self._shown}:{self._port}"
        with self._lock:
            return {
                *(Offer("Publisher", t, p.kind.name) for t, p in self.publications.items()),
                *(Offer("Subscriber", t, i.kind.name) for t, i in self.subscriptions.items()),
                *(Offer("Service", name, place) for name in self.services),
            }

    def _publishers(self, topic: str, uris: list[str]) -> None:
        subscription = self.subscriptions.get(topic)
        if subscription is not None:
            subscription.publishers([uri for uri in uris if uri != self.uri])

    def _methods(self) -> dict[str, Callable[..., Answer]]:
        return {
            "getPid": lambda _: (1, "", os.getpid()),
            "getUri": lambda _: (1, "", self.uri),
            "getName": lambda _: (1, "", self.name),
            "getMasterUri": lambda _: (1, "", self.master),
            "shutdown": self._displace,
            "requestTopic": self._request_topic,
            "publisherUpdate": self._publisher_update,
            "paramUpdate": lambda _, key, _value: (-1, f"not subscribed to {key}", 0),
            "getPublications": lambda _: (1, "", _types(self.publications)),
            "getSubscriptions": lambda _: (1, "", _types(self.subscriptions)),
            "getBusInfo": lambda _: (1, "", self._bus_info()),
            "getBusStats": lambda _: (1, "", self._bus_stats()),
        }

    def _request_topic(self, caller: str, topic: str, protocols: list[list[object]]) -> Answer:
        if topic not in self.publications:
            return -1, f"{self.name} does not publish {topic}", []
        if not any(p and p[0] == "TCPROS" for p in protocols):
            return 0, f"{caller} speaks none of our protocols: TCPROS", []
        place = ["TCPROS", self._shown, self._port]
        return 1, f"ready on {self._shown}:{self._port}", place

    def _publisher_update(self, _caller: str, topic: str, uris: list[str]) -> Answer:
        self._publishers(topic, uris)
        return 1, "", 0

    def _displace(self, caller: str, reason: str = "") -> Answer:
        self._admit_shutdown()
        self.registrar.displaced = True
        self._peer_errors.note("displaced", f"{caller:.80} shut the bridge down: {reason:.200}")
        return 1, "", 0

    def _bus_info(self) -> list[list[object]]:
        ends: list[tuple[str, str, Connection]] = []
        with self._lock:
            for topic, publication in self.publications.items():
                ends += [("o", topic, c) for c in publication.connections]
            for topic, subscription in self.subscriptions.items():
                ends += [("i", topic, c) for c in subscription.connections.values() if c]
        return [
            [number, c.peer, way, "TCPROS", topic, True]
            for number, (way, topic, c) in enumerate(ends, start=1)
        ]

    def _bus_stats(self) -> list[object]:
        with self._lock:
            published = [
                [
                    topic,
                    _small(sum(c.bytes for c in p.connections)),
                    [[n, _small(c.bytes), c.sent, True] for n, c in enumerate(p.connections)],
                ]
                for topic, p in self.publications.items()
            ]
        return [published, [], []]


def _types(ends: Mapping[str, Publication | Ros1Subscription]) -> list[list[str]]:
    return [[topic, end.kind.name] for topic, end in list(ends.items())]


def _small(count: int) -> int:
    return min(count, 2**31 - 1)  # XML-RPC has no larger numbers
