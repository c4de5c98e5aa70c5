"""What undo returns to is bounded in memory."""

import numpy as np

from outrider.core.state import State
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session import moments
from outrider.scenarios.session.moments import Moment, settle
from outrider.scenarios.session.saved_state import SavedState


def moment(count):
    state = State(pictures=np.zeros(count, np.uint8))
    return Moment(SavedState(Scenario(), Scenario(), state, "", ""), 0)


def test_the_oldest_moments_are_forgotten_when_all_are_too_large(monkeypatch):
    monkeypatch.setattr(moments, "_MOST_BYTES", 1000)
    past = [moment(400) for _ in range(4)]
    newest, future = past[2:], [moment(300)]
    settle(past[-1], past, future)
    assert past == newest
    assert len(future) == 1


def test_the_last_one_stays_however_large_it_is(monkeypatch):
    monkeypatch.setattr(moments, "_MOST_BYTES", 1000)
    past = [moment(10), moment(5000)]
    settle(past[-1], past)
    assert [one.saved.state.nbytes for one in past] == [5000]
