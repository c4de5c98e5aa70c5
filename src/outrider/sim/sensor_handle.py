"""A sensor as user code in Python sees it: its topics, and its newest message."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TypeAlias

from outrider.bus.bus import Bus
from outrider.bus.mailbox import Subscription
from outrider.core.clock import NS_PER_S
from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Pose
from outrider.messages.types import Message
from outrider.sensors.sampling import Sampled
from outrider.sensors.site import Site

Lock: TypeAlias = AbstractContextManager[object]


class UnknownSensorError(ConfigError, KeyError):
    """A sensor that a robot does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


class SensorHandle:
    """One sensor. It is subscribed to from its first access."""

    def __init__(
        self,
        name: str,
        sampled: Sampled,
        bus: Bus,
        step_ns: int,
        turn: Lock,
        site: Site | None = None,
    ) -> None:
        """``turn`` is held during steps: another thread may read in between."""
        self.name, self._turn, self._site = name, turn, site
        self._sampled, self._bus, self._step_ns = sampled, bus, step_ns
        outputs = list(sampled.sensor.outputs) if len(sampled.outputs) > 1 else [name]
        self._outputs = dict(zip(outputs, sampled.outputs, strict=True))
        self._boxes: dict[str, Subscription] = {}

    @property
    def pose(self) -> Pose | None:
        """Its true pose in the world, its mounting error included; None if it has no place."""
        if self._site is None:
            return None
        with self._turn:
            return self._site.pose

    @property
    def topics(self) -> dict[str, str]:
        """Its topics by output name; ``latest`` is of the first."""
        return {output: channel.name for output, (channel, _) in self._outputs.items()}

    @property
    def latest(self) -> Message | None:
        """The newest message of its first output, or None before it has measured."""
        return self.output(next(iter(self._outputs)))

    def output(self, name: str) -> Message | None:
        """Return the newest message of one of its outputs."""
        topics = self.topics
        if name not in topics:
            known = ", ".join(topics)
            hint = near_match(name, topics)
            raise UnknownSensorError(
                f"sensor '{self.name}' has no output '{name}'{hint}; it has: {known}"
            )
        self._listen(name)
        item = self._boxes[name].latest
        return item[1] if item else self._written(name)

    def listen(self) -> None:
        """Subscribe to the first output: a camera renders only for subscribers."""
        self._listen(next(iter(self._outputs)))

    def _listen(self, name: str) -> None:
        if name not in self._boxes:
            self._boxes[name] = self._bus.subscribe(self.topics[name], kept="latest")

    def _written(self, name: str) -> Message | None:
        """Write the last measurement down, if it came at once while nobody listened."""
        sampled = self._sampled
        if sampled.exposes or not sampled.taken or not sampled.delivery.at_once:
            return None
        period_ns = NS_PER_S / sampled.schedule.rate_hz
        due_ns = max(0, round(sampled.schedule.next_ns - period_ns) - 2)  # rounding, twice
        measured_ns = -(-due_ns // self._step_ns) * self._step_ns  # in the first step after
        with self._turn:
            sampled.settle()
            return self._outputs[name][1](measured_ns)


class Sensors(Mapping[str, SensorHandle]):
    """The sensors of a robot by name; accessing one subscribes to it."""

    def __init__(self, robot: str, handles: list[SensorHandle]) -> None:
        self._robot = robot
        self._handles = {handle.name: handle for handle in handles}

    def __getitem__(self, name: str) -> SensorHandle:
        if name not in self._handles:
            known = ", ".join(self._handles) or "none"
            hint = near_match(name, self._handles)
            raise UnknownSensorError(
                f"robot '{self._robot}' has no sensor '{name}'{hint}; it has: {known}"
            )
        handle = self._handles[name]
        handle.listen()
        return handle

    def __iter__(self) -> Iterator[str]:
        return iter(self._handles)

    def __len__(self) -> int:
        return len(self._handles)

    def topics(self) -> dict[str, str]:
        """Return all topics: ``imu``, or ``camera/camera_info`` for a further output."""
        found: dict[str, str] = {}
        for name, handle in self._handles.items():
            for number, (output, topic) in enumerate(handle.topics.items()):
                found[f"{name}/{output}" if number else name] = topic
        return found
