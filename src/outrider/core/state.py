"""The state of a simulation's components as plain data: for saving, undo, reset, succession.

Every component declares its own state: ``get_state`` returns named numbers, strings, arrays, lists
and nested states, ``set_state`` restores them. What a component is built from (its parameters, its
pose, other components) is not state: that comes from the scenario.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from outrider.core.errors import ConfigError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Value: TypeAlias = (
    "bool | int | float | str | NDArray[Any] | Sequence[Value] | State | Later | Given | None"
)
A = TypeVar("A", bound=NDArray[Any])
R = TypeVar("R", bound="DataclassInstance")


class State(Mapping[str, Value]):
    """Named values that belong together; arrays are copied on the way in and on the way out."""

    __slots__ = ("_read", "_values", "_where")

    def __init__(self, values: "Mapping[str, Value] | None" = None, /, **more: Value) -> None:
        self._values: dict[str, Value]
        if type(values) is State:
            self._values = values._values.copy()  # not read: what is worked out later stays so
        else:
            self._values = {name: _plain(value) for name, value in (values or {}).items()}
        for name, value in more.items():
            self._values[name] = _plain(value)
        self._read: set[str] = set()
        self._where = ""

    def __getitem__(self, name: str) -> Value:
        self._read.add(name)
        value = self._values[name]
        return self._finished(name) if type(value) is Later else value

    def _finished(self, name: str) -> Value:
        """Return a value, worked out by now."""
        value = self._values[name]
        if type(value) is not Later:
            return value
        with value.turn:  # two threads may ask for it
            if self._values[name] is value:
                self._values[name] = _plain(value.work())
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def has(self, name: str) -> bool:
        """Return whether there is a value other than None."""
        return self._value(name) is not None

    def integer(self, name: str) -> int:
        """Return a whole number."""
        value = self._value(name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._misfit(name, "a whole number")
        return value

    def number(self, name: str) -> float:
        """Return a number."""
        return self._number(name, self._value(name))

    def numbers(self, name: str) -> tuple[float, ...]:
        """Return a list of numbers."""
        return tuple(self._number(name, value) for value in self._list(name))

    def triple(self, name: str) -> tuple[float, float, float]:
        """Return three numbers."""
        numbers = self.numbers(name)
        if len(numbers) != 3:
            raise self._misfit(name, "three numbers")
        return numbers[0], numbers[1], numbers[2]

    def flag(self, name: str) -> bool:
        """Return a boolean."""
        value = self._value(name)
        if not isinstance(value, bool):
            raise self._misfit(name, "true or false")
        return value

    def text(self, name: str) -> str:
        """Return a string."""
        value = self._value(name)
        if not isinstance(value, str):
            raise self._misfit(name, "text")
        return value

    def texts(self, name: str) -> list[str]:
        """Return a list of strings."""
        values = [value for value in self._list(name) if isinstance(value, str)]
        if len(values) != len(self._list(name)):
            raise self._misfit(name, "a list of texts")
        return values

    def pairs(self, name: str) -> list[tuple[str, str]]:
        """Return a list of pairs of strings."""
        found = []
        for value in self._list(name):
            match value:
                case [str(first), str(second)]:
                    found.append((first, second))
                case _:
                    raise self._misfit(name, "pairs of texts")
        return found

    def array(self, name: str, like: A) -> A:
        """Return a copy of an array, which must have the type and shape of another."""
        value = self.rows(name, like.dtype)
        if value.shape != like.shape:
            raise self._misfit(name, f"an array of the shape {like.shape}")
        return cast(A, value)

    def rows(self, name: str, dtype: DTypeLike) -> NDArray[Any]:
        """Return a copy of an array of a type, of any shape."""
        value = self._value(name)
        if not isinstance(value, np.ndarray) or value.dtype != dtype:
            raise self._misfit(name, f"an array of {np.dtype(dtype)}")
        return value.copy()

    def record(self, like: R) -> R:
        """Return a plain dataclass from what ``State.of`` made, typed like another one."""
        found: dict[str, Any] = {
            field.name: self.like(field.name, getattr(like, field.name)) for field in fields(like)
        }
        return replace(like, **found)

    @classmethod
    def of(cls, record: "DataclassInstance") -> "State":
        """Return the fields of a plain dataclass by name."""
        return cls({field.name: getattr(record, field.name) for field in fields(record)})

    def part(self, name: str) -> "State":
        """Return a nested state."""
        return self._part(name, self._value(name), self._path(name))

    def parts(self, name: str) -> "list[State]":
        """Return a list of states."""
        return [
            self._part(name, value, f"{self._path(name)}.{i}")
            for i, value in enumerate(self._list(name))
        ]

    def finish(self) -> None:
        """Wait for what is still being worked out; in any thread."""
        for name in self._values:
            value = self._finished(name)
            for item in value if type(value) is list else (value,):
                if type(item) is State:
                    item.finish()

    @property
    def nbytes(self) -> int:
        """The bytes of all its arrays, but for those that are still being worked out."""
        return sum(map(_nbytes, self._values.values()))

    def unread(self, besides: Container[str] = ()) -> Iterator[str]:
        """Find the values, ``besides`` some, that were never read, by their full names."""
        for name, value in self._values.items():
            if name in besides:
                continue
            if name not in self._read:
                yield self._path(name)
            for item in value if type(value) is list else (value,):
                if type(item) is State:
                    yield from item.unread()

    def like(self, name: str, value: Value) -> Value:
        """Return a plain value of the type of another; an array of its shape, too."""
        match value:
            case bool():
                return self.flag(name)
            case int():
                return self.integer(name)
            case float():
                return self.number(name)
            case str():
                return self.text(name)
            case np.ndarray():
                return self.array(name, value)
        raise self._misfit(name, "a plain field")

    def _value(self, name: str) -> Value:
        if name not in self._values:
            raise ConfigError(f"the saved state does not fit: {self._path(name)} is missing")
        return self[name]

    def _list(self, name: str) -> Sequence[Value]:
        value = self._value(name)
        if not isinstance(value, list):
            raise self._misfit(name, "a list")
        return value

    def _number(self, name: str, value: Value) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._misfit(name, "a number")
        return float(value)

    def _part(self, name: str, value: Value, where: str) -> "State":
        if not isinstance(value, State):
            raise self._misfit(name, "named values")
        value._where = where
        return value

    def _path(self, name: str) -> str:
        return f"{self._where}.{name}" if self._where else name

    def _misfit(self, name: str, expected: str) -> ConfigError:
        value = self._values[name]
        shown = f"{value.dtype} {value.shape}" if isinstance(value, np.ndarray) else repr(value)
        return ConfigError(
            f"the saved state does not fit: {self._path(name)}: expected {expected}, "
            f"got {shown[:60]}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Later:
    """A value that is still being worked out: who reads it waits for it."""

    work: Callable[[], Value]
    turn: Lock = field(default_factory=Lock)


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """An array that its owner will not change any more: it need not be copied."""

    array: NDArray[Any]


def _nbytes(value: object) -> int:
    if isinstance(value, list):
        return sum(map(_nbytes, value))
    return value.nbytes if isinstance(value, State | np.ndarray) else 0


_UNCHANGING = {bool, int, float, str, State, Later, type(None)}


def _plain(value: Value) -> Value:
    """Return a value that nobody else can change; refuse what is no plain data."""
    if type(value) in _UNCHANGING:
        return value
    if isinstance(value, Given):
        return value.array
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise TypeError("an array of objects is not plain data")
        return _copied(value)
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} is not plain data")


def _copied(array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype.names is None or not array.flags.c_contiguous:
        return array.copy()
    copied = np.empty(array.shape, array.dtype)  # records copy field by field, bytes at once
    copied.view(np.uint8)[...] = array.view(np.uint8)
    return copied


class Stateful(Protocol):
    """A component with state: equal components with equal states continue identically."""

    def get_state(self) -> State:
        """Return its state."""

    def set_state(self, state: State) -> None:
        """Restore the state of an equal component."""


@dataclass(frozen=True, slots=True)
class StateGroup:
    """Named components as one."""

    parts: Mapping[str, Stateful]

    def get_state(self) -> State:
        """Return the states of all."""
        return State({name: part.get_state() for name, part in self.parts.items()})

    def set_state(self, state: State) -> None:
        """Set all, in their order."""
        for name, part in self.parts.items():
            part.set_state(state.part(name))
