"""Helpers: compiled work beside the thread that asks for it."""

import threading

import numpy as np
import pytest

from outrider.core.process.faster_choice import FasterChoice
from outrider.core.process.helper_threads import Helpers, at_most, helpers


def flag() -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    return np.zeros(1, np.bool_)


def _held(gate: threading.Event) -> None:
    gate.wait(30)


def one_helper() -> Helpers:
    found = Helpers()
    found.most = 1
    return found


def test_work_is_done_in_another_thread() -> None:
    seen = []
    job = one_helper().begin(lambda: seen.append(threading.current_thread().name), flag())
    assert job is not None
    job.wait()
    assert seen == ["helper"]


def test_a_busy_helper_is_not_waited_for() -> None:
    helpers, gate = one_helper(), threading.Event()
    first = helpers.begin(lambda: _held(gate), flag())
    assert first is not None
    assert not first.done
    assert helpers.begin(lambda: None, flag()) is None
    gate.set()
    first.wait()
    assert helpers.begin(lambda: None, flag()) is not None


def test_what_goes_wrong_is_raised_where_it_is_waited_for() -> None:
    helpers = one_helper()

    def fail() -> None:
        raise ValueError("no rays")

    job = helpers.begin(fail, flag())
    assert job is not None
    with pytest.raises(ValueError, match="no rays"):
        job.wait()
    after = helpers.begin(lambda: None, flag())
    assert after is not None
    after.wait()


def test_without_helpers_nothing_begins() -> None:
    with at_most(0):
        assert helpers().begin(lambda: None, flag()) is None


def test_the_way_that_took_less_time_is_taken() -> None:
    quicker = FasterChoice()
    for cost in ({True: 2.0, False: 1.0}, {True: 1.0, False: 2.0}):
        taken = []
        for _ in range(64):
            way = quicker.choose()
            quicker.note(way, cost[way])
            taken.append(way)
        assert taken[:6] == [True] * 3 + [False] * 3
        assert set(taken[6:]) == {cost[True] < cost[False]}


def test_one_long_time_does_not_change_the_way_but_several_do() -> None:
    quicker = FasterChoice()
    taken = []
    for turn in range(30):
        way = quicker.choose()
        slow = turn == 10 or turn >= 20
        quicker.note(way, (9.0 if slow else 1.0) if way else 2.0)
        taken.append(way)
    assert all(taken[6:20])
    assert not any(taken[24:])
