"""Rate, phase, latency, jitter and loss for all sensors, in one place."""

import heapq
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from outrider.bus.channel import Channel
from outrider.core.clock import Schedule
from outrider.messages.types import Message
from outrider.sensors.sensor import Sensor, Writer


@dataclass(frozen=True, slots=True)
class Delivery:
    """What happens to a message on its way: delay, its jitter, loss."""

    latency_ns: int = 0
    jitter_ns: int = 0  # standard deviation
    dropout: float = 0.0  # share lost

    @property
    def at_once(self) -> bool:
        """Whether every message comes, without delay."""
        return not (self.latency_ns or self.jitter_ns or self.dropout)


@dataclass(slots=True, eq=False)
class Sampled:
    """A sensor that speaks on its topics at its own rate, some time after it measured."""

    sensor: Sensor
    outputs: list[tuple[Channel, Writer]]
    schedule: Schedule
    delivery: Delivery = Delivery()
    random: np.random.Generator | None = None
    name: str = ""
    taken: int = 0  # measurements so far
    _late: deque[tuple[int, int, Channel, Message]] = field(default_factory=deque)
    _first: Any = None  # the generator's state at the start

    def __post_init__(self) -> None:
        if self.random is not None:
            self._first = self.random.bit_generator.state

    def measure(self, now_ns: int) -> None:
        """Take a measurement, and speak at once or later."""
        self.sensor.sample(now_ns)
        self.taken += 1
        if self.delivery.at_once:
            for channel, write in self.outputs:
                channel.offer(write, now_ns)
        else:
            self._send(now_ns)

    def _send(self, now_ns: int) -> None:
        """Put messages on their way; they arrive in order, and some never."""
        way, random = self.delivery, self.random
        assert random is not None, "delays and losses need a generator"
        lost, early = random.random(), random.standard_normal()
        if lost < way.dropout:
            return
        due_ns = now_ns + max(0, way.latency_ns + round(way.jitter_ns * early))
        if self._late:
            due_ns = max(due_ns, self._late[-1][0])
        for channel, write in self.outputs:
            self._late.append((due_ns, now_ns, channel, write(now_ns)))

    def speak(self, now_ns: int) -> None:
        """Publish what has waited long enough."""
        while self._late and self._late[0][0] <= now_ns:
            _, measured_ns, channel, message = self._late.popleft()
            channel.publish(message, measured_ns)

    def reset(self) -> None:
        """Start again."""
        self.sensor.reset()
        self.schedule.reset()
        self.taken = 0
        self._late.clear()
        if self.random is not None:
            self.random.bit_generator.state = self._first


class Sampler:
    """All sensors of a simulation: looks only at the next due time in most steps."""

    def __init__(self, sensors: list[Sampled]) -> None:
        self.sensors = sensors
        self._delayed = [sensor for sensor in sensors if not sensor.delivery.at_once]
        self.reset()

    def reset(self) -> None:
        """Start all sensors again."""
        for sensor in self.sensors:
            sensor.reset()
        self.line_up()

    def line_up(self) -> None:
        """Put all sensors in the order of their next measurements."""
        self._queue = [(s.schedule.next_ns, i) for i, s in enumerate(self.sensors)]
        heapq.heapify(self._queue)

    def measure(self, now_ns: int) -> None:
        """Let the sensors measure that are due."""
        queue = self._queue
        while queue and queue[0][0] <= now_ns:
            index = queue[0][1]
            sensor = self.sensors[index]
            sensor.schedule.due(now_ns)
            heapq.heapreplace(queue, (sensor.schedule.next_ns, index))
            sensor.measure(now_ns)

    def speak(self, now_ns: int) -> None:
        """Publish delayed measurements whose time has come."""
        for sensor in self._delayed:
            sensor.speak(now_ns)
