"""What objects hold, written down as plain data, and put back into objects of the same make.

``note`` walks from an object through all its attributes. ``restore`` walks a live object of the
same structure and sets what differs: large arrays keep their memory, lists and objects their
identity, and what was one object in two places is one again. Whatever cannot be written down
(functions, engines, classes named in ``keep``) stays as the live object has it.

Nothing is ever executed out of a note: new objects are made only of dataclasses of this program
and of message types, field by field.
"""

import dataclasses
import enum
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import MethodType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import ConfigError

Node: TypeAlias = Any  # None, bool, int, float, str, or a mapping with one letter for its kind
Arrays: TypeAlias = list[NDArray[Any]]

_SEQUENCES: dict[str, Any] = {"l": list, "q": deque, "s": set}
KEEP: Node = {"k": 1}
_SMALL = 64
_PACKAGE = __name__.partition(".")[0]
MessageClass: TypeAlias = Callable[[str], type]


class Notes:
    """Writes objects down; one instance knows which of them it has seen."""

    def __init__(
        self,
        keep: Iterable[type] = (),
        names: Mapping[int, str] | None = None,
        within: Mapping[Any, tuple[str, ...]] | None = None,
        anchors: Iterable[NDArray[Any]] = (),
    ) -> None:
        """Leave the classes in ``keep`` alone, and of those in ``within`` all but some parts.

        ``names`` tell shared objects by their ``id``; views into ``anchors`` are left alone, too.
        """
        self._anchors = {id(array) for array in anchors}
        self.arrays: Arrays = []
        self._keep = tuple(keep)
        self._within = within or {}
        self._names = names or {}
        self._seen: dict[int, int] = {}
        self._alive: list[object] = []  # an id is only good while its object lives

    def note(self, value: object) -> Node:
        """Return a value as plain data; its arrays are copied beside."""
        if value is None or value.__class__ in (bool, int, float, str):
            return value
        if id(value) in self._names:
            return {"x": self._names[id(value)]}
        if isinstance(value, self._keep):
            return KEEP
        if id(value) in self._seen:
            return {"r": self._seen[id(value)]}
        return self._fresh(value)

    def _fresh(self, value: Any) -> Node:
        if isinstance(value, enum.Enum):
            return {"e": value.name, "c": class_name(value)}
        if isinstance(value, np.ndarray):
            return KEEP if value.dtype.hasobject else self._array(value)
        if isinstance(value, np.generic):
            return KEEP if isinstance(value, np.void) else self._scalar(value)
        if isinstance(value, bytes):
            return {"b": value.hex()}
        if isinstance(value, np.random.Generator):
            return {"g": self.note(value.bit_generator.state), "#": self._number(value)}
        if isinstance(value, threading.Event):
            return {"v": value.is_set()}
        if isinstance(value, MethodType):
            return {"m": self.note(value.__self__)}
        return self._container(value)

    def _container(self, value: Any) -> Node:
        if value.__class__ is tuple:  # Python makes one of many equal ones: they have no self
            return {"t": [self.note(item) for item in value]}
        for letter, kind in _SEQUENCES.items():
            if value.__class__ is kind:
                number = self._number(value)
                items: Any = sorted(value, key=repr) if letter == "s" else value
                return {letter: [self.note(item) for item in items], "#": number}
        if value.__class__ is dict:
            number = self._number(value)
            pairs = [[self.note(key), self.note(item)] for key, item in value.items()]
            return {"d": pairs, "#": number}
        return self._object(value)

    def _object(self, value: Any) -> Node:
        kind = class_name(value)
        if kind is None:
            return KEEP
        number = self._number(value)
        if parts := self._within.get(type(value)):
            return {"i": [[name, self.note(getattr(value, name))] for name in parts], "#": number}
        if hasattr(value, "snapshot"):  # it knows itself what counts
            return {"p": self.note(value.snapshot()), "#": number}
        fields = {name: self.note(item) for name, item in fields_of(value).items()}
        return {"o": kind, "f": fields, "#": number}

    def _array(self, value: NDArray[Any]) -> Node:
        root: Any = value
        while isinstance(root.base, np.ndarray):
            root = root.base
        if root is not value and id(root) in self._anchors:
            return KEEP
        number = self._number(value)
        self.arrays.append(value.copy())
        return {"a": len(self.arrays) - 1, "#": number}

    def _scalar(self, value: np.generic) -> Node:
        self.arrays.append(np.array(value))
        return {"n": len(self.arrays) - 1}

    def _number(self, value: object) -> int:
        self._alive.append(value)
        self._seen[id(value)] = len(self._seen)
        return self._seen[id(value)]


