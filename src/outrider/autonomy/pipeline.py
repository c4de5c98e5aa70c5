"""Components connected by topics: one message goes in, all resulting messages come out."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from outrider.autonomy.component import Output, StackComponent
from outrider.autonomy.health import Health
from outrider.messages.types import Message, header, message_class

_HEALTH = "outrider_msgs/msg/ComponentHealth"


@dataclass(frozen=True, slots=True)
class WiredComponent:
    """A component, and the topics of its ports."""

    component: StackComponent
    topics: dict[str, str]


@dataclass(frozen=True, slots=True)
class StampedOutput:
    """A message published by a component."""

    topic: str
    message: Message


Incoming: TypeAlias = tuple[str, Message, int]  # topic, message, when it came


class Pipeline:
    """Runs components one after the other: no threads, so the same input gives the same output."""

    def __init__(
        self, placed: Sequence[WiredComponent], health_topic: str = "/autonomy/health"
    ) -> None:
        self.placed = tuple(placed)
        self._health_topic = health_topic
        self._readers: dict[str, list[tuple[WiredComponent, str]]] = {}
        for item in placed:
            for port in item.component.inputs:
                self._readers.setdefault(item.topics[port], []).append((item, port))
        self._healths: dict[str, Health] = {}

    @property
    def outputs(self) -> dict[str, str]:
        """All published topics, with their types."""
        found = {self._health_topic: _HEALTH}
        for item in self.placed:
            for port, kind in item.component.outputs.items():
                found[item.topics[port]] = kind
        return found

    @property
    def inputs(self) -> dict[str, str]:
        """All topics that must come from outside, with their types, in order of the components."""
        made = self.outputs
        return {
            item.topics[port]: kind
            for item in self.placed
            for port, kind in item.component.inputs.items()
            if item.topics[port] not in made
        }

    def feed(self, topic: str, message: Message, time_ns: int) -> list[StampedOutput]:
        """Process a message from outside; return all resulting messages."""
        return self._settle([StampedOutput(topic, message)], time_ns)[1:]

    def tick(self, now_ns: int) -> list[StampedOutput]:
        """Let every component act at a time."""
        said: list[StampedOutput] = []
        for item in self.placed:
            outputs = item.component.tick(now_ns)
            said += self._settle(_named(item, outputs), now_ns)
        return said

    def run(
        self, messages: Iterable[Incoming], tick_ns: int = 50_000_000
    ) -> Iterable[StampedOutput]:
        """Process recorded messages in order, ticking as time passes."""
        next_ns: int | None = None
        for topic, message, time_ns in messages:
            if next_ns is None or abs(time_ns - next_ns) > 3_600_000_000_000:
                next_ns = time_ns
            while next_ns <= time_ns:
                yield from self.tick(next_ns)
                next_ns += tick_ns
            yield from self.feed(topic, message, time_ns)

    def _settle(self, first: list[StampedOutput], time_ns: int) -> list[StampedOutput]:
        """Pass messages on until there are no more."""
        waiting, done = deque(first), []
        while waiting:
            said = waiting.popleft()
            done.append(said)
            for item, port in self._readers.get(said.topic, ()):
                waiting += _named(item, item.component.take(port, said.message, time_ns))
                waiting += self._health_of(item.component, time_ns)
        return done

    def _health_of(self, component: StackComponent, time_ns: int) -> list[StampedOutput]:
        """Publish a component's health if it has changed."""
        health = component.health
        before = self._healths.get(component.name)
        self._healths[component.name] = health
        if before is not None and before.level == health.level:
            return []
        message = message_class(_HEALTH)(
            header(time_ns, ""), component.name, health.level, health.reason
        )
        return [StampedOutput(self._health_topic, message)]


def _named(item: WiredComponent, outputs: Iterable[Output]) -> list[StampedOutput]:
    return [StampedOutput(item.topics[port], message) for port, message in outputs]
