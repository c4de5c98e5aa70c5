"""What a component gets to see: the thing it is on, and the simulation around it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from outrider.bus.mailbox import Stamped, Subscription
from outrider.components.component_state import ComponentState
from outrider.components.entity import Entity
from outrider.components.entity_frame import find_entity
from outrider.components.host import RobotAccess
from outrider.core.clock import to_s
from outrider.core.errors import ComponentError, near_match
from outrider.core.seeds import generator, generator_state, set_generator_state
from outrider.core.state import State
from outrider.messages.message_state import message_of, message_state
from outrider.messages.topics import Kept
from outrider.messages.types import Message

if TYPE_CHECKING:
    from outrider.components.scope import ComponentScope

_MOST_UNREAD = 1000


class Handle(Entity):
    """The ``me`` of a component: what it is on, with time, memory, chance and messages."""

    def __init__(self, scope: "ComponentScope", on: str, name: str) -> None:
        super().__init__(scope, find_entity(scope.host, on))
        self.name = name
        self._boxes: dict[tuple[str, Kept], Subscription] = {}
        self.state = ComponentState(scope.acting)
        self._random = generator(scope.host.seed, "component", name)

    @property
    def time_s(self) -> float:
        """Simulated time since the start."""
        return to_s(self._engine.state.time_ns)

    @property
    def time_ns(self) -> int:
        """Simulated time since the start, in whole nanoseconds."""
        return self._engine.state.time_ns

    @property
    def step_s(self) -> float:
        """The length of a step of the simulation."""
        return self._scope.host.step_s

    @property
    def random(self) -> np.random.Generator:
        """Its own random numbers: they depend on the run's seed and its name alone."""
        self._scope.acting()
        return self._random

    def find(self, name: str) -> Entity:
        """Return another model, link, joint or sensor by its full name."""
        return self._scope.thing(name)

    def robot(self, name: str = "") -> RobotAccess:
        """Return a robot; without a name, the one that it is on."""
        robots = self._scope.host.robots
        wanted = name or self.model
        if wanted not in robots:
            raise ComponentError(f"there is no robot '{wanted}'{near_match(wanted, robots)}")
        return robots[wanted]

    @property
    def robots(self) -> list[str]:
        """The names of all robots."""
        return list(self._scope.host.robots)

    @property
    def models(self) -> list[str]:
        """The names of all models in the world."""
        return list(self._scope.host.assembly.models)

    def publish(self, topic: str, message: Message | Mapping[str, object], type_: str = "") -> None:
        """Publish a message, or a mapping of its fields; a new topic needs its type."""
        self._scope.acting()
        bus = self._scope.host.bus
        if type_ and bus.find(topic) is None:
            bus.declare(topic, type_)
        bus.publish(topic, message, self.time_ns)

    def latest(self, topic: str = "") -> Message | None:
        """Return the newest message of a topic, or of the sensor that it is on, or None.

        It listens from the first call on.
        """
        item = self._box(topic or self._own_topic(), "latest").latest
        return None if item is None else item[1]

    def listen(self, topic: str, type_: str) -> None:
        """Create a topic for others to publish on, and listen to it from now on."""
        self._scope.host.bus.declare(topic, type_, direction="in")
        self._box(topic, "latest")

    def received(self, topic: str) -> list[Message]:
        """Return the messages of a topic that it has not seen yet, oldest first."""
        box, found = self._box(topic, "all"), []
        while (item := box.poll()) is not None:
            found.append(item[1])
        return found

    def remove(self) -> None:
        """Take the model that it is on out of the world, after this step."""
        self._scope.acting()
        self._moving("remove")
        if not self._scope.may_remove:
            raise ComponentError("remove: only in a run or session, which can build a new world")
        self._scope.removals.append(self.model)

    def begin_again(self) -> None:
        """Forget all, and draw the same random numbers again."""
        self.state.forget()
        self._random = generator(self._scope.host.seed, "component", self.name)
        self.close()

    def close(self) -> None:
        """Stop listening."""
        for box in self._boxes.values():
            box.close()
        self._boxes.clear()

    def get_state(self) -> State:
        """Return what it remembers, how far its random numbers are, and its unread messages."""
        boxes = [
            State(topic=topic, all=kept == "all", box=_box_state(box))
            for (topic, kept), box in self._boxes.items()
        ]
        return State(
            notes=self.state.get_state(), random=generator_state(self._random), boxes=boxes
        )

    def set_state(self, state: State) -> None:
        """Go on from there."""
        self.state.set_state(state.part("notes"))
        set_generator_state(self._random, state.part("random"))
        self.close()
        for item in state.parts("boxes"):
            kept: Kept = "all" if item.flag("all") else "latest"
            _restore_box(self._box(item.text("topic"), kept), item.part("box"))

    def _box(self, topic: str, kept: Kept) -> Subscription:
        if (topic, kept) not in self._boxes:
            bus = self._scope.host.bus
            self._boxes[topic, kept] = bus.subscribe(topic, kept=kept, depth=_MOST_UNREAD)
        return self._boxes[topic, kept]

    def _own_topic(self) -> str:
        if self._place.topic:
            return self._place.topic
        raise ComponentError("latest: give a topic; only a component on a sensor has a default")


def _box_state(box: Subscription) -> State:
    latest = box.latest
    newest = None if latest is None else message_state(latest[1])
    return State(
        box.get_state(),
        latest=newest,
        time_ns=0 if latest is None else latest[0],
        published_ns=0 if latest is None else latest.published_ns,
    )


def _restore_box(box: Subscription, state: State) -> None:
    box.set_state(state)
    times = state.integer("time_ns"), state.integer("published_ns")
    if state.has("latest"):
        box.latest = Stamped((times[0], message_of(state.part("latest")))).late(times[1])