class Restorer:
    """Puts notes back into live objects; one instance knows what it has put back."""

    def __init__(
        self,
        arrays: Arrays,
        shared: Mapping[str, object] | None = None,
        message_class: MessageClass | None = None,
        *,
        resized: bool = False,
    ) -> None:
        """``shared`` are what notes call by name; ``resized`` arrays are left as they are."""
        self._arrays = arrays
        self._shared = shared or {}
        self._message_class = message_class
        self._resized = resized
        self._done: dict[int, Any] = {}
        self._used: dict[int, int] = {}  # live objects by id, and the note that went there

    def restore(self, node: Node, live: Any) -> Any:
        """Return what a note says: ``live`` itself, changed, wherever that can be."""
        if not isinstance(node, dict):
            return node
        if "r" in node:
            return self._done.get(node["r"], live)
        if "x" in node:
            return self._shared.get(node["x"], live)
        if "#" in node and self._used.setdefault(id(live), node["#"]) != node["#"]:
            live = live if "o" in node else None  # it was one object and shall be two
        value = live if "k" in node else self._value(node, live)
        if "#" in node:
            self._done[node["#"]] = value
        if "was" in node:
            self._know(node["was"], live)
        return value

    def _know(self, node: Node, live: Any) -> None:
        """Note what is left alone, for others may point to it."""
        if not isinstance(node, dict):
            return
        if "#" in node:
            self._done.setdefault(node["#"], live)
        if "o" in node:
            found = fields_of(live)
            for name, item in node["f"].items():
                self._know(item, found.get(name))
        for letter in ("t", "l", "q"):
            if letter in node and isinstance(live, list | tuple | deque):
                for item, part in zip(node[letter], live, strict=False):
                    self._know(item, part)

    def _value(self, node: dict[str, Any], live: Any) -> Any:
        letter = next(iter(node))
        reader = getattr(self, f"_read_{letter}", None)
        if reader is None:
            raise ConfigError(f"a saved state holds something unknown: {str(node)[:60]}")
        return reader(node, live)

    def _read_o(self, node: dict[str, Any], live: Any) -> Any:
        before = fields_of(live)
        if class_name(live) != node["o"]:
            live, before = _blank(node["o"], self._message_class), {}
        elif _frozen(live):
            live = object.__new__(type(live))
        self._done[node["#"]] = live  # what is in it may point back to it
        for name, item in node["f"].items():
            value = self.restore(item, before.get(name))
            if value is not before.get(name) or _frozen(live):
                object.__setattr__(live, name, value)
        return live

    def _read_a(self, node: dict[str, Any], live: Any) -> Any:
        saved = self._arrays[node["a"]]
        if not isinstance(live, np.ndarray):
            return saved.copy()
        if live.shape != saved.shape or live.dtype != saved.dtype:
            return live if self._resized else saved.copy()
        # others look into large arrays and records; a small one may be anybody's constant
        if live.flags.writeable and (live.dtype.names or live.size > _SMALL):
            live[...] = saved
            return live
        return saved.copy()

    def _read_n(self, node: dict[str, Any], live: Any) -> Any:  # noqa: ARG002
        return self._arrays[node["n"]][()]

    def _read_i(self, node: dict[str, Any], live: Any) -> Any:
        for name, item in node["i"]:
            self.restore(item, getattr(live, name))
        return live

    def _read_p(self, node: dict[str, Any], live: Any) -> Any:
        live.restore(self.restore(node["p"], live.snapshot()))
        return live

    def _read_b(self, node: dict[str, Any], live: Any) -> bytes:  # noqa: ARG002
        return bytes.fromhex(node["b"])

    def _read_e(self, node: dict[str, Any], live: Any) -> Any:
        kind = _class(node["c"]) if node["c"] else type(live)
        if not (isinstance(kind, type) and issubclass(kind, enum.Enum)):
            return live
        return kind[node["e"]]

    def _read_g(self, node: dict[str, Any], live: Any) -> Any:
        live.bit_generator.state = self.restore(node["g"], None)
        return live

    def _read_v(self, node: dict[str, Any], live: Any) -> Any:
        if node["v"]:
            live.set()
        else:
            live.clear()
        return live

    def _read_m(self, node: dict[str, Any], live: Any) -> Any:
        self.restore(node["m"], getattr(live, "__self__", None))
        return live

    def _read_t(self, node: dict[str, Any], live: Any) -> Any:
        return tuple(self._items(node["t"], live if isinstance(live, tuple) else ()))

    def _read_l(self, node: dict[str, Any], live: Any) -> Any:
        found = live if isinstance(live, list) else []
        found[:] = self._items(node["l"], list(found))
        return found

    def _read_q(self, node: dict[str, Any], live: Any) -> Any:
        found = live if isinstance(live, deque) else deque()
        items = self._items(node["q"], list(found))
        found.clear()
        found.extend(items)
        return found

    def _read_s(self, node: dict[str, Any], live: Any) -> Any:
        found = live if isinstance(live, set) else set()
        items = self._items(node["s"], ())
        found.clear()
        found.update(items)
        return found

    def _read_d(self, node: dict[str, Any], live: Any) -> Any:
        found = live if isinstance(live, dict) else {}
        before = dict(found)
        found.clear()
        for key_node, item in node["d"]:
            key = self.restore(key_node, None)
            found[key] = self.restore(item, before.get(key))
        return found

    def _items(self, nodes: list[Node], live: Any) -> list[Any]:
        return [
            self.restore(node, live[i] if i < len(live) else None) for i, node in enumerate(nodes)
        ]


