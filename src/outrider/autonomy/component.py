"""The contract of every component: messages in, messages out, and its health."""

from collections.abc import Iterable, Mapping
from typing import ClassVar, Protocol, TypeAlias

from outrider.autonomy.health import Health
from outrider.messages.types import Message

Output: TypeAlias = tuple[str, Message]  # the port, and what is said there


class Component(Protocol):
    """A part of the stack. Ports are names with a message type; topics are the pipeline's affair.

    A component knows no bus, no thread and no wall clock: the same calls give the same answers,
    whether they come from a live robot or from a list.
    """

    name: str
    inputs: ClassVar[Mapping[str, str]]  # port -> message type
    outputs: ClassVar[Mapping[str, str]]

    @property
    def health(self) -> Health:
        """How well it goes, and why not better."""

    def take(self, port: str, message: Message, time_ns: int) -> Iterable[Output]:
        """Take a message that arrived now, and return what follows from it."""

    def tick(self, now_ns: int) -> Iterable[Output]:
        """Act at a fixed time; most components have nothing to do then."""


class Silent:
    """What most components share: they act on messages alone."""

    def tick(self, now_ns: int) -> Iterable[Output]:  # noqa: ARG002 - the contract's shape
        """Have nothing to do."""
        return ()
