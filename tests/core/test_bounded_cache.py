"""Results kept by their size."""

from dataclasses import dataclass

import numpy as np
import pytest

from outrider.core.bounded_cache import array_bytes, bounded_cache


@dataclass(frozen=True, eq=False)
class Thing:
    parts: tuple[np.ndarray, ...]
    name: str = ""


@pytest.fixture
def calls():
    return []


@pytest.fixture
def make(calls):
    @bounded_cache(1000)
    def make(name: str, size: int) -> Thing:
        calls.append(name)
        return Thing((np.zeros(size, np.uint8),), name)

    return make


def test_what_is_known_is_not_made_again(make, calls):
    assert make("a", 400) is make("a", 400)
    assert calls == ["a"]


def test_the_longest_unused_goes_first(make, calls):
    for name in ("a", "b", "a", "c"):  # of b and c one is too many
        make(name, 400)
    make("a", 400)
    assert calls == ["a", "b", "c"]
    make("b", 400)
    assert calls == ["a", "b", "c", "b"]


def test_one_that_is_too_large_by_itself_is_kept_until_the_next(make, calls):
    make("a", 10)
    make("huge", 5000)
    make("huge", 5000)
    make("b", 10)
    make("huge", 5000)
    assert calls == ["a", "huge", "b", "huge"]


def test_nothing_is_known_after_clearing_and_errors_are_not_kept(make, calls):
    make("a", 10)
    make.cache_clear()
    make("a", 10)
    for _ in range(2):
        with pytest.raises(ValueError, match="negative"):
            make("b", -1)
    assert calls == ["a", "a", "b", "b"]


def test_bytes_of_arrays_are_counted_wherever_they_are():
    arrays = {"x": [np.zeros(3), (np.zeros(2, np.int32),)], "y": Thing((np.zeros(5, bool),))}
    assert array_bytes(arrays) == 24 + 8 + 5
    assert array_bytes("text") == array_bytes(None) == array_bytes(7) == 0
