"""Keeps a node's registrations at the master up to date, also after the master was gone."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.ros1.xmlrpc import call
from outrider.core.errors import BridgeError
from outrider.core.process.service_thread import ServiceThread
from outrider.core.structure import Data

Role: TypeAlias = Literal["Publisher", "Subscriber", "Service"]
_LOOK_S = 0.1
_CHECK_S = 1.0
_AUDIT_S = 5.0  # between looks at whether each entry is there: anybody may take one away
_ROLES: tuple[Role, ...] = ("Publisher", "Subscriber", "Service")  # as masters list them


@dataclass(frozen=True, slots=True)
class Offer:
    """One registration at a master; ``what`` is a type, or a service's address."""

    role: Role
    name: str
    what: str


class Registrar:
    """A thread that compares wanted and actual registrations, and calls the master."""

    def __init__(
        self,
        master: str,
        node: str,
        uri: str,
        wanted: Callable[[], set[Offer]],
        parameters: Callable[[], Data],
        on_publishers: Callable[[str, list[str]], None],
        peer_errors: PeerErrors,
    ) -> None:
        self._master, self._node, self._uri = master, node, uri
        self._wanted, self._parameters = wanted, parameters
        self._on_publishers, self._peer_errors = on_publishers, peer_errors
        self._known: set[Offer] = set()
        self._set: Data = {}
        self._checked_s = self._audited_s = 0.0
        self.registered = threading.Event()
        self.displaced = False  # another node took our name
        self._closed = threading.Event()
        self._thread = ServiceThread(self._run, "outrider-ros1-master")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """Take all entries back and end."""
        self._closed.set()
        self._thread.wait_for_end(3.0)
        with suppress(BridgeError):
            for offer in self._known:
                self._withdraw(offer)

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                self._check()
                self._update()
                self.registered.set()
                self._closed.wait(_LOOK_S)
            except BridgeError as error:
                self._known.clear()
                self._set.clear()
                self.registered.clear()
                self._peer_errors.note("master away", f"waiting for a ROS 1 master: {error}")
                self._closed.wait(_CHECK_S)

    def _check(self) -> None:
        """Find out once a second whether the master still knows us."""
        now_s = time.monotonic()
        if now_s - self._checked_s < _CHECK_S:
            return
        self._checked_s = now_s
        code, _, uri = call(self._master, "lookupNode", self._node, self._node)
        if self._known and (code != 1 or uri != self._uri) and not self.displaced:
            self._peer_errors.note("master forgot", "the ROS 1 master came back; registering again")
            self._known.clear()
            self._set.clear()
        elif now_s - self._audited_s >= _AUDIT_S and not self.displaced:
            self._audited_s = now_s
            self._audit(call(self._master, "getSystemState", self._node)[2])

    def _audit(self, state: object) -> None:
        """Forget the entries that the master has not; they are then made again."""
        try:
            listed = {
                (role, name)
                for role, table in zip(_ROLES, cast(list[Any], state), strict=True)
                for name, nodes in table
                if self._node in nodes
            }
        except (TypeError, ValueError):  # a master of another kind
            return
        lost = {offer for offer in self._known if (offer.role, offer.name) not in listed}
        if lost:
            self._known -= lost
            self._peer_errors.note("entries lost", "the master has lost entries; they are renewed")

    def _update(self) -> None:
        if self.displaced:
            return
        for key, value in self._parameters().items():
            if key not in self._set or self._set[key] != value:
                call(self._master, "setParam", self._node, key, value)
                self._set[key] = value
        wanted = self._wanted()
        for offer in self._known - wanted:
            self._withdraw(offer)
            self._known.discard(offer)
        for offer in sorted(wanted - self._known, key=lambda o: (o.role, o.name)):
            self._register(offer)
            self._known.add(offer)

    def _register(self, offer: Offer) -> None:
        method = f"register{offer.role}"
        code, message, value = call(
            self._master, method, self._node, offer.name, offer.what, self._uri
        )
        if code != 1:
            self._peer_errors.note("refused by master", f"the master refuses {method}: {message}")
        elif offer.role == "Subscriber" and isinstance(value, list):
            self._on_publishers(offer.name, [str(uri) for uri in value])

    def _withdraw(self, offer: Offer) -> None:
        where = offer.what if offer.role == "Service" else self._uri
        call(self._master, f"unregister{offer.role}", self._node, offer.name, where)
