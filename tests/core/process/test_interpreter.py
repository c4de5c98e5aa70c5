"""A thread that is busy rests now and then, so that the loop gets its turn."""

import sys

import pytest

from outrider.core.process import interpreter
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session.session import Session
from outrider.sim.runner import Runner


def nothing():
    pass


@pytest.fixture
def rests(monkeypatch):
    found = []
    monkeypatch.setattr(interpreter.time, "sleep", found.append)
    return found


def busy(calls):
    for _ in range(calls):
        nothing()


def test_a_busy_thread_rests_between_two_calls_of_functions(rests, monkeypatch):
    now = iter(range(10**9))  # the clock goes on by a second whenever it is read
    monkeypatch.setattr(interpreter.time, "perf_counter", lambda: next(now))
    busy(100)
    assert not rests
    with interpreter.giving_way():
        busy(100)
    assert not rests, "no loop runs that could need the interpreter"
    with interpreter.looping():
        with interpreter.giving_way():
            busy(100)
        assert len(rests) > 50
        rests.clear()
        busy(100)
        assert not rests


def test_who_is_measured_by_somebody_else_is_left_alone():
    seen = []
    sys.setprofile(lambda *_: seen.append(1))
    try:
        mine = sys.getprofile()
        with interpreter.looping(), interpreter.giving_way():
            assert sys.getprofile() is mine
        assert sys.getprofile() is mine
    finally:
        sys.setprofile(None)


def test_turns_are_short_until_the_last_loop_ends():
    before = sys.getswitchinterval()
    with interpreter.looping():
        with interpreter.looping():
            assert sys.getswitchinterval() < before
        assert sys.getswitchinterval() < before
    assert sys.getswitchinterval() == before


def test_a_run_is_such_a_loop():
    before, seen = sys.getswitchinterval(), []
    runner = Runner(Session(Scenario()).simulation)
    runner.run(0.01, watch=lambda _: seen.append(sys.getswitchinterval()))
    assert seen
    assert max(seen) < before == sys.getswitchinterval()
