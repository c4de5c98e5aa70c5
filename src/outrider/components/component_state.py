"""What a component remembers: plain data, saved and restored with the simulation."""

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

import numpy as np

from outrider.core.errors import ComponentError, near_match
from outrider.core.state import State, Value


class ComponentState(MutableMapping[str, Any]):
    """Named values of plain data: ``me.state.open = True``.

    Numbers, texts, True, False, None, arrays, lists, and dictionaries of them.
    """

    __slots__ = ("_changing", "_values")

    def __init__(self, changing: Callable[[], None]) -> None:
        object.__setattr__(self, "_values", {})
        object.__setattr__(self, "_changing", changing)  # refuses while drawing

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            hint = near_match(name, self._values)
            raise AttributeError(f"me.state has no '{name}' yet{hint}; set it in start") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._changing()
        if not isinstance(name, str) or name.startswith(("$", "_")):
            raise ComponentError(f"me.state: {name!r:.40} cannot be a name")
        self._values[name] = _checked(name, value)

    def __delitem__(self, name: str) -> None:
        self._changing()
        del self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def forget(self) -> None:
        """Remember nothing."""
        self._values.clear()

    def get_state(self) -> State:
        """Return all values."""
        return State({name: _value(name, value) for name, value in self._values.items()})

    def set_state(self, state: State) -> None:
        """Remember these values."""
        self._values.clear()
        self._values.update({name: _plain(state[name]) for name in state})


def _checked(name: str, value: Any) -> Any:
    _value(name, value)  # an error belongs to the line that wrote it, not to a later save
    return value.item() if isinstance(value, np.generic) else value


def _value(name: str, value: Any) -> Value:
    """Return a value as the state of a simulation has it."""
    if isinstance(value, np.generic):
        return _value(name, value.item())
    if isinstance(value, dict):
        return State({str(key): _value(f"{name}.{key}", item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return [_value(name, item) for item in value]
    plain_array = isinstance(value, np.ndarray) and not value.dtype.hasobject
    if value is None or isinstance(value, bool | int | float | str) or plain_array:
        return value  # type: ignore[no-any-return]
    raise ComponentError(
        f"me.state.{name}: expected plain data (numbers, text, arrays, lists, dictionaries),"
        f" got {type(value).__name__}"
    )


def _plain(value: Value) -> Any:
    if isinstance(value, State):
        return {name: _plain(value[name]) for name in value}
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value
