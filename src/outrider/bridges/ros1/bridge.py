"""ROS 1: the simulation as a node at any master, or at its own; no ROS is needed."""

import os
import sys
import threading
from dataclasses import dataclass
from typing import ClassVar

from outrider.bridges.addresses import address, is_loopback
from outrider.bridges.bridge import Outside
from outrider.bridges.control_services import ControlServices
from outrider.bridges.names import remaps, resolve
from outrider.bridges.peer_errors import PeerErrors, speaker
from outrider.bridges.ros1.gazebo import Gazebo
from outrider.bridges.ros1.master import Master
from outrider.bridges.ros1.node import Ros1Node
from outrider.bridges.ros1.sender import Ros1Sender
from outrider.bus.channel import TopicInfo
from outrider.bus.topic_watch import TopicWatch
from outrider.core.clock import NS_PER_S
from outrider.core.errors import BridgeError, OutriderError
from outrider.core.process.service_thread import ServiceThread
from outrider.core.structure import Data, number
from outrider.messages.ros1.convert import from_ros1
from outrider.messages.ros1.types import new, serialize
from outrider.messages.types import Message

_LOOK_S = 0.1
_GLOBAL = ("/clock", "/tf", "/tf_static")  # the same for all namespaces
_WARN = 4
_LOG = "rosgraph_msgs/msg/Log"


@dataclass(frozen=True, slots=True)
class Ros1Options:
    """The options of ``--bridge ros1:...``."""

    master: str = address("", "own")  # a URI, "own", or empty: ROS_MASTER_URI
    port: int = number(11311, least=0, most=65535)  # of an own master; 0 takes a free one
    host: str = address(
        ""
    )  # to listen on, and what others are told; empty: ROS_HOSTNAME, ROS_IP, loopback
    node: str = "outrider"
    namespace: str = ""  # before all topics but /clock, /tf and /tf_static
    remap: tuple[str, ...] = ()
    sim_time: bool = True  # set /use_sim_time
    clock_hz: float = number(0.0, least=0.0, most=10000.0)  # in simulated time; 0: every step
    gazebo: bool = True  # offer /gazebo/... services and topics
    states_hz: float = number(50.0, least=0.0, most=10000.0)  # of /gazebo/model_states, as above


