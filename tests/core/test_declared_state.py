"""A component that lists its attributes is saved and restored by them, name by name."""

from dataclasses import dataclass

import numpy as np
import pytest

from outrider.core.declared_state import DeclaredState
from outrider.core.errors import ConfigError
from outrider.core.seeds import generator
from outrider.core.state import State


@dataclass(frozen=True, slots=True)
class Record:
    """A plain dataclass."""

    count: int
    on: bool


class Inner(DeclaredState):
    """A component of another one."""

    state_fields = ("place",)

    def __init__(self, place: float) -> None:
        self.place = np.array([place])


class Outer(DeclaredState):
    """A component with an attribute of each kind."""

    state_fields = ("_total", "name", "_record", "_random", "inner", "pair")

    def __init__(self, total: float, name: str, count: int, seed: int) -> None:
        self._total, self.name = total, name
        self._record = Record(count, count > 1)
        self._random = generator(seed, "outer")
        self.inner = Inner(total)
        self.pair = Inner(total + 1), Inner(total + 2)

    def draw(self) -> float:
        return float(self._random.random())


def test_every_kind_of_attribute_comes_back_under_its_name() -> None:
    first, second = Outer(1.5, "a", 3, seed=1), Outer(0.0, "", 0, seed=2)
    first.draw()
    state = first.get_state()
    second.set_state(state)
    assert list(state) == ["total", "name", "record", "random", "inner", "pair"]
    assert (second._total, second.name, second._record) == (1.5, "a", Record(3, True))
    assert second.inner.place.tolist() == [1.5]
    assert [one.place.tolist() for one in second.pair] == [[2.5], [3.5]]
    assert second.draw() == first.draw()
    assert list(state.unread()) == []


def test_a_value_of_another_type_or_shape_is_refused_with_its_name() -> None:
    with pytest.raises(ConfigError, match="place: expected an array of the shape"):
        Inner(0.0).set_state(State(place=np.zeros(2)))
    with pytest.raises(ConfigError, match="place is missing"):
        Inner(0.0).set_state(State())


def test_without_a_list_there_is_no_state() -> None:
    class Nothing(DeclaredState):
        """Remembers nothing."""

    part = Nothing()
    part.set_state(part.get_state())
    assert len(part.get_state()) == 0
