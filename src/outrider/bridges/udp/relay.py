"""The ROS side of the UDP Bridge: a bus kept like the simulator's, for any other bridge to serve.

What the simulator lists is declared here; a topic is asked for only while somebody on this bus
listens. What the simulator asks for is taken from this bus and sent back.
"""

import threading
import time

from outrider.bridges.udp.client import RemoteTopic, Take, UdpClient
from outrider.bridges.udp.limits import UdpLimits
from outrider.bus.bus import Bus
from outrider.bus.channel import Channel
from outrider.bus.mailbox import Subscription
from outrider.core.process.service_thread import ServiceThread
from outrider.messages.types import Message

_LOOK_S = 0.1
_DEPTH = 100


class Relay:
    """A simulator's topics on a bus of this process."""

    def __init__(self, simulator: str, *, token: str = "", limits: UdpLimits | None = None) -> None:
        self.bus = Bus()
        self.client = UdpClient(simulator, token=token, limits=limits)
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._boxes: dict[str, Subscription] = {}  # of topics that are sent to the simulator
        self._asked: set[str] = set()  # topics that the simulator is asked for
        self._thread = ServiceThread(self._run, "outrider-udp-relay")
        self.client.subscribe("/clock", lambda message: self._publish("/clock", message))

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Let ``run`` return."""
        self._closed.set()
        self._wake.set()

    def close(self) -> None:
        """Leave the simulator."""
        self.stop()
        self._thread.wait_for_end()
        for box in self._boxes.values():
            box.close()
        self.client.close()

    def run(self) -> None:
        """Wait until ``stop`` is called."""
        self._closed.wait()

    def _run(self) -> None:
        look_s = 0.0
        while not self._closed.is_set():
            self._wake.wait(_LOOK_S)
            self._wake.clear()
            self._forward()
            if time.monotonic() >= look_s:
                look_s = time.monotonic() + _LOOK_S
                self._follow()

    def _follow(self) -> None:
        """Declare what the simulator has or takes; ask for what is listened to."""
        for topic in list(self.client.topics.values()):
            if not topic.command and self.bus.find(topic.name) is None:
                self.bus.declare(
                    topic.name,
                    topic.type,
                    rate_hz=topic.rate_hz,
                    latched=topic.latched,
                    kept="all",
                )
        for name, kind in list(self.client.asked.items()):
            if name not in self._boxes and self.bus.find(name) is None:
                self.bus.declare(name, kind, direction="in", kept="all")
                self._boxes[name] = self.bus.subscribe(
                    name, kept="all", depth=_DEPTH, wake=self._wake
                )
        for topic in list(self.client.topics.values()):
            self._ask(topic)

    def _ask(self, topic: RemoteTopic) -> None:
        channel = self.bus.find(topic.name)
        if channel is None or topic.command or topic.name == "/clock":
            return
        wanted = topic.latched or bool(channel.readers)
        if wanted and topic.name not in self._asked:
            self._asked.add(topic.name)
            self.client.subscribe(topic.name, self._taker(channel))
        elif not wanted and topic.name in self._asked:
            self._asked.discard(topic.name)
            self.client.unsubscribe(topic.name)

    def _taker(self, channel: Channel) -> Take:
        return lambda message: channel.publish(message, self.client.now_ns)

    def _publish(self, name: str, message: Message) -> None:
        channel = self.bus.find(name)
        if channel is not None:
            channel.publish(message, self.client.now_ns)

    def _forward(self) -> None:
        for name, box in self._boxes.items():
            for _ in range(_DEPTH):
                item = box.poll()
                if item is None:
                    break
                self.client.publish(name, item[1])
