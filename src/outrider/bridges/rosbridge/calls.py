"""Operations on services: call, respond, advertise, unadvertise."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from outrider.bridges.rosbridge.encoding.forms import Form, form_of
from outrider.bridges.rosbridge.hub import Hub
from outrider.bridges.rosbridge.offers import Offers
from outrider.bridges.rosbridge.session import (
    ClientSession,
    Fields,
    Operation,
    id_of,
    identified,
    name_of,
)
from outrider.core.errors import BridgeError, OutriderError

_MOST_EACH = 200  # services of one client
_MOST_CALLS = 64  # of one client that are not answered yet
_PATIENCE_S = 60.0  # with a client that offers a service
_PATIENCE_MOST_S = 3600.0


class OwnService(Protocol):
    """A service that the simulation offers."""

    @property
    def kind(self) -> str:
        """Its type, as package/Name."""

    def answer(self, arguments: object, form: Form) -> Fields:
        """Return the response as JSON can hold it; may take long."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """A call that another client is to answer."""

    caller: ClientSession
    service: str
    ident: object
    provider: ClientSession


class Calls:
    """Services of the simulation by name, and those that clients offer to each other."""

    def __init__(self, hub: Hub, own: Callable[[], dict[str, OwnService]]) -> None:
        self._hub, self._own = hub, own
        self._offers = Offers("service", _MOST_EACH, own)
        self._pending: dict[str, _Pending] = {}
        self._numbers = itertools.count(1)

    def operations(self) -> dict[str, Operation]:
        """Return them by name."""
        return {
            "call_service": self._call,
            "service_response": self._response,
            "advertise_service": self._offers.advertise,
            "unadvertise_service": self._offers.unadvertise,
        }

    def types(self) -> dict[str, str]:
        """Return the types of all services by their names."""
        own = {name: service.kind for name, service in self._own().items()}
        return {**own, **{name: kind for name, (_, kind) in list(self._offers.found.items())}}

    def offered(self) -> set[str]:
        """Return the services that clients offer."""
        return set(self._offers.found)

    def leave(self, session: ClientSession) -> None:
        """Forget a client; who waits for its answers waits no longer."""
        self._offers.leave(session)
        for ident, call in list(self._pending.items()):
            if session in (call.provider, call.caller):
                del self._pending[ident]
                call.caller.calls -= 1
                if call.provider is session:
                    self._fail(call.caller, call.service, call.ident, "its provider has left")

    def _call(self, session: ClientSession, message: Fields) -> None:
        name, _, mark = name_of(message, "service").partition("#")
        ident = message.get("id", mark or None)
        if isinstance(kind := message.get("type"), str) and kind:
            session.form = form_of(kind)
        if session.calls >= _MOST_CALLS:
            self._fail(session, name, ident, f"{_MOST_CALLS} calls are not answered yet")
        elif name in self._offers.found:
            self._forward(session, name, ident, message)
        elif (service := self._own().get(name)) is not None:
            self._carry_out(session, name, ident, service, message)
        else:
            known = self.types()
            self._fail(session, name, ident, f"there is no such service{session.hint(name, known)}")

    def _carry_out(
        self, session: ClientSession, name: str, ident: object, service: OwnService, message: Fields
    ) -> None:
        arguments, form = message.get("args"), session.form
        compression = str(message.get("compression") or "none")

        def done(values: Fields) -> None:
            session.calls -= 1
            answer = {"service": name, "values": values, "result": True, **identified(ident)}
            if not session.closed:
                session.send({"op": "service_response", **answer}, compression)

        def failed(error: Exception) -> None:
            session.calls -= 1
            known = isinstance(error, OutriderError)
            self._fail(session, name, ident, str(error) if known else f"{error!r:.200}")

        session.calls += 1
        self._hub.carry_out(lambda: service.answer(arguments, form), done, failed)

    def _forward(self, session: ClientSession, name: str, ident: object, message: Fields) -> None:
        provider, _ = self._offers.found[name]
        number = f"service_request:{name}:{next(self._numbers)}"
        session.calls += 1
        self._pending[number] = _Pending(session, name, ident, provider)
        args = message.get("args")
        asked = {"service": name, "args": {} if args is None else args}
        provider.send({"op": "call_service", "id": number, **asked})
        self._hub.loop.call_later(_patience_s(message.get("timeout")), self._give_up, number)

    def _give_up(self, number: str) -> None:
        call = self._pending.pop(number, None)
        if call is not None:
            call.caller.calls -= 1
            self._fail(call.caller, call.service, call.ident, "its provider did not answer in time")

    def _response(self, session: ClientSession, message: Fields) -> None:
        call = self._pending.get(id_of(message))
        if call is None or call.provider is not session:
            raise BridgeError(f"nobody waits for the answer {id_of(message)!r:.80}")
        del self._pending[id_of(message)]
        call.caller.calls -= 1
        answer = {
            "service": call.service,
            "values": message.get("values", {}),
            "result": message.get("result", True) is not False,
        }
        if not call.caller.closed:
            call.caller.send({"op": "service_response", **answer, **identified(call.ident)})

    def _fail(self, session: ClientSession, name: str, ident: object, reason: str) -> None:
        self._hub.peer_errors.note("failed service", f"service {name}: {reason}")
        if not session.closed:
            answer = {"service": name, "values": f"{name}: {reason}", "result": False}
            session.send({"op": "service_response", **answer, **identified(ident)})


def _patience_s(wanted: object) -> float:
    if isinstance(wanted, bool) or not isinstance(wanted, int | float):
        return _PATIENCE_S
    return float(wanted) if 0 < wanted <= _PATIENCE_MOST_S else _PATIENCE_S
