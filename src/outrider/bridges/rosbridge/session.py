"""One client: incoming messages, the requested operations, and responses."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

import orjson

from outrider.bridges.json_bounds import checked
from outrider.bridges.rosbridge.client import ClientOutbox, Peer
from outrider.bridges.rosbridge.encoding.encode import encoded_text
from outrider.bridges.rosbridge.encoding.forms import Form
from outrider.bridges.rosbridge.encoding.fragments import Fragments
from outrider.bridges.rosbridge.encoding.plain import json_bytes
from outrider.bridges.rosbridge.encoding.png import unwrapped
from outrider.bridges.rosbridge.hub import Hub
from outrider.bridges.rosbridge.subscription import SubscribeRequest
from outrider.core.errors import BridgeError, OutriderError, near_match
from outrider.core.structure import Data

Fields: TypeAlias = Data
Operation: TypeAlias = Callable[["ClientSession", Fields], None]
Level: TypeAlias = Literal["none", "error", "warning", "info"]

_LEVELS: tuple[Level, ...] = ("none", "error", "warning", "info")
_FRAGMENT_S = 60.0  # that a message in pieces may take
_LONGEST_ID = 1000
_NESTED = 2  # a picture of pieces of a message, and no more


class ClientSession:
    """Everything here runs in the socket thread."""

    def __init__(
        self, hub: Hub, peer: Peer, form: Form, operations: Mapping[str, Operation]
    ) -> None:
        self.hub, self.peer = hub, peer
        self.outbox = ClientOutbox(peer)
        self.form: Form = form  # as the client spelled types last
        self.wishes: dict[str, dict[str, SubscribeRequest]] = {}  # by topic and id
        self.advertised: dict[str, set[str]] = {}  # ids by topic
        self.calls = 0  # services and goals that are under way
        self.closed = False
        self.only: Mapping[str, Operation] | None = None  # until the client has said who it is
        self._operations = operations
        self._own: dict[str, Callable[[Fields, int], None]] = {
            "fragment": self._fragment,
            "png": self._png,
            "set_level": self._set_level,
            "status": lambda *_: None,
        }
        self._hints = 20
        self._level: Level = "none"  # as the real server: who wants to be told says so
        self._fragment_size: int | None = None
        self._fragments = Fragments(hub.most_bytes, _FRAGMENT_S)

    def receive(self, data: str | bytes | bytearray) -> None:
        """Do what a message asks for; whatever is wrong with it ends here."""
        if not self.closed:
            self._read(data, 0)

    def send(self, message: Fields, compression: str = "none") -> None:
        """Let an answer go out; a client that takes none is sent away."""
        text = encoded_text(json_bytes(message), compression, self._fragment_size)
        if not self.outbox.reply(text):
            self.refuse("slow", "it does not read its answers")
        self.hub.flush(self)

    def complain(self, kind: str, sentence: str, ident: object = None) -> None:
        """Count what went wrong, and tell the client if it wants to know."""
        self.hub.peer_errors.note(kind, f"{self.peer.name}: {sentence}")
        self.tell("error", sentence, ident)

    def hint(self, name: str, known: Iterable[str]) -> str:
        """Return what a wrong name may have meant; looking takes time, so not for ever."""
        self._hints -= 1
        return near_match(name[:100], known) if self._hints >= 0 else ""

    def tell(self, level: Level, sentence: str, ident: object = None) -> None:
        """Send a ``status`` if the client has asked for such."""
        if _LEVELS.index(level) <= _LEVELS.index(self._level):
            self.send({"op": "status", "level": level, "msg": sentence, **identified(ident)})

    def refuse(self, kind: str, reason: str, code: int = 1008) -> None:
        """Count and send away."""
        if not self.closed:
            self.closed = True
            self.hub.peer_errors.note(kind, f"{self.peer.name} is disconnected: {reason}")
            self.peer.end(code, reason)

    def look_after(self) -> None:
        """Give up what the client began and never ended."""
        late = self._fragments.expire()
        if late:
            self.complain(
                "unfinished fragments", f"{late} fragmented messages were never completed"
            )

    def _read(self, data: str | bytes | bytearray, depth: int) -> None:
        try:
            message = orjson.loads(checked(data))
        except orjson.JSONDecodeError as error:
            self.complain("bad JSON", f"a message is not JSON: {error}")
            return
        except BridgeError as error:
            self.complain("too much JSON", str(error))
            return
        if not isinstance(message, dict) or not isinstance(message.get("op"), str):
            self.complain("no op", "a message is not an object with an 'op'")
            return
        try:
            self._adopt_size(message)
            self._do(message, depth)
        except OutriderError as error:
            self.complain("refused", f"{message['op']:.30}: {error}", message.get("id"))
        except Exception as error:  # nothing that a client sends ends the server
            self.complain("failed", f"{message['op']:.30} failed: {error!r:.120}")

    def _do(self, message: Fields, depth: int) -> None:
        name = message["op"]
        if self.only is not None:
            if name not in self.only:
                self.refuse("no token", f"it says {name!r:.30} before it has authenticated")
            else:
                self.only[name](self, message)
        elif name in self._own:
            self._own[name](message, depth)
        elif name in self._operations:
            self._operations[name](self, message)
        else:
            known = sorted({*self._own, *self._operations})
            raise BridgeError(
                f"there is no operation{self.hint(name, known)}; known: {', '.join(known)}"
            )

    def _adopt_size(self, message: Fields) -> None:
        size = message.get("fragment_size")
        if type(size) is int and size > 0:
            self._fragment_size = size

    def _fragment(self, message: Fields, depth: int) -> None:
        whole = self._fragments.add(message)
        if whole is not None:
            self._inside(whole, depth)

    def _png(self, message: Fields, depth: int) -> None:
        self._inside(unwrapped(text_of(message, "data"), self.hub.most_bytes), depth)

    def _inside(self, data: str | bytes, depth: int) -> None:
        if depth >= _NESTED:
            raise BridgeError("messages are nested too deeply")
        self._read(data, depth + 1)

    def _set_level(self, message: Fields, _: int) -> None:
        level = message.get("level")
        if level not in _LEVELS:
            raise BridgeError(f"level is one of {', '.join(_LEVELS)}, not {level!r:.40}")
        self._level = level


def text_of(message: Fields, key: str) -> str:
    """Return a text that must be there."""
    value = message.get(key)
    if not isinstance(value, str) or not value:
        raise BridgeError(f"expected a text in '{key}', got {value!r:.40}")
    return value


def name_of(message: Fields, key: str) -> str:
    """Return the full name of a topic, service or action."""
    return "/" + text_of(message, key).strip("/")


def id_of(message: Fields) -> str:
    """Return the id of a message; all without one have the same."""
    ident = str(message.get("id") or "")
    if len(ident) > _LONGEST_ID:
        raise BridgeError(f"expected an id of at most {_LONGEST_ID} characters, got {len(ident)}")
    return ident


def identified(ident: object) -> Fields:
    """Return the field that repeats an id, if there is one."""
    return {} if ident is None else {"id": ident}
