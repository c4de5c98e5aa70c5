"""A small ROS 1 master and parameter server, for machines without ROS."""

import errno
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from outrider.bridges.names import resolve
from outrider.bridges.parameter_tree import ParameterTree
from outrider.bridges.ros1.notifier import Notifier
from outrider.bridges.ros1.xmlrpc import Answer, XmlRpcServer
from outrider.core.errors import BridgeError

_LONGEST_NAME = 1000  # letters, of names, types and addresses
MOST_ENTRIES = 20_000  # topics, services, parameters that are watched, and nodes


@dataclass(slots=True)
class _Registry:
    """Publishers, subscribers and service providers by name, with node addresses."""

    publishers: dict[str, dict[str, str]] = field(default_factory=dict)
    subscribers: dict[str, dict[str, str]] = field(default_factory=dict)
    services: dict[str, dict[str, str]] = field(default_factory=dict)
    service_uris: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, dict[str, str]] = field(default_factory=dict)  # key -> node -> address

    def make_room(self) -> None:
        """Refuse more entries than any program needs; forget the types of topics that are gone."""
        tables = (self.publishers, self.subscribers, self.services, self.parameters)
        if sum(len(table) for table in tables) + len(self.nodes) >= MOST_ENTRIES:
            raise BridgeError(
                f"this master has {MOST_ENTRIES} topics, services, parameters and nodes already"
            )
        if len(self.types) > MOST_ENTRIES:
            living = self.publishers.keys() | self.subscribers.keys()
            self.types = {topic: kind for topic, kind in self.types.items() if topic in living}


