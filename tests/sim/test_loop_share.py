"""A client's next change waits until the run has made up for the last one."""

import pytest

from outrider.sim.loop_share import LoopShare


@pytest.fixture
def share():
    """A change of 2 s is over, in which the run got on by 0.5 s."""
    share = LoopShare()
    share.begin(100.0, 7.0)
    share.end(102.0)
    return share


def test_a_client_waits_until_the_run_has_kept_most_of_its_speed(share):
    with share.of_client():
        assert share.must_wait(102.0, 7.5, 1.0)
        assert share.must_wait(105.0, 10.5, 1.0)
        assert not share.must_wait(108.0, 13.5, 1.0)  # 6.5 s in 8


def test_a_run_that_lost_nothing_is_not_waited_for(share):
    with share.of_client():
        assert not share.must_wait(102.0, 8.9, 1.0)
        assert share.must_wait(102.0, 8.9, 2.0)  # at twice its speed it did


def test_nobody_waits_for_longer_than_a_multiple_of_the_change(share):
    with share.of_client():
        assert share.must_wait(109.9, 7.5, 1.0)
        assert not share.must_wait(110.0, 7.5, 1.0)


def test_who_started_the_run_and_a_run_flat_out_are_not_held_up(share):
    assert not share.must_wait(102.0, 7.5, 1.0)
    with share.of_client():
        assert not share.must_wait(102.0, 7.5, 0.0)


def test_the_first_change_begins_at_once():
    share = LoopShare()
    with share.of_client():
        assert not share.must_wait(100.0, 7.0, 1.0)


def test_a_change_that_fails_counts_too(share):
    share.begin(110.0, 15.0)
    share.end(111.0)
    with share.of_client():
        assert share.must_wait(111.0, 15.1, 1.0)
