"""Sequence numbers: doubles and late ones are told apart, losses are counted."""

from collections import Counter

import pytest

from outrider.bridges.udp.header import SEQUENCE
from outrider.bridges.udp.ordering import Ordering

PEER = ("127.0.0.1", 1)


def delivered(numbers, topic="/imu"):
    """Return what gets through of numbers in this order, and the counts."""
    counts = Counter()
    ordering = Ordering(counts)
    found = []
    for seq in numbers:
        if not ordering.stale(PEER, topic, seq):
            ordering.deliver(PEER, topic, seq)
            found.append(seq)
    return found, {kind: count for kind, count in counts.items() if count}


@pytest.mark.parametrize(
    ("numbers", "through", "counts"),
    [
        ([7, 8, 9], [7, 8, 9], {}),
        ([7, 8, 8, 9, 7], [7, 8, 9], {"duplicate": 2}),
        ([7, 9, 8, 10], [7, 9, 10], {"lost": 1, "late": 1}),
        ([7, 12], [7, 12], {"lost": 4}),
        ([7, 100, 40, 100], [7, 100], {"lost": 92, "late": 1, "duplicate": 1}),
        ([SEQUENCE - 1, 0, 1], [SEQUENCE - 1, 0, 1], {}),
        ([SEQUENCE - 2, 1, SEQUENCE - 1], [SEQUENCE - 2, 1], {"lost": 2, "late": 1}),
        ([900_000, 5, 6], [900_000, 5, 6], {"restarted": 1}),
        ([5, 900_000, 900_001], [5, 900_000, 900_001], {"restarted": 1}),
    ],
)
def test_what_gets_through_and_what_is_counted(numbers, through, counts):
    assert delivered(numbers) == (through, counts)


def test_topics_and_peers_have_numbers_of_their_own():
    ordering = Ordering(Counter())
    ordering.deliver(PEER, "/imu", 5)
    assert ordering.stale(PEER, "/imu", 5)
    assert not ordering.stale(PEER, "/cloud", 5)
    assert not ordering.stale(("127.0.0.1", 2), "/imu", 5)
    ordering.forget(PEER)
    assert not ordering.stale(PEER, "/imu", 5)


def test_topics_without_end_take_bounded_memory():
    ordering = Ordering(Counter())
    for number in range(10_000):
        ordering.deliver(PEER, f"/t{number}", 1)
    assert len(ordering._seen) <= 4096
