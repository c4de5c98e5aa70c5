"""The recent states of all bodies."""

import numpy as np
import pytest

from outrider.sensors.history import History, runs_of
from outrider.world.state import WorldState

STEP_NS = 10


@pytest.fixture
def state():
    return WorldState.zeros(4, 0)


def walk(state, history, steps):
    for _ in range(steps):
        state.time_ns += STEP_NS
        state.bodies["position"][:, 0] += np.arange(1.0, len(state.bodies) + 1.0)
        history.record()


def positions(history):
    times = np.arange(0, 60, STEP_NS)
    return [history.poses(body, times)[0].tolist() for body in range(history.ring.shape[1])]


def test_a_state_stays_as_it_was_taken_and_is_put_back(state):
    history = History(state, STEP_NS, 5 * STEP_NS)
    walk(state, history, 3)
    before, taken = positions(history), history.get_state()
    walk(state, history, 3)
    assert positions(history) != before
    history.set_state(taken)
    assert positions(history) == before
    history.forget()
    history.set_state(taken)
    assert positions(history) == before


def test_it_is_copied_only_if_it_is_written_again(state):
    history = History(state, STEP_NS, 5 * STEP_NS)
    ring = history.ring
    history.get_state()
    assert history.ring is ring
    walk(state, history, 1)
    assert history.ring is not ring
    ring = history.ring
    walk(state, history, 1)
    assert history.ring is ring


def test_the_past_of_bodies_in_another_order_is_taken_over(state):
    old = History(state, STEP_NS, 5 * STEP_NS)
    walk(state, old, 4)
    new = History(state.copy(), STEP_NS, 5 * STEP_NS)
    stood = positions(new)[1]
    new.take_over(old, runs_of(np.array([0, 2, 3]), np.array([3, 0, 1])))
    past = positions(old)
    assert positions(new) == [past[3], stood, past[0], past[1]]


def test_a_past_of_another_length_is_not_taken_over(state):
    old = History(state, STEP_NS, 5 * STEP_NS)
    walk(state, old, 4)
    new = History(state, STEP_NS, 9 * STEP_NS)
    new.take_over(old, runs_of(np.arange(4), np.arange(4)))
    assert np.ptp(positions(new)[3], axis=0).tolist() == [0.0, 0.0, 0.0]