def class_name(value: object) -> str | None:
    """Return what a note calls a class of this program or a message type; None for any other."""
    kind = type(value)
    if hasattr(kind, "__msgtype__"):
        return f"message:{kind.__msgtype__}"
    if kind.__module__.partition(".")[0] != _PACKAGE:
        return None
    return f"{kind.__module__}:{kind.__qualname__}"


def fields_of(value: object) -> dict[str, Any]:
    """Return all attributes that an object has of its own, whether in slots or not."""
    found = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(value, name) and name not in ("__dict__", "__weakref__"):
                found[name] = getattr(value, name)
    return found


def _frozen(value: object) -> bool:
    parameters = getattr(type(value), "__dataclass_params__", None)
    return bool(parameters and parameters.frozen)


def _blank(name: str, message_class: MessageClass | None) -> Any:
    """Return an empty object of a dataclass or message type, to be filled field by field."""
    module, _, kind = name.partition(":")
    if module == "message" and message_class is not None:
        return object.__new__(message_class(kind))
    found = _class(name)
    if not (isinstance(found, type) and dataclasses.is_dataclass(found)):
        raise ConfigError(f"a saved state holds a '{name[:60]}', which is nothing that it may hold")
    return object.__new__(found)


def _class(name: str) -> Any:
    """Return a class of this program by its name in a note, or None."""
    module, _, kind = name.partition(":")
    if module.partition(".")[0] != _PACKAGE:
        return None
    try:
        return getattr(import_module(module), kind, None)
    except ImportError:
        return None
