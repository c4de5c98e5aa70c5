"""Rate, phase and latency for all sensors, in one place."""

import heapq
from collections import deque
from dataclasses import dataclass, field

from outrider.bus.channel import Channel
from outrider.core.clock import Schedule
from outrider.messages.types import Message
from outrider.sensors.sensor import Sensor, Writer


@dataclass(slots=True, eq=False)
class Sampled:
    """A sensor that speaks on its topics at its own rate, some time after it measured."""

    sensor: Sensor
    outputs: list[tuple[Channel, Writer]]
    schedule: Schedule
    latency_ns: int = 0
    _late: deque[tuple[int, int, Channel, Message]] = field(default_factory=deque)

    def measure(self, now_ns: int) -> None:
        """Take a measurement, and speak at once or later."""
        self.sensor.sample(now_ns)
        for channel, write in self.outputs:
            if self.latency_ns:
                due_ns = now_ns + self.latency_ns
                self._late.append((due_ns, now_ns, channel, write(now_ns)))
            else:
                channel.offer(write, now_ns)

    def speak(self, now_ns: int) -> None:
        """Publish what has waited long enough."""
        while self._late and self._late[0][0] <= now_ns:
            _, measured_ns, channel, message = self._late.popleft()
            channel.publish(message, measured_ns)

    def reset(self) -> None:
        """Start again."""
        self.sensor.reset()
        self.schedule.reset()
        self._late.clear()


class Sampler:
    """All sensors of a simulation: looks only at the next due time in most steps."""

    def __init__(self, sensors: list[Sampled]) -> None:
        self.sensors = sensors
        self._delayed = [sensor for sensor in sensors if sensor.latency_ns]
        self.reset()

    def reset(self) -> None:
        """Start all sensors again."""
        for sensor in self.sensors:
            sensor.reset()
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
