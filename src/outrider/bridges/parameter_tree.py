"""A parameter server: a tree of values under names with slashes."""

from outrider.core.errors import BridgeError
from outrider.core.structure import Data


class ParameterTree:
    """Values by name; a name with values below it is a mapping."""

    def __init__(self) -> None:
        self._root: Data = {}

    def set(self, key: str, value: object) -> None:
        """Put a value; a mapping takes the place of everything below the key."""
        parts = _parts(key)
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


def _leaves(node: Data, above: str) -> list[str]:
    found = []
    for key, value in node.items():
        name = f"{above}/{key}"
        found += _leaves(value, name) if isinstance(value, dict) and value else [name]
    return found


def _parts(key: str) -> list[str]:
    return [part for part in key.split("/") if part]
