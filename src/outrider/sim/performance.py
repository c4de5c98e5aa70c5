"""How well the simulation keeps up with the wall clock, for /performance_metrics."""

import time

from outrider.bus.bus import Bus
from outrider.messages.topics import TOPICS
from outrider.messages.types import header, message_class
from outrider.sim.pacing import Pacer
from outrider.sim.simulation import Simulation

_TOPIC = TOPICS["performance_metrics"]


class Performance:
    """Counts steps and their time; publishes once a second of wall time."""

    def __init__(self, simulation: Simulation, pacer: Pacer, bus: Bus) -> None:
        self._simulation = simulation
        self._pacer = pacer
        self._channel = bus.declare(_TOPIC.name, _TOPIC.type, rate_hz=_TOPIC.rate_hz)
        self.real_time_factor = 0.0
        self._sim_s = self._wall_s = 1.0  # of the last interval
        self.start()

    def renew(self, simulation: Simulation) -> None:
        """Continue with another simulation."""
        self._simulation = simulation
        self.start()

    def start(self) -> None:
        """Begin an interval."""
        self._since_s = time.perf_counter()
        self._sim_ns = self._simulation.time_ns
        self._steps = 0
        self._busy_s = self._longest_s = 0.0
        self._taken = [sensor.taken for sensor in self._simulation.sensors]

    def count(self, took_s: float) -> None:
        """Note a step, and speak when a second is over."""
        self._steps += 1
        self._busy_s += took_s
        if took_s > self._longest_s:
            self._longest_s = took_s

    def speak_if_due(self, now_s: float) -> None:
        """Publish once a second."""
        if now_s - self._since_s >= 1.0 / _TOPIC.rate_hz:
            self._sim_s = (self._simulation.time_ns - self._sim_ns) * 1e-9
            self._wall_s = now_s - self._since_s
            self.real_time_factor = self._sim_s / self._wall_s
            self._channel.offer(self._message, self._simulation.time_ns)
            self.start()

    def _message(self, now_ns: int) -> object:
        robots = self._simulation.robots.values()
        return message_class(_TOPIC.type)(
            header=header(now_ns, ""),
            real_time_factor=self.real_time_factor,
            step_time_mean_s=self._busy_s / max(1, self._steps),
            step_time_max_s=self._longest_s,
            dropped_time_s=self._pacer.dropped_s,
            lag_s=self._pacer.lag_s,
            steps=self._simulation.steps,
            ignored_commands=sum(robot.ignored_commands for robot in robots),
            sensors=self._sensor_rates(),
        )

    def _sensor_rates(self) -> list[object]:
        """Return how often each sensor measured, per second of simulated and of wall time."""
        kind = message_class("outrider_msgs/msg/SensorPerformanceMetric")
        counts = zip(self._simulation.sensors, self._taken, strict=True)
        return [
            kind(
                sensor.name,
                (sensor.taken - before) / max(self._sim_s, 1e-9),
                (sensor.taken - before) / self._wall_s,
                sensor.schedule.rate_hz,
            )
            for sensor, before in counts
        ]
