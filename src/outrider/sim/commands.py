"""Command topics of one robot: everything received on the bus goes to its controller."""

import threading
from collections.abc import Callable
from pathlib import Path

from outrider.bus.bus import Bus
from outrider.bus.mailbox import Subscription
from outrider.core.errors import ConfigError, near_match
from outrider.core.state import State
from outrider.messages.topics import TOPICS
from outrider.messages.types import Message
from outrider.vehicles.command import CommandInput
from outrider.vehicles.curves import CURVES, Curve, find_curve
from outrider.vehicles.vehicle import Vehicle

Handler = Callable[[Message, int], None]


class CommandTopics:
    """Subscribes to a robot's command topics; ``wake`` signals that a command has arrived."""

    def __init__(
        self, vehicle: Vehicle, bus: Bus, names: dict[str, str], wake: threading.Event
    ) -> None:
        self.names = [names[key] for key in _handlers(vehicle)]
        self._boxes: list[tuple[Subscription, Handler]] = []
        self._wake = wake
        for key, handler in _handlers(vehicle).items():
            topic = TOPICS[key]
            bus.declare(names[key], topic.type, direction="in")
            self._boxes.append((bus.subscribe(names[key], kept="latest", wake=wake), handler))

    def take(self, now_ns: int) -> bool:
        """Forward the newest messages; return whether there were any."""
        taken = False
        for box, handler in self._boxes:
            item = box.poll()
            if item is not None:
                handler(item[1], now_ns)
                taken = True
        return taken

    def get_state(self) -> State:
        """Return the messages that wait."""
        return State(boxes=[box.get_state() for box, _ in self._boxes])

    def set_state(self, state: State) -> None:
        """Let others wait in their place."""
        for (box, _), waiting in zip(self._boxes, state.parts("boxes"), strict=True):
            box.set_state(waiting)
            if box.waiting:
                self._wake.set()

    def close(self) -> None:
        """Stop listening."""
        for box, _ in self._boxes:
            box.close()


def _handlers(vehicle: Vehicle) -> dict[str, Handler]:
    target = vehicle.controller.input
    handlers: dict[str, Handler] = {
        "cmd_vel": lambda m, now: target.twist(m.linear.x, m.angular.z, now),
        "cmd_vel_stamped": lambda m, now: target.twist(m.twist.linear.x, m.twist.angular.z, now),
    }
    for key, name in vehicle.robot.drivetrain.curves.items():
        if key not in TOPICS or TOPICS[key].direction != "in":
            known = [name for name, topic in TOPICS.items() if topic.direction == "in"]
            raise ConfigError(
                f"{vehicle.robot.spec.name}: drivetrain.curves: there is no command topic"
                f" '{key}'{near_match(key, known)}"
            )
        # a robot's own curve comes with its path, one of the library without
        path = Path(name)
        curve = find_curve(path.name, path.parent if path.is_absolute() else CURVES)
        handlers[key] = _through(curve, key, target)
    return handlers


def _through(curve: Curve, key: str, target: CommandInput) -> Handler:
    """Return a handler that reads a value through a curve, for steering or for speed."""
    take = target.steering if key.startswith("steering") else target.speed
    field = "data" if TOPICS[key].type.startswith("std_msgs/") else "value"

    def handle(message: Message, now_ns: int) -> None:
        value = float(getattr(message, field))
        take(curve(value) if value == value else value, now_ns)  # NaN is counted there

    return handle
