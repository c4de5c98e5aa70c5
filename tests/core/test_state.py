"""States are plain data: copied, checked by name, type and shape, and nothing in them is lost."""

import threading
from dataclasses import dataclass

import numpy as np
import pytest

from outrider.core.errors import ConfigError
from outrider.core.seeds import generator, generator_state, set_generator_state
from outrider.core.state import Given, Later, State, StateGroup


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """A plain dataclass."""

    count: int
    speed: float
    on: bool
    name: str
    place: np.ndarray


class Counter:
    """A part that remembers a number."""

    def __init__(self, count: int) -> None:
        self.count = count

    def get_state(self) -> State:
        return State(count=self.count)

    def set_state(self, state: State) -> None:
        self.count = state.integer("count")


def test_arrays_are_copied_on_the_way_in_and_out() -> None:
    place = np.arange(3.0)
    state = State(place=place)
    place[:] = -1
    state.array("place", place)[:] = -2
    assert state.array("place", place).tolist() == [0, 1, 2]


def test_its_bytes_are_those_of_all_its_arrays() -> None:
    inner = State(one=np.zeros(100), text="none", later=Later(lambda: np.zeros(1000)))
    state = State(inner=inner, many=[inner, State(two=np.zeros(50, np.uint8))], number=1)
    assert state.nbytes == 800 + 800 + 50
    state.finish()
    assert state.nbytes == 2 * 8800 + 50


def test_a_record_comes_back_field_by_field() -> None:
    like = Record(0, 0.0, False, "", np.zeros(3))
    found = State.of(Record(3, -0.5, True, "a", np.ones(3))).record(like)
    assert (found.count, found.speed, found.on, found.name) == (3, -0.5, True, "a")
    assert found.place.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "outer.inner.count is missing"),
        ({"count": 1.5}, r"outer\.inner\.count: expected a whole number, got 1\.5"),
        ({"count": True}, "expected a whole number"),
        ({"count": [1]}, "expected a whole number"),
    ],
)
def test_what_does_not_fit_is_told_with_its_full_name(values, sentence) -> None:
    state = State(outer=State(inner=State(values)))
    with pytest.raises(ConfigError, match=sentence):
        Counter(0).set_state(state.part("outer").part("inner"))


@pytest.mark.parametrize("wrong", [np.zeros(2), np.zeros(3, np.float32), np.zeros((3, 1)), 1.0])
def test_an_array_of_another_type_or_shape_is_refused(wrong) -> None:
    with pytest.raises(ConfigError, match=r"place: expected an array of"):
        State(place=wrong).array("place", np.zeros(3))


@pytest.mark.parametrize("thing", [object(), {"a": 1}, {1, 2}, b"x", np.array([None])])
def test_only_plain_data_goes_in(thing) -> None:
    with pytest.raises(TypeError, match="not plain data"):
        State(thing=thing)


def test_what_nobody_asked_for_is_found() -> None:
    parts = {"a": Counter(1), "b": Counter(2)}
    state = State(a=State(count=5), b=State(count=6, more=7), c=1)
    StateGroup(parts).set_state(state)
    assert (parts["a"].count, parts["b"].count) == (5, 6)
    assert sorted(state.unread()) == ["b.more", "c"]


def test_a_random_generator_goes_on_from_its_state() -> None:
    first, second = generator(1, "a"), generator(2, "b")
    first.integers(5, size=3, dtype=np.uint32)  # leaves half a number
    set_generator_state(second, generator_state(first))
    assert second.integers(1000, size=9, dtype=np.uint32).tolist() == (
        first.integers(1000, size=9, dtype=np.uint32).tolist()
    )
    assert second.standard_normal(5).tolist() == first.standard_normal(5).tolist()


def test_a_broken_generator_is_one_sentence() -> None:
    broken = State(state="zz", inc="1", has_uint32=0, uinteger=0)
    with pytest.raises(ConfigError, match="not a random generator"):
        set_generator_state(generator(1), broken)


def test_what_is_still_being_worked_out_is_worked_out_when_it_is_read_and_once() -> None:
    asked = []

    def work() -> State:
        asked.append(1)
        return State(speed=2.0)

    state = State(State(slow=Later(work), count=3), more=1)
    assert state.integer("count") == 3
    assert not asked
    assert state.part("slow").number("speed") == 2.0
    assert state.part("slow").number("speed") == 2.0
    assert len(asked) == 1
    assert list(state.unread()) == ["more"]


def test_what_two_threads_ask_for_is_worked_out_once() -> None:
    asked, begun, goes_on = [], threading.Event(), threading.Event()

    def work() -> int:
        asked.append(1)
        begun.set()
        assert goes_on.wait(60.0)
        return 3

    state = State(slow=Later(work))
    first, second = (threading.Thread(target=state.finish) for _ in range(2))
    first.start()
    assert begun.wait(60.0)
    second.start()
    goes_on.set()
    first.join()
    second.join()
    assert (state.integer("slow"), len(asked)) == (3, 1)


def test_a_state_can_be_finished_without_being_read() -> None:
    state = State(parts=[State(slow=Later(lambda: [State(a=1)]))])
    state.finish()
    assert list(state.unread()) == ["parts", "slow", "a"]
    assert state.parts("parts")[0].parts("slow")[0].integer("a") == 1


def test_records_are_copied_byte_by_byte() -> None:
    rows = np.zeros((2, 3), [("place", float, (3,)), ("name", "U4"), ("on", bool)])
    rows["place"], rows["name"], rows["on"] = 1.5, "abc", True
    for array in (rows, rows[:, ::2], rows[:0]):
        kept = State(rows=array).rows("rows", rows.dtype)
        assert kept.tobytes() == array.tobytes()
        assert not np.shares_memory(kept, array)


def test_an_array_that_is_given_away_is_not_copied_but_handed_out_as_a_copy():
    mine = np.arange(3.0)
    state = State(own=Given(mine))
    assert state["own"] is mine
    assert state.array("own", mine) is not mine
