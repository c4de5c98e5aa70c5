"""The contract of every component: messages in, messages out, and its health."""

from collections.abc import Iterable, Mapping
from typing import ClassVar, Protocol, TypeAlias

from outrider.autonomy.health import Health
from outrider.messages.types import Message

Output: TypeAlias = tuple[str, Message]  # the port, and what is said there


class StackComponent(Protocol):
    """A part of the stack. Ports have names and message types; the pipeline assigns topics.

    A component knows no bus, no thread and no wall clock: the same calls give the same answers,
    whether they come from a live robot or from a list.
    """

    name: str
    inputs: ClassVar[Mapping[str, str]]  # port -> message type
    outputs: ClassVar[Mapping[str, str]]

    @property
    def health(self) -> Health:
        """How well it works, and the reason if it does not."""

    def take(self, port: str, message: Message, time_ns: int, /) -> Iterable[Output]:
        """Process a message that has just arrived; return the resulting messages."""

    def tick(self, now_ns: int, /) -> Iterable[Output]:
        """Act at a fixed time; most components do nothing."""


class Silent:
    """The default of most components: they act on messages alone."""

    def tick(self, _now_ns: int) -> Iterable[Output]:
        """Do nothing."""
        return ()
