"""Rate, phase, latency, jitter and loss, implemented once for all sensors."""

import heapq
from collections import deque
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from outrider.bus.channel import Channel
from outrider.core.clock import Schedule
from outrider.core.seeds import generator_state, set_generator_state
from outrider.core.state import Later, State, StateGroup
from outrider.messages.message_state import message_of, message_state
from outrider.messages.types import Message
from outrider.sensors.sensor import Sensor, Writer


@dataclass(frozen=True, slots=True)
class Delivery:
    """What happens to a message in transit: latency, jitter, loss."""

    latency_ns: int = 0
    jitter_ns: int = 0  # standard deviation
    dropout: float = 0.0  # share lost
    at_once: bool = field(init=False)  # whether every message is delivered without delay

    def __post_init__(self) -> None:
        at_once = not (self.latency_ns or self.jitter_ns or self.dropout)
        object.__setattr__(self, "at_once", at_once)


@dataclass(slots=True, eq=False)
class Pending:
    """A message whose measurement continues in parallel with the simulation."""

    output: str
    _write: Callable[[str], Message] | None
    _message: Message | None = None

    def message(self) -> Message:
        """Wait for it; in any thread."""
        write = self._write
        if write is not None:
            self._message = write(self.output)
            self._write = None  # which holds the whole scene
        return self._message


_Late: TypeAlias = Message | Pending | None  # None: nobody wanted it


@dataclass(slots=True, eq=False)
class Sampled:
    """A sensor that publishes on its topics at its own rate, after its latency."""

    sensor: Sensor
    outputs: list[tuple[Channel, Writer]]
    schedule: Schedule
    delivery: Delivery = Delivery()
    random: np.random.Generator | None = None
    name: str = ""
    made_of: object = None  # what tells sensors of one kind apart
    taken: int = 0  # measurements so far
    _late: deque[tuple[int, int, Channel, _Late]] = field(default_factory=deque)
    _owed: Callable[[], State] | None = None  # what it goes on from, when it is needed

    @property
    def exposes(self) -> bool:
        """Whether its measurements run in parallel."""
        return self.sensor.exposes

    def measure(self, now_ns: int) -> None:
        """Take a measurement, and publish it now or later."""
        if self._owed is not None:
            self.settle()
        self.sensor.sample(now_ns)
        self.taken += 1
        if self.exposes:
            self._expose(now_ns)
        elif self.delivery.at_once:
            for channel, write in self.outputs:
                channel.offer(write, now_ns)
        else:
            self._send(now_ns)

    def look_ahead(self, now_ns: int) -> None:
        """Let the sensor prepare its next measurement, if anybody will want it."""
        if not self.delivery.at_once or any(channel.wanted for channel, _ in self.outputs):
            self.settle()
            self.sensor.look_ahead(now_ns)

    def rehearse(self, *, all_of_it: bool) -> None:
        """Make what is wanted once for nobody: the first time takes long (renderers, shaders).

        ``all_of_it``: also what is not wanted yet, to see that it can be made.
        """
        pairs = zip(self.sensor.outputs, self.outputs, strict=True)
        wanted = [name for name, (channel, _) in pairs if channel.wanted or all_of_it]
        if self.exposes and wanted:
            self.sensor.expose(frozenset(wanted))(wanted[0])

    def _send(self, now_ns: int) -> None:
        """Put messages on their way; they arrive in order, and some never."""
        due_ns = self._due(now_ns)
        if due_ns is not None:
            for channel, write in self.outputs:
                self._late.append((due_ns, now_ns, channel, write(now_ns)))

    def _expose(self, now_ns: int) -> None:
        """Begin what is wanted; it is waited for when it is due, as late as can be."""
        due_ns = now_ns if self.delivery.at_once else self._due(now_ns)
        if due_ns is None:
            return
        names = list(self.sensor.outputs)
        pairs = [(name, channel) for name, (channel, _) in zip(names, self.outputs, strict=True)]
        wanted = frozenset(name for name, channel in pairs if channel.wanted)
        write = self.sensor.expose(wanted) if wanted else None
        for name, channel in pairs:
            item = Pending(name, write) if write and name in wanted else None
            self._late.append((due_ns, now_ns, channel, item))

    def _due(self, now_ns: int) -> int | None:
        """Return when a measurement arrives; None if it gets lost."""
        way, random = self.delivery, self.random
        assert random is not None, "delays and losses need a generator"
        lost, early = random.random(), random.standard_normal()
        if lost < way.dropout:
            return None
        due_ns = now_ns + max(0, way.latency_ns + round(way.jitter_ns * early))
        return max(due_ns, self._late[-1][0]) if self._late else due_ns

    def speak(self, now_ns: int) -> None:
        """Publish messages whose latency is over."""
        while self._late and self._late[0][0] <= now_ns:
            _, measured_ns, channel, item = self._late.popleft()
            if item is None:
                channel.count += 1
            else:
                channel.publish(_finished(item), measured_ns, now_ns)

    def is_like(self, other: "Sampled") -> bool:
        """Return whether it is built like another one and can take over its state."""
        mine, theirs = self.schedule, other.schedule
        return (
            type(self.sensor) is type(other.sensor)
            and self.made_of == other.made_of
            and (mine.rate_hz, mine.phase_ns) == (theirs.rate_hz, theirs.phase_ns)
        )

    def get_state(self) -> State:
        """Return the state of sensor and schedule, and the delayed messages."""
        self.settle()
        return State(
            sensor=self.sensor.get_state(),
            schedule=self.schedule.get_state(),
            taken=self.taken,
            random=None if self.random is None else generator_state(self.random),
            late=[self._late_state(*late) for late in self._late],
        )

    def _late_state(self, due_ns: int, measured_ns: int, channel: Channel, item: _Late) -> State:
        """Return a delayed message; nobody waits for its measurement here."""
        return State(
            due_ns=due_ns,
            measured_ns=measured_ns,
            output=[channel for channel, _ in self.outputs].index(channel),
            message=None if item is None else Later(lambda: message_state(_finished(item))),
        )

    def take_over(self, other: "Sampled", state: Callable[[], State]) -> None:
        """Go on in place of one that is built alike, and finish what it has begun.

        Its ``state``, which does not change any more, is read when it is needed: in most steps no
        sensor is due, so nobody waits for all of them at once.
        """
        self._owed = state
        self.schedule.follow(other.schedule)
        self.taken = other.taken
        mine = {
            theirs: channel
            for (theirs, _), (channel, _) in zip(other.outputs, self.outputs, strict=True)
        }
        self._late = deque((due, measured, mine[c], item) for due, measured, c, item in other._late)

    def settle(self) -> None:
        """Go on from the state of the one that it took over from, if it did not yet."""
        owed = self._owed
        if owed is not None:
            self._set_sensor(owed())
            self._owed = None  # only now: another thread that asks meanwhile must not go on without

    def set_state(self, state: State) -> None:
        """Restore that state."""
        self._owed = None
        self._set_sensor(state)
        self.schedule.set_state(state.part("schedule"))
        self.taken = state.integer("taken")
        self._late = deque(self._underway(late) for late in state.parts("late"))

    def _set_sensor(self, state: State) -> None:
        self.sensor.set_state(state.part("sensor"))
        if state.has("random") and self.random is not None:
            set_generator_state(self.random, state.part("random"))

    def _underway(self, late: State) -> tuple[int, int, Channel, _Late]:
        item = message_of(late.part("message")) if late.has("message") else None
        channel = self.outputs[late.integer("output")][0]
        return late.integer("due_ns"), late.integer("measured_ns"), channel, item


