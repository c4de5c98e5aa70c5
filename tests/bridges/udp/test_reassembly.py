"""Parts of messages: any order, doubles, gaps, lies; memory stays bounded."""

import random
from collections import Counter

import pytest

from outrider.bridges.udp.header import MOST_HEADER, Header, read_header
from outrider.bridges.udp.reassembly import Reassembly
from outrider.bridges.udp.send_queue import OutgoingMessage, SendQueue

PEER, OTHER = ("127.0.0.1", 1), ("127.0.0.1", 2)
BODY = bytes(random.Random(1).randbytes(10_000))


def cut(body=BODY, seq=1, size=1000, **fields):
    """Return the datagrams of one message."""
    header = Header(1, seq, 0, 1, 5, 6, "/cloud", "velodyne")._replace(**fields)
    outgoing = OutgoingMessage(PEER, header, (memoryview(body),), size + MOST_HEADER)
    found = []
    while outgoing.next < outgoing.parts:
        found.append(b"".join(outgoing.datagram()))
        outgoing.next += 1
    return found


class Table:
    """A merger and its counts."""

    def __init__(self, most_bytes=100_000):
        self.counts = Counter()
        self.merger = Reassembly(self.counts, most_bytes, 1.0)

    def put(self, datagram, peer=PEER, now_s=0.0):
        header, start = read_header(datagram)
        found = self.merger.add(peer, header, memoryview(datagram)[start:], now_s)
        return None if found is None else bytes(found)


@pytest.mark.parametrize("size", [79, 100, 999, 1000, 9_999, 10_000, 20_000])
def test_parts_make_the_message_again_in_any_order(size):
    parts = cut(size=size)
    assert len(parts) == -(-len(BODY) // size)
    random.Random(size).shuffle(parts)
    table = Table()
    assert [table.put(part) for part in parts] == [None] * (len(parts) - 1) + [BODY]
    assert (len(table.merger), table.merger.bytes, table.counts) == (0, 0, Counter())


def test_an_empty_body_is_a_message_too():
    (only,) = cut(b"")
    assert Table().put(only) == b""


def test_two_messages_and_two_peers_may_mix_their_parts():
    table, one, two = Table(), cut(seq=1), cut(BODY[::-1], seq=2)
    mixed = [(part, PEER) for pair in zip(one, two, strict=True) for part in pair]
    mixed = [item for part, _ in mixed for item in ((part, PEER), (part, OTHER))]
    found = [table.put(*item) for item in mixed]
    assert [body for body in found if body] == [BODY, BODY, BODY[::-1], BODY[::-1]]


def test_a_part_that_comes_twice_counts_once():
    table, parts = Table(), cut()
    assert table.put(parts[0]) is table.put(parts[0]) is None
    assert [table.put(part) for part in parts[1:]][-1] == BODY
    assert table.counts == {"duplicate": 1}


def test_a_missing_part_loses_its_message_alone():
    table = Table()
    for part in cut(seq=1)[1:]:
        assert table.put(part, now_s=0.0) is None
    assert [table.put(part, now_s=0.9) for part in cut(seq=2)][-1] == BODY
    table.merger.expire(0.95)
    assert len(table.merger) == 1
    table.merger.expire(1.05)
    assert (len(table.merger), table.merger.bytes) == (0, 0)
    assert table.counts == {"incomplete": 1}


@pytest.mark.parametrize(
    "lie",
    [{"nanosec": 7}, {"sec": 1}, {"type": 2}, {"link": "other"}],
    ids=lambda lie: next(iter(lie)),
)
def test_parts_of_two_messages_with_one_number_are_never_merged(lie):
    table, one, two = Table(), cut(), cut(BODY[::-1], **lie)
    found = [table.put(part) for part in (*one[:5], *two[5:], *one[5:], *two[:5])]
    assert {body for body in found if body} <= {BODY, BODY[::-1]}
    assert table.counts["contradicting"] >= 1


def test_another_number_of_parts_is_a_contradiction():
    table = Table()
    table.put(cut(size=1000)[0])
    assert [table.put(part) for part in cut(size=500)][-1] == BODY
    assert table.counts == {"contradicting": 1}


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_parts_of_unequal_length_are_a_contradiction(order):
    parts = cut(BODY[:3000])
    parts[1] = parts[1][:-1]
    table = Table()
    assert [table.put(parts[number]) for number in order] == [None] * 3
    assert table.counts["contradicting"] >= 1


def test_a_message_beyond_the_limit_is_not_even_begun():
    table = Table(most_bytes=9000)
    assert all(table.put(part) is None for part in cut()[:-1])
    assert table.counts == {"too large": 9}
    assert table.merger.bytes == 0


def test_half_messages_without_end_take_bounded_memory():
    table = Table(most_bytes=20_000)
    for seq in range(2000):
        table.put(cut(seq=seq)[seq % 10])
    for seq in range(2000, 4000):  # the shortest parts of the most parts
        table.put(cut(b"x" * 100, seq=seq, size=1)[0])
    assert table.merger.bytes <= 2 * 20_000
    assert len(table.merger) <= 512
    assert table.counts["incomplete"] == 4000 - len(table.merger)


def test_topics_take_turns_so_that_a_large_message_delays_no_small_one():
    box = SendQueue(Counter(), depth=10, most_bytes=10**6)
    large = OutgoingMessage(PEER, Header(1, 0, 0, 1, 0, 0, "/cloud"), (memoryview(BODY),), 1000)
    small = OutgoingMessage(PEER, Header(2, 0, 0, 1, 0, 0, "/imu"), (memoryview(b"x"),), 1000)
    box.put(large)
    box.put(small)
    assert box.turn() is large
    box.pass_on()
    assert box.turn() is small
    box.done(small)
    assert box.turn() is large


def test_a_full_outbox_keeps_the_newest_and_what_is_half_sent():
    counts = Counter()
    box = SendQueue(counts, depth=3, most_bytes=10**6)
    messages = [
        OutgoingMessage(PEER, Header(1, seq, 0, 1, 0, 0, "/cloud"), (memoryview(BODY),), 1000)
        for seq in range(6)
    ]
    box.put(messages[0])
    messages[0].next = 1
    for outgoing in messages[1:]:
        box.put(outgoing)
    sent = []
    while (outgoing := box.turn()) is not None:
        sent.append(outgoing.seq)
        box.done(outgoing)
    assert sent == [0, 4, 5]
    assert counts == {"overrun": 3}
