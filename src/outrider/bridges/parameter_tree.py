"""A parameter server: a tree of values under names with slashes."""

from outrider.core.errors import BridgeError
from outrider.core.structure import Data

_COST = 100  # bytes of a value beside its letters


class ParameterTree:
    """Values by name; a name with values below it is a mapping."""

    def __init__(self, most_bytes: int = 64_000_000) -> None:
        """``most_bytes`` is about what all values together may take."""
        self._root: Data = {}
        self._most = most_bytes
        self._held = 0  # never less than what they take

    def set(self, key: str, value: object) -> None:
        """Put a value; a mapping takes the place of everything below the key."""
        parts = _parts(key)
        self._make_room(len(key) + _size(value))
        if not parts:
            if not isinstance(value, dict):
                raise BridgeError("the root of all parameters must be a mapping")
            self._root = value
            return
        node = self._root
        for part in parts[:-1]:
            if not isinstance(node.get(part), dict):
                node[part] = {}
            node = node[part]
        node[parts[-1]] = value

    def _make_room(self, size: int) -> None:
        """Refuse what does not fit; they are counted anew only when they may be too many."""
        if self._held + size > self._most:
            self._held = _size(self._root)
        if self._held + size > self._most:
            raise BridgeError(f"all parameters together may take {self._most // 1_000_000} MB")
        self._held += size

    def get(self, key: str) -> object:
        """Return a value or a mapping of all below; raises KeyError."""
        node: object = self._root
        for part in _parts(key):
            if not isinstance(node, dict):
                raise KeyError(key)
            node = node[part]
        return node

    def has(self, key: str) -> bool:
        """Return whether there is a value."""
        try:
            self.get(key)
        except KeyError:
            return False
        return True

    def delete(self, key: str) -> None:
        """Take a value away; raises KeyError."""
        parts = _parts(key)
        if not parts:
            raise KeyError(key)
        parent = self.get("/" + "/".join(parts[:-1]))
        if not isinstance(parent, dict):
            raise KeyError(key)
        del parent[parts[-1]]

    def search(self, space: str, key: str) -> str | None:
        """Return the full name of the nearest match above a namespace."""
        first = _parts(key)[:1]
        parts = _parts(space)
        for depth in range(len(parts), -1, -1):
            if first and self.has("/" + "/".join([*parts[:depth], *first])):
                return "/" + "/".join([*parts[:depth], *_parts(key)])
        return None

    def names(self) -> list[str]:
        """Return the names of all values."""
        return _leaves(self._root, "")


def _size(value: object) -> int:
    """Return about how many bytes a value takes."""
    if isinstance(value, str | bytes):
        return _COST + len(value)
    if isinstance(value, dict):
        return sum(_COST + len(str(key)) + _size(item) for key, item in value.items()) + _COST
    if isinstance(value, list | tuple):
        return sum(map(_size, value)) + _COST
    return _COST


def _leaves(node: Data, above: str) -> list[str]:
    found = []
    for key, value in node.items():
        name = f"{above}/{key}"
        found += _leaves(value, name) if isinstance(value, dict) and value else [name]
    return found


def _parts(key: str) -> list[str]:
    return [part for part in key.split("/") if part]