def _finished(item: Message | Pending) -> Message:
    return item.message() if isinstance(item, Pending) else item


class Sampler:
    """All sensors of a simulation; most steps check only the next due time."""

    def __init__(self, sensors: list[Sampled]) -> None:
        self.sensors = sensors
        self._delayed = [s for s in sensors if s.exposes or not s.delivery.at_once]
        self._ahead = [s for s in sensors if s.sensor.looks_ahead]
        self.line_up()

    @property
    def named(self) -> dict[str, Sampled]:
        """All sensors by name; duplicate names are numbered."""
        found: dict[str, Sampled] = {}
        for sensor in self.sensors:
            same = sum(other.name == sensor.name for other in found.values())
            found[f"{sensor.name} {same + 1}" if same else sensor.name] = sensor
        return found

    def rehearse(self, doubtful: Container[str]) -> None:
        """Prepare the sensors whose first measurement takes long; in any thread, before a start.

        Of ``doubtful`` ones, by name, all is made once, also what nobody wants yet.
        """
        for name, sensor in self.named.items():
            sensor.rehearse(all_of_it=name in doubtful)

    def get_state(self) -> State:
        """Return the states of all sensors by name."""
        return StateGroup(self.named).get_state()

    def last_state(self) -> State:
        """Return the same of sensors that will not measure any more: worked out later."""
        return State({name: Later(sampled.get_state) for name, sampled in self.named.items()})

    def set_state(self, state: State) -> None:
        """Restore the states of all sensors."""
        StateGroup(self.named).set_state(state)
        self.line_up()

    def line_up(self) -> None:
        """Sort all sensors by their next measurement; those that are always due together as one."""
        together: dict[tuple[float, int, int], list[int]] = {}
        for i, sampled in enumerate(self.sensors):
            schedule = sampled.schedule
            key = (schedule.rate_hz, schedule.phase_ns, schedule.next_ns)
            together.setdefault(key, []).append(i)
        self._queue = [(key[2], members[0], members) for key, members in together.items()]
        heapq.heapify(self._queue)

    def _due(self, now_ns: int) -> list[int]:
        """Return the sensors that are due, in the order of their due times and then their own."""
        queue, due = self._queue, []
        while queue and queue[0][0] <= now_ns:
            due_ns, first, members = queue[0]
            schedule = self.sensors[first].schedule
            schedule.due(now_ns)
            heapq.heapreplace(queue, (schedule.next_ns, first, members))
            for i in members[1:]:
                self.sensors[i].schedule.follow(schedule)
            due.append((due_ns, members))
        if len(due) == 1:
            return due[0][1]
        return [i for _, i in sorted((due_ns, i) for due_ns, members in due for i in members)]

    def measure(self, now_ns: int) -> None:
        """Let the sensors that are due measure."""
        if self._queue and self._queue[0][0] <= now_ns:
            for i in self._due(now_ns):
                self.sensors[i].measure(now_ns)
        for sensor in self._ahead:
            sensor.look_ahead(now_ns)

    def speak(self, now_ns: int) -> None:
        """Publish delayed measurements that are due."""
        for sensor in self._delayed:
            sensor.speak(now_ns)
