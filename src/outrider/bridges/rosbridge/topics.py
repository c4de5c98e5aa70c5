"""Operations on topics: advertise, publish, subscribe, and their opposites."""

from collections.abc import Collection

from outrider.bridges.rosbridge.encoding.forms import form_of
from outrider.bridges.rosbridge.encoding.reading import read_message
from outrider.bridges.rosbridge.hub import Hub
from outrider.bridges.rosbridge.session import (
    ClientSession,
    Fields,
    Operation,
    id_of,
    name_of,
    text_of,
)
from outrider.bridges.rosbridge.subscription import ClientSubscription, subscribe_request
from outrider.core.errors import BridgeError, BusError
from outrider.messages.store import full_name

_MOST_EACH = 500  # topics of one client, and ids that it gives one of them
_MOST_MADE = 300  # topics that clients may add


class TopicOperations:
    """The topics of the bus, and those that clients add to it."""

    def __init__(self, hub: Hub) -> None:
        self._hub, self._bus = hub, hub.outside.bus
        self._made: dict[str, int] = {}  # topics that clients added: by how many advertised now

    def operations(self) -> dict[str, Operation]:
        """Return them by name."""
        return {
            "advertise": self._advertise,
            "unadvertise": self._unadvertise,
            "publish": self._publish,
            "subscribe": self._subscribe,
            "unsubscribe": self._unsubscribe,
        }

    def made(self) -> set[str]:
        """Return the topics that clients added."""
        return set(self._made)

    def leave(self, session: ClientSession) -> None:
        """Forget a client."""
        for topic in list(session.advertised):
            self._withdraw(session, topic)
        for subscription in session.outbox.subscriptions.values():
            self._hub.fanout.remove(subscription)
        session.outbox.subscriptions.clear()

    def _advertise(self, session: ClientSession, message: Fields) -> None:
        name, spelling = name_of(message, "topic"), text_of(message, "type")
        self._hub.outside.policy.admit_commands(f"'{name:.80}'")
        full = full_name(spelling)
        session.form = form_of(spelling)
        _room(session.advertised, name)
        _room(session.advertised.get(name, ()), id_of(message))
        channel = self._bus.find(name)
        if channel is None:
            self._make(name, full, bool(message.get("latch")))
        elif channel.type != full:
            raise BridgeError(f"topic '{name}' carries {channel.type}, not {full}")
        elif channel.direction != "in":
            raise BridgeError(f"topic '{name}' is published by the simulation, not to it")
        if name not in session.advertised and name in self._made:
            self._made[name] += 1
        session.advertised.setdefault(name, set()).add(id_of(message))

    def _make(self, name: str, full: str, latched: bool) -> None:
        if len(self._made) >= _MOST_MADE:
            raise BridgeError(f"clients have added {_MOST_MADE} topics, which is the maximum")
        self._bus.declare(name, full, latched=latched, kept="all", direction="in")
        self._made[name] = 0

    def _unadvertise(self, session: ClientSession, message: Fields) -> None:
        name, ids = name_of(message, "topic"), session.advertised.get(name_of(message, "topic"))
        if ids is None:
            raise BridgeError(f"topic '{name}' was not advertised")
        ids.discard(id_of(message))
        if not ids or not message.get("id"):
            self._withdraw(session, name)

    def _withdraw(self, session: ClientSession, name: str) -> None:
        session.advertised.pop(name, None)
        if name in self._made:
            self._made[name] -= 1
            if self._made[name] <= 0:
                del self._made[name]
                self._bus.retire(name)

    def _publish(self, session: ClientSession, message: Fields) -> None:
        name = name_of(message, "topic")
        self._hub.outside.policy.admit_commands(f"'{name:.80}'")
        channel = self._bus.find(name)
        if channel is None:
            hint = session.hint(name, (topic.name for topic in self._bus.topics()))
            raise BridgeError(f"there is no topic '{name:.80}'{hint}")
        if channel.direction != "in":
            raise BridgeError(f"topic '{name}' is published by the simulation, not to it")
        now_ns = self._hub.outside.now_ns()
        channel.publish(read_message(channel.type, message.get("msg", {}), now_ns), now_ns)

    def _subscribe(self, session: ClientSession, message: Fields) -> None:
        name = name_of(message, "topic")
        _room(session.wishes, name)
        self._check_type(session, name, message.get("type"))
        wanted = subscribe_request(message, session.form, None, session.peer.binary)
        wishes, ident = session.wishes.setdefault(name, {}), id_of(message)
        _room(wishes, ident)
        wishes.pop(ident, None)
        wishes[ident] = wanted
        self._serve(session, name)

    def _check_type(self, session: ClientSession, name: str, spelling: object) -> None:
        if not isinstance(spelling, str) or not spelling:
            return
        session.form = form_of(spelling)
        full, channel = full_name(spelling), self._bus.find(name)
        if channel is not None and channel.type != full:
            raise BridgeError(f"topic '{name}' carries {channel.type}, not {full}")

    def _serve(self, session: ClientSession, name: str) -> None:
        """Let the stream of a topic follow all that the client has asked for."""
        first, *more = session.wishes[name].values()
        for one in more:
            first = first | one
        subscription = session.outbox.subscriptions.get(name)
        if subscription is not None:
            subscription.change(first)
            return
        subscription = ClientSubscription(name, session, first)
        try:
            self._hub.fanout.add(subscription)
        except BusError:
            del session.wishes[name]
            raise
        session.outbox.subscriptions[name] = subscription

    def _unsubscribe(self, session: ClientSession, message: Fields) -> None:
        name = name_of(message, "topic")
        wishes = session.wishes.get(name)
        if wishes is None:
            raise BridgeError(f"topic '{name}' was not subscribed to")
        # an id that nobody knows is what older roslib says when it means its only subscription
        if wishes.pop(id_of(message), None) is None or not message.get("id"):
            wishes.clear()
        if wishes:
            self._serve(session, name)
            return
        del session.wishes[name]
        subscription = session.outbox.subscriptions.pop(name, None)
        if subscription is not None:
            self._hub.fanout.remove(subscription)


def _room(held: Collection[str], name: str) -> None:
    if name not in held and len(held) >= _MOST_EACH:
        raise BridgeError(f"a client may have at most {_MOST_EACH} of these")