class Master:
    """Keeps the registrations of all nodes; the server calls its methods from many threads."""

    def __init__(
        self, host: str = "127.0.0.1", port: int = 11311, known_as: str = "localhost"
    ) -> None:
        """``known_as`` is the name under which others find this machine."""
        self._lock = threading.RLock()
        self._books = _Registry()
        self._parameters = ParameterTree()
        self._tell = Notifier()
        try:
            self._server = XmlRpcServer(host, port, self._methods(), known_as)
        except OSError as error:
            raise BridgeError(_refusal(host, port, error)) from None
        self.uri = f"http://{known_as}:{self._server.port}/"

    def start(self) -> None:
        """Start serving."""
        self._server.start()

    def close(self) -> None:
        """Stop answering."""
        self._server.close()
        self._tell.close()

    def _methods(self) -> dict[str, Callable[..., Answer]]:
        return {
            "registerPublisher": self.register_publisher,
            "unregisterPublisher": self.unregister_publisher,
            "registerSubscriber": self.register_subscriber,
            "unregisterSubscriber": self.unregister_subscriber,
            "registerService": self.register_service,
            "unregisterService": self.unregister_service,
            "lookupService": self.lookup_service,
            "lookupNode": self.lookup_node,
            "getPublishedTopics": self.published_topics,
            "getTopicTypes": lambda _: self._types(),
            "getSystemState": lambda _: self.system_state(),
            "getUri": lambda _: (1, "", self.uri),
            "getPid": lambda _: (1, "", os.getpid()),
            "shutdown": lambda _, __="": (1, "shutdown is left to the simulation", 0),
            "setParam": self.set_param,
            "getParam": self.get_param,
            "deleteParam": self.delete_param,
            "hasParam": self.has_param,
            "searchParam": self.search_param,
            "getParamNames": lambda _: (1, "", self._parameters.names()),
            "subscribeParam": self.subscribe_param,
            "unsubscribeParam": self.unsubscribe_param,
        }

    def register_publisher(self, caller: str, topic: str, kind: str, uri: str) -> Answer:
        """Register a publisher and notify all subscribers."""
        topic = _full_name(topic, caller, kind)
        with self._lock:
            self._know(caller, uri, topic in self._books.publishers)
            self._books.publishers.setdefault(topic, {})[caller] = uri
            if kind != "*" or topic not in self._books.types:
                self._books.types[topic] = kind
            listening = list(self._books.subscribers.get(topic, {}).values())
            self._tell_publishers(topic)
        return 1, f"Registered [{caller}] as publisher of [{topic}]", listening

    def unregister_publisher(self, caller: str, topic: str, uri: str) -> Answer:
        """Forget a publisher."""
        topic = _full_name(topic, caller)
        with self._lock:
            gone = _drop(self._books.publishers, topic, caller, uri)
            if gone:
                self._tell_publishers(topic)
                self._forget(caller)
        return 1, "", gone

    def register_subscriber(self, caller: str, topic: str, kind: str, uri: str) -> Answer:
        """Register a subscriber, and return all publishers."""
        topic = _full_name(topic, caller, kind)
        with self._lock:
            self._know(caller, uri, topic in self._books.subscribers)
            self._books.subscribers.setdefault(topic, {})[caller] = uri
            if self._books.types.get(topic, "*") == "*":
                self._books.types[topic] = kind
            publishers = list(self._books.publishers.get(topic, {}).values())
        return 1, f"Subscribed to [{topic}]", publishers

    def unregister_subscriber(self, caller: str, topic: str, uri: str) -> Answer:
        """Unregister a subscriber."""
        topic = _full_name(topic, caller)
        with self._lock:
            gone = _drop(self._books.subscribers, topic, caller, uri)
            self._forget(caller)
        return 1, "", gone

    def register_service(self, caller: str, service: str, service_uri: str, uri: str) -> Answer:
        """Register a service provider; a new one replaces the old."""
        service = _full_name(service, caller, service_uri)
        with self._lock:
            self._know(caller, uri, service in self._books.services)
            self._books.services[service] = {caller: uri}
            self._books.service_uris[service] = service_uri
        return 1, f"Registered [{caller}] as provider of [{service}]", 0

    def unregister_service(self, caller: str, service: str, service_uri: str) -> Answer:
        """Unregister a service provider."""
        service = _full_name(service, caller)
        with self._lock:
            if self._books.service_uris.get(service) != service_uri:
                return 1, f"[{caller}] does not provide [{service}]", 0
            del self._books.services[service], self._books.service_uris[service]
            self._forget(caller)
        return 1, "", 1

    def lookup_service(self, caller: str, service: str) -> Answer:
        """Return the address of a service."""
        found = self._books.service_uris.get(_full_name(service, caller))
        return (1, "", found) if found else (-1, f"no provider of [{service}]", "")

    def lookup_node(self, caller: str, name: str) -> Answer:
        """Return the address of a node."""
        found = self._books.nodes.get(_full_name(name, caller))
        return (1, "", found) if found else (-1, f"unknown node [{name}]", "")

    def published_topics(self, caller: str, subgraph: str = "") -> Answer:
        """List what is published, below a namespace."""
        space = _full_name(subgraph, caller) if subgraph else "/"
        below = space if space.endswith("/") else space + "/"
        with self._lock:
            found = [
                [topic, self._books.types.get(topic, "*")]
                for topic in self._books.publishers
                if topic.startswith(below)
            ]
        return 1, "current topics", found

    def system_state(self) -> Answer:
        """List all publishers, subscribers and services."""
        books = self._books
        with self._lock:
            state = [
                [[name, list(nodes)] for name, nodes in table.items()]
                for table in (books.publishers, books.subscribers, books.services)
            ]
        return 1, "current system state", state

    def set_param(self, caller: str, key: str, value: object) -> Answer:
        """Set a parameter and notify its subscribers."""
        key = _full_name(key, caller)
        with self._lock:
            self._parameters.set(key, value)
            self._tell_parameter(caller, key, value)
        return 1, f"parameter {key} set", 0

    def get_param(self, caller: str, key: str) -> Answer:
        """Answer with a parameter."""
        key = _full_name(key, caller)
        try:
            with self._lock:
                return 1, f"Parameter [{key}]", self._parameters.get(key)
        except KeyError:
            return -1, f"Parameter [{key}] is not set", 0

    def delete_param(self, caller: str, key: str) -> Answer:
        """Take a parameter away."""
        key = _full_name(key, caller)
        try:
            with self._lock:
                self._parameters.delete(key)
                self._tell_parameter(caller, key, {})
        except KeyError:
            return -1, f"parameter [{key}] is not set", 0
        return 1, f"parameter {key} deleted", 0

    def has_param(self, caller: str, key: str) -> Answer:
        """Return whether there is a parameter."""
        key = _full_name(key, caller)
        return 1, key, self._parameters.has(key)

    def search_param(self, caller: str, key: str) -> Answer:
        """Find a parameter from the caller's namespace upwards."""
        _check_length(caller, key)
        found = self._parameters.search(caller, key)
        return (1, "Found", found) if found else (-1, f"Cannot find parameter [{key}]", "")

    def subscribe_param(self, caller: str, uri: str, key: str) -> Answer:
        """Register a parameter subscriber, and return the current value."""
        key = _full_name(key, caller)
        with self._lock:
            self._know(caller, uri, key in self._books.parameters)
            self._books.parameters.setdefault(key, {})[caller] = uri
            value = self._parameters.get(key) if self._parameters.has(key) else {}
        return 1, f"Subscribed to parameter [{key}]", value

    def unsubscribe_param(self, caller: str, uri: str, key: str) -> Answer:
        """Unregister a parameter subscriber."""
        with self._lock:
            gone = _drop(self._books.parameters, _full_name(key, caller), caller, uri)
        return 1, "", gone

    def _types(self) -> Answer:
        with self._lock:
            return 1, "current types", [[t, kind] for t, kind in self._books.types.items()]

    def _know(self, caller: str, uri: str, known_key: bool) -> None:
        """Register a node; another one of the same name is shut down and unregistered.

        New names are refused when there are too many.
        """
        _check_length(caller, uri)
        before = self._books.nodes.get(caller)
        if not (known_key and before is not None):
            self._books.make_room()
        if before is not None and before != uri:
            tables = (self._books.publishers, self._books.subscribers, self._books.parameters)
            for table in tables:
                for key in list(table):
                    _drop(table, key, caller, before)
            for service in [s for s, nodes in self._books.services.items() if caller in nodes]:
                del self._books.services[service], self._books.service_uris[service]
            reason = f"[{caller}] Reason: new node registered with same name"
            self._tell(before, "shutdown", reason)
        self._books.nodes[caller] = uri

    def _forget(self, caller: str) -> None:
        books = self._books
        tables = (books.publishers, books.subscribers, books.services, books.parameters)
        if not any(caller in nodes for table in tables for nodes in table.values()):
            books.nodes.pop(caller, None)

    def _tell_publishers(self, topic: str) -> None:
        publishers = list(dict.fromkeys(self._books.publishers.get(topic, {}).values()))
        for uri in self._books.subscribers.get(topic, {}).values():
            self._tell(uri, "publisherUpdate", topic, publishers)

    def _tell_parameter(self, caller: str, key: str, value: object) -> None:
        for wanted, nodes in self._books.parameters.items():
            if key == wanted or key.startswith(wanted.rstrip("/") + "/"):
                for node, uri in nodes.items():
                    if node != caller:
                        self._tell(uri, "paramUpdate", key.rstrip("/") + "/", value)


def _full_name(name: str, caller: str, told: str = "") -> str:
    """Return a name as it is kept; what is ``told`` of it is kept as well, and so bounded too."""
    _check_length(name, caller, told)
    return resolve(name, caller)


def _check_length(*texts: str) -> None:
    if any(len(text) > _LONGEST_NAME for text in texts):
        raise BridgeError(f"a name, type or address has more than {_LONGEST_NAME} letters")


def _refusal(host: str, port: int, error: OSError) -> str:
    """Return why no master can be opened and what to do: usually one is running already."""
    if error.errno != errno.EADDRINUSE:
        return f"no ROS 1 master can listen on {host}:{port}: {error}"
    return (
        f"no ROS 1 master can listen on {host}:{port}, because another program does; if it is a"
        " master, join it with '--bridge ros1', otherwise choose another port:"
        " '--bridge ros1:master=own,port=N'"
    )


def _drop(table: dict[str, dict[str, str]], key: str, caller: str, uri: str) -> int:
    nodes = table.get(key, {})
    if nodes.get(caller) != uri:
        return 0
    del nodes[caller]
    if not nodes:
        del table[key]
    return 1
