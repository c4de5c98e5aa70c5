"""A cache in memory, bounded by the total size of its results."""

import dataclasses
import threading
from collections.abc import Callable, Hashable
from typing import Generic, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
T = TypeVar("T")


def bounded_cache(most_bytes: int) -> Callable[[Callable[P, T]], "BoundedCache[P, T]"]:
    """Keep a function's latest results, up to a total size of arrays, but always the newest."""
    return lambda function: BoundedCache(function, most_bytes)


class BoundedCache(Generic[P, T]):
    """A function of hashable arguments whose results are computed once."""

    def __init__(self, function: Callable[P, T], most_bytes: int) -> None:
        self.__doc__, self.__wrapped__ = function.__doc__, function
        self._most = most_bytes
        self._lock = threading.Lock()
        self._found: dict[Hashable, tuple[T, int]] = {}  # the latest used last
        self._bytes = 0

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what is known, or make it."""
        key = (args, tuple(sorted(kwargs.items())))
        with self._lock:
            if key in self._found:
                self._found[key] = self._found.pop(key)
                return self._found[key][0]
        made = self.__wrapped__(*args, **kwargs)
        with self._lock:
            self._take_in(key, made)
        return made

    def cache_clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._found.clear()
            self._bytes = 0

    def _take_in(self, key: Hashable, made: T) -> None:
        if key in self._found:  # another thread was faster
            self._bytes -= self._found.pop(key)[1]
        size = array_bytes(made)
        self._found[key] = made, size
        self._bytes += size
        while self._bytes > self._most and len(self._found) > 1:
            oldest = next(iter(self._found))
            self._bytes -= self._found.pop(oldest)[1]


def array_bytes(value: object) -> int:
    """Return how many bytes the arrays have that a value is made of."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, list | tuple):
        return sum(map(array_bytes, value))
    if isinstance(value, dict):
        return sum(map(array_bytes, value.values()))
    if dataclasses.is_dataclass(value):
        return sum(array_bytes(getattr(value, part.name)) for part in dataclasses.fields(value))
    return 0
