"""What a robot's file or a scenario's entry refers to by name must exist: links, topics."""

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from outrider.core.errors import ConfigError, near_match
from outrider.messages.topics import TOPICS
from outrider.specs.sensor import SensorEntry
from outrider.world.model import Light, Model


class Refers(Protocol):
    """A robot's file, or a robot in a scenario."""

    @property
    def sensors(self) -> tuple[SensorEntry, ...]:
        """The sensors on its links."""

    @property
    def lamps(self) -> tuple[Light, ...]:
        """The lamps on its links."""

    @property
    def topics(self) -> Mapping[str, str]:
        """Names by key of the topic table."""

    @property
    def rates(self) -> Mapping[str, float]:
        """Rates by key of the topic table."""


def check_names(part: Refers, model: Model, prefix: str) -> None:
    """Refuse unknown links and topics; a prefix such as ``a: robots.0.`` makes keys complete."""
    links = [link.name for link in model.links]
    for number, sensor in enumerate(part.sensors):
        _check(
            [sensor.link] if sensor.link else [], links, "link", f"{prefix}sensors.{number}.link"
        )
    for number, lamp in enumerate(part.lamps):
        _check([lamp.link] if lamp.link else [], links, "link", f"{prefix}lamps.{number}.link")
    _check(part.topics, TOPICS, "topic", f"{prefix}topics")
    _check(part.rates, TOPICS, "topic", f"{prefix}rates")


def _check(names: Iterable[str], known: Collection[str], what: str, where: str) -> None:
    for name in names:
        if name not in known:
            raise ConfigError(
                f"{where}: there is no {what} '{name}'{near_match(name, known)};"
                f" known: {', '.join(known)}"
            )
