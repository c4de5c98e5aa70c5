"""ROS 2: every topic of the bus, and control of the simulation, on an rclpy node."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from outrider.bridges.addresses import address
from outrider.bridges.bridge import Outside
from outrider.bridges.names import check_in_ros2, remaps
from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.ros2.control import add_services
from outrider.bridges.ros2.descriptions import Descriptions
from outrider.bridges.ros2.node import LAST_DOMAIN, Network, Ros2Node
from outrider.bridges.ros2.parameters import Parameters
from outrider.bridges.ros2.topics import PublishedTopic, SubscribedTopic
from outrider.bus.channel import TopicInfo
from outrider.bus.topic_watch import TopicWatch
from outrider.core.structure import number
from outrider.messages.types import Message

_LOOK_S = 0.2  # between looks at who listens
_FOLLOW_S = 1.0  # between looks at what others publish
_REST_S = 0.001  # between rounds, so that a fast topic cannot take the whole interpreter
_SHARED = ("/clock", "/tf", "/tf_static")  # one for all, in every namespace


@dataclass(frozen=True, slots=True)
class Ros2Options:
    """The options of ``--bridge ros2:...``."""

    domain: int | None = number(None, least=0, most=LAST_DOMAIN)  # None is ROS_DOMAIN_ID, or 0
    namespace: str = ""  # put before every topic and service, but /clock and /tf
    remap: tuple[str, ...] = ()  # /OLD:=/NEW, full names
    node: str = "outrider"
    network: Network = address("localhost")
    clock_hz: float = number(0.0, least=0.0, most=10000.0)  # in simulated time; 0 is every step
    reliable: bool = True  # False: streams of sensors as best effort


class Ros2Bridge:
    """Publishes in one thread, and serves requests in another."""

    Options: ClassVar[type] = Ros2Options

    def __init__(self, outside: Outside, options: Ros2Options) -> None:
        """Join the graph; nothing is said yet."""
        self._outside = outside
        self._options = options
        self._remaps = remaps(options.remap)
        self._node = Ros2Node(options.node, options.namespace, options.domain, options.network)
        self._watch = TopicWatch(outside.bus)
        self._published: dict[str, PublishedTopic] = {}
        self._subscribed: dict[str, SubscribedTopic] = {}
        self._peer_errors = PeerErrors(self._node.say)
        self._parameters: Parameters | None = None
        self._dropped = 0  # by topics that are gone
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="outrider-ros2-out", daemon=True)

    def start(self) -> None:
        """Publish all topics and offer all services."""
        node = self._node.node
        self._descriptions = Descriptions(node, self._outside.robots, self._name)
        if self._outside.services:  # a node that is no simulator has nothing to control
            self._parameters = Parameters(node, self._outside.services)
            add_services(node, self._outside)
        self._look()
        self._node.serve()
        self._thread.start()

    def close(self) -> None:
        """Leave the graph."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._wake.set()
        if self._thread.is_alive():
            if self._parameters is not None:
                self._parameters.close()
            self._thread.join(timeout=5.0)
        for name in (*self._published, *self._subscribed):
            self._leave(name)
        self._node.close()

    def counts(self) -> dict[str, int]:
        """Return what was lost or refused so far, by reason."""
        dropped = sum(published.dropped for published in list(self._published.values()))
        return {**self._peer_errors.counts, "dropped": self._dropped + dropped}

    def _work(self) -> None:
        look_s = follow_s = 0.0
        while not self._closed.is_set():
            now_s = time.monotonic()
            if now_s >= look_s:
                self._safely(self._look)
                look_s = now_s + _LOOK_S
            if now_s >= follow_s:
                self._safely(self._follow)
                follow_s = now_s + _FOLLOW_S
            self._wake.wait(_LOOK_S)
            self._wake.clear()
            self._drain()
            self._closed.wait(_REST_S)

    def _safely(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # rclpy's errors have no class in common
            self._peer_errors.note(type(error).__name__, f"ros2: {error}")

    def _drain(self) -> None:
        for name, published in self._published.items():
            try:
                if published.drain():
                    self._wake.set()
            except Exception as error:  # one topic's fault is not the others'
                self._peer_errors.note(name, f"ros2: {name} cannot be published: {error}")

    def _look(self) -> None:
        """Follow the bus: robots and topics come, go and change their names."""
        came, gone = self._watch.changes()
        if came or gone:
            self._descriptions.update()
        for topic in gone:
            self._leave(topic.name)
        for topic in came:
            try:
                self._join(topic)
            except Exception as error:  # a type that cannot be had, a name ROS 2 refuses
                self._peer_errors.note(topic.name, f"ros2: {topic.name} is left out: {error}")
        for published in self._published.values():
            published.listen(self._outside.bus, self._wake)

    def _follow(self) -> None:
        """Follow the graph: others may publish a like type."""
        for subscribed in self._subscribed.values():
            subscribed.follow()

    def _join(self, topic: TopicInfo) -> None:
        name, middleware = self._name(topic.name), self._node.middleware
        if topic.direction == "in" and not self._outside.policy.commands:
            return
        check_in_ros2(name)
        if topic.direction == "in":
            self._subscribed[topic.name] = SubscribedTopic(
                self._node.ears, topic, name, self._take, self._peer_errors, middleware
            )
            return
        published = PublishedTopic(self._node.node, topic, name, self._options.reliable, middleware)
        if topic.name == "/clock":
            published.thin(self._options.clock_hz)
        self._published[topic.name] = published

    def _leave(self, name: str) -> None:
        published = self._published.pop(name, None)
        if published is not None:
            self._dropped += published.dropped
            published.close()
        subscribed = self._subscribed.pop(name, None)
        if subscribed is not None:
            subscribed.close()

    def _name(self, name: str) -> str:
        prefix = self._options.namespace.strip("/")
        full = name if not prefix or name in _SHARED else f"/{prefix}{name}"
        return self._remaps.get(full, full)

    def _take(self, name: str, message: Message) -> None:
        self._outside.bus.publish(name, message, self._outside.now_ns())
