"""Operations on actions: goals with feedback and a result, of the simulation or of a client."""

import itertools
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from outrider.bridges.rosbridge.hub import Hub
from outrider.bridges.rosbridge.offers import Offers
from outrider.bridges.rosbridge.session import (
    ClientSession,
    Fields,
    Operation,
    id_of,
    name_of,
)
from outrider.core.errors import BridgeError, OutriderError

_MOST_EACH = 100  # actions of one client, and goals that are under way
UNKNOWN, EXECUTING, SUCCEEDED, CANCELED, ABORTED = 0, 2, 4, 5, 6  # of action_msgs/GoalStatus


class OwnAction(Protocol):
    """An action that the simulation offers."""

    @property
    def kind(self) -> str:
        """Its type, as package/Name."""

    def pursue(
        self, arguments: object, feedback: Callable[[Fields], None], canceled: threading.Event
    ) -> tuple[int, Fields]:
        """Return the status at the end and the result; looks now and then whether to stop."""


@dataclass(slots=True)
class _Goal:
    """A goal that somebody pursues."""

    caller: ClientSession
    action: str
    ident: str
    wants_feedback: bool
    provider: ClientSession | None = None  # None: the simulation
    canceled: threading.Event = field(default_factory=threading.Event)


class ActionOperations:
    """Actions of the simulation by name, and those that clients offer to each other."""

    def __init__(self, hub: Hub, own: Mapping[str, OwnAction]) -> None:
        self._hub, self._own = hub, own
        self._offers = Offers("action", _MOST_EACH, lambda: own)
        self._goals: dict[str, _Goal] = {}
        self._numbers = itertools.count(1)

    def operations(self) -> dict[str, Operation]:
        """Return them by name."""
        return {
            "advertise_action": self._offers.advertise,
            "unadvertise_action": self._offers.unadvertise,
            "send_action_goal": self._send,
            "cancel_action_goal": self._cancel,
            "action_feedback": self._feedback,
            "action_result": self._result,
        }

    def names(self) -> list[str]:
        """Return all actions."""
        return sorted({*self._own, *self._offers.found})

    def leave(self, session: ClientSession) -> None:
        """Forget a client: its goals are canceled, those that it pursues have failed."""
        self._offers.leave(session)
        for number, goal in list(self._goals.items()):
            if goal.provider is session:
                self._end(number, ABORTED, f"{goal.action}: its provider has left", False)
            elif goal.caller is session:
                self._stop(number, goal)
                del self._goals[number]

    def close(self) -> None:
        """Stop all that the simulation pursues."""
        for goal in list(self._goals.values()):
            goal.canceled.set()

    def _send(self, session: ClientSession, message: Fields) -> None:
        name = name_of(message, "action")
        goal = _Goal(session, name, id_of(message), message.get("feedback") is True)
        number = f"action_goal:{name}:{next(self._numbers)}"
        if sum(other.caller is session for other in self._goals.values()) >= _MOST_EACH:
            _tell(goal, UNKNOWN, f"{_MOST_EACH} goals are under way", False)
        elif name in self._offers.found:
            self._goals[number] = goal
            self._forward(number, goal, message)
        elif any(other.action == name and not other.provider for other in self._goals.values()):
            _tell(goal, UNKNOWN, f"{name}: another goal is being pursued", False)
        elif name in self._own:
            self._goals[number] = goal
            self._pursue(number, goal, self._own[name], message.get("args"))
        else:
            hint = session.hint(name, self.names())
            _tell(goal, UNKNOWN, f"{name}: there is no such action{hint}", False)

    def _forward(self, number: str, goal: _Goal, message: Fields) -> None:
        goal.provider, kind = self._offers.found[goal.action]
        asked = {
            "action": goal.action,
            "action_type": message.get("action_type") or kind,
            "args": message.get("args") or {},
            "feedback": goal.wants_feedback,
        }
        goal.provider.send({"op": "send_action_goal", "id": number, **asked})

    def _pursue(self, number: str, goal: _Goal, action: OwnAction, arguments: object) -> None:
        hub = self._hub

        def done(end: tuple[int, Fields]) -> None:
            self._end(number, end[0], end[1], True)

        def failed(error: Exception) -> None:
            known = isinstance(error, OutriderError)
            self._end(number, ABORTED, str(error) if known else f"{error!r:.200}", False)

        def progress(values: Fields) -> None:
            hub.soon(self._told, number, values)

        hub.carry_out(lambda: action.pursue(arguments, progress, goal.canceled), done, failed)

    def _cancel(self, session: ClientSession, message: Fields) -> None:
        ident = id_of(message)
        for number, goal in self._goals.items():
            if goal.caller is session and goal.ident == ident:
                self._stop(number, goal)
                return
        raise BridgeError(f"no goal {ident!r:.80} is active")

    def _stop(self, number: str, goal: _Goal) -> None:
        goal.canceled.set()
        if goal.provider is not None and not goal.provider.closed:
            goal.provider.send({"op": "cancel_action_goal", "action": goal.action, "id": number})

    def _feedback(self, session: ClientSession, message: Fields) -> None:
        self._of_provider(session, message)
        self._told(id_of(message), message.get("values", {}))

    def _told(self, number: str, values: object) -> None:
        goal = self._goals.get(number)
        if goal is not None and goal.wants_feedback and not goal.caller.closed:
            told = {"action": goal.action, "id": goal.ident, "values": values}
            goal.caller.send({"op": "action_feedback", **told})

    def _result(self, session: ClientSession, message: Fields) -> None:
        self._of_provider(session, message)
        status = message.get("status", SUCCEEDED)
        went = message.get("result", True) is not False
        self._end(id_of(message), status, message.get("values", {}), went)

    def _of_provider(self, session: ClientSession, message: Fields) -> None:
        goal = self._goals.get(id_of(message))
        if goal is None or goal.provider is not session:
            raise BridgeError(f"nobody has set the goal {id_of(message)!r:.80}")

    def _end(self, number: str, status: int, values: object, went: bool) -> None:
        goal = self._goals.pop(number, None)
        if goal is not None:
            _tell(goal, status, values, went)


def _tell(goal: _Goal, status: int, values: object, went: bool) -> None:
    if not goal.caller.closed:
        told = {"action": goal.action, "id": goal.ident, "values": values, "status": status}
        goal.caller.send({"op": "action_result", **told, "result": went})