class Ros1Bridge:
    """Every topic of the bus becomes a ROS 1 topic, every command a subscription."""

    Options: ClassVar[type] = Ros1Options

    def __init__(self, outside: Outside, options: Ros1Options) -> None:
        self._outside, self._options = outside, options
        self._remaps = remaps(options.remap)
        self._peer_errors = PeerErrors(self._say)
        bind, shown = _place(options.host)
        self.master = Master(bind, options.port, shown) if options.master == "own" else None
        given = options.master or os.environ.get("ROS_MASTER_URI", "http://localhost:11311/")
        self._flow = Ros1Sender(outside.bus, self._peer_errors)
        self.node = Ros1Node(
            resolve(options.node, f"{resolve(options.namespace, '/')}/x"),
            self.master.uri if self.master else given,
            self._peer_errors,
            bind=bind,
            shown=shown,
            on_listeners=self._flow.look,
            admit_shutdown=lambda: outside.policy.admit("shutdown"),
        )
        self._watch = TopicWatch(outside.bus)
        self._closed = threading.Event()
        self._thread = ServiceThread(self._run, "outrider-ros1")
        self._rosout = [self.node.advertise("/rosout", _LOG, latched=True)]
        if self.master is not None:  # what the node rosout does beside a master of ROS
            self._rosout.append(self.node.advertise("/rosout_agg", _LOG))
            self.node.subscribe("/rosout", _LOG, self._gather)
        hz = options.states_hz
        self._gazebo = (
            Gazebo(self.node, outside, self._flow, hz, self._peer_errors)
            if options.gazebo
            else None
        )
        self._serve_control()

    def start(self) -> None:
        """Begin; a master that is not there yet is waited for."""
        if self.master is not None:
            self.master.start()
            sys.stderr.write(f"ros1 bridge: ROS master at {self.master.uri}\n")
        self._set_parameters()
        self._follow_topics()
        self._flow.start()
        self.node.start()
        if self._gazebo is not None:
            self._gazebo.start()
        self._thread.start()

    def close(self) -> None:
        """Leave the master and all peers."""
        self._closed.set()
        self._thread.wait_for_end()
        if self._gazebo is not None:
            self._gazebo.close()
        self._flow.close()
        self.node.close()
        if self.master is not None:
            self.master.close()

    def counts(self) -> dict[str, int]:
        """Return what was lost or refused so far."""
        return {**self._peer_errors.counts, "dropped": self._flow.dropped()}

    def topic(self, name: str) -> str:
        """Return what a topic of the bus is called at the master."""
        if self._options.namespace and name not in _GLOBAL:
            name = resolve(f"{self._options.namespace}{name}", "/")
        return self._remaps.get(name, name)

    def _run(self) -> None:
        while not self._closed.wait(_LOOK_S):
            try:
                self._follow_topics()
            except Exception as error:  # a robot whose file is gone, say: others go on
                self._peer_errors.note("topics", f"topics cannot be followed: {_reason(error)}")

    def _follow_topics(self) -> None:
        came, gone = self._watch.changes()
        for topic in gone:
            self._drop(self.topic(topic.name))
        for topic in came:
            try:
                self._carry(topic)
            except Exception as error:  # one topic's fault is not the others'
                self._peer_errors.note("left out", f"topic '{topic.name}': {_reason(error)}")
        if came or gone:
            self._set_parameters()

    def _carry(self, topic: TopicInfo) -> None:
        name = self.topic(topic.name)
        if topic.direction == "in":
            if self._outside.policy.commands:
                self._listen(topic, name)
            return
        publication = self.node.advertise(name, topic.type, latched=topic.latched)
        most_hz = self._options.clock_hz if topic.name == "/clock" else 0.0
        self._flow.add(topic.name, topic.type, publication, most_hz)

    def _listen(self, topic: TopicInfo, name: str) -> None:
        channel, convert = self._outside.bus.channel(topic.name), from_ros1(topic.type)
        now_ns = self._outside.now_ns
        self.node.subscribe(name, topic.type, lambda m: channel.publish(convert(m), now_ns()))

    def _drop(self, name: str) -> None:
        self._flow.remove(name)
        self.node.unadvertise(name)
        self.node.unsubscribe(name)

    def _set_parameters(self) -> None:
        values: Data = {}
        if self._options.sim_time:
            values["/use_sim_time"] = True
        for robot in self._outside.robots():
            space = resolve(f"{self._options.namespace}/{robot.namespace}", "/").rstrip("/")
            values[f"{space}/robot_description"] = robot.urdf
            if robot.frame_prefix:
                values[f"{space}/tf_prefix"] = robot.frame_prefix.rstrip("/")
        self.node.parameters = values

    def _serve_control(self) -> None:
        """Offer our own services in addition to those of gazebo_ros."""
        node = self.node
        for name, kind, handler in ControlServices(self._outside, node.name).rows():
            node.serve(name, kind, handler)
        node.serve(f"{node.name}/get_loggers", "roscpp/GetLoggers", lambda _: {})
        node.serve(f"{node.name}/set_logger_level", "roscpp/SetLoggerLevel", lambda _: {})

    def _say(self, sentence: str) -> None:
        """Report once, on the terminal and on /rosout."""
        speaker("ros1 bridge")(sentence)
        seconds, rest = divmod(self._outside.now_ns(), NS_PER_S)
        message = new(_LOG, level=_WARN, name=self.node.name, msg=sentence, file="", function="")
        message.header.stamp.sec, message.header.stamp.nanosec = seconds, rest
        for publication in self._rosout:
            publication.send(serialize(message, _LOG))

    def _gather(self, message: Message) -> None:
        """Forward what other nodes log to /rosout_agg."""
        self._rosout[-1].send(serialize(message, _LOG))


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, OutriderError) else f"{error!r:.120}"


def _place(host: str) -> tuple[str, str]:
    """Return where to listen and the public host name: by default this machine only."""
    told = host or os.environ.get("ROS_HOSTNAME") or os.environ.get("ROS_IP") or ""
    if ":" in told or "/" in told:
        raise BridgeError(f"ros1: host: expected a name or an IPv4 address, got '{told}'")
    if told in ("", "localhost"):
        return "127.0.0.1", "localhost"
    if is_loopback(told):
        return told, told
    return "0.0.0.0", told  # the user says that others may come
