"""Runs of small messages in one call: on the wire they are the same datagrams."""

import errno
import socket
from collections import Counter

import pytest

from outrider.bridges.udp.exchange import header_of
from outrider.bridges.udp.header import number_message, read_header
from outrider.bridges.udp.offload import Offload
from outrider.bridges.udp.send_queue import OutgoingMessage, SendQueue

FULL = 65_507


def outgoing(peer, seq, body):
    header = number_message(header_of(2, "/imu", 5, "base"), seq)
    return OutgoingMessage(peer, header, (memoryview(body),), FULL)


def able(end):
    """Return the offload of a socket, where the system has it."""
    offload = Offload(end)
    if offload.most(outgoing(("127.0.0.1", 9), 1, b"x"), 1e6) == 1:
        pytest.skip("this system cannot cut datagrams (UDP GSO needs Linux 4.18)")
    return offload


class Refusing:
    """A socket of a system that cannot cut datagrams."""

    def setsockopt(self, *_):
        """Take the option, as a system may whose network card then refuses."""

    def sendmsg(self, *_):
        raise OSError(errno.EIO, "no checksum offload")


def test_messages_sent_together_arrive_as_the_datagrams_that_each_would_have_been():
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver,
    ):
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(30)
        peer = receiver.getsockname()
        messages = [outgoing(peer, seq, bytes([seq]) * 100) for seq in range(10)]
        offload = able(sender)
        assert offload.send(messages, peer)
        came = [receiver.recv(FULL) for _ in messages]
    assert came == [b"".join(one.datagram()) for one in messages]
    assert [read_header(raw)[0].seq for raw in came] == list(range(10))


def test_only_small_messages_on_this_computer_go_together_and_no_more_than_there_is_room_for():
    here, away = ("127.0.0.1", 9), ("192.0.2.7", 9)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        offload = able(sender)
        assert offload.most(outgoing(away, 1, b"x"), 1e6) == 1
        assert offload.most(outgoing(here, 1, bytes(100_000)), 1e6) == 1
        assert offload.most(outgoing(here, 1, bytes(20_000)), 1e6) == 3
        small = outgoing(here, 1, bytes(1000))
        assert offload.most(small, 5 * small.size) == 5


def test_a_run_ends_at_a_message_of_another_size():
    peer = ("127.0.0.1", 9)
    box = SendQueue(Counter(), depth=10, most_bytes=10**6)
    messages = [outgoing(peer, seq, bytes(size)) for seq, size in enumerate((9, 9, 9, 8, 9))]
    for one in messages:
        box.put(one)
    assert box.alike(messages[0], 32) == messages[:3]
    assert box.alike(messages[0], 2) == messages[:2]


def test_a_system_that_refuses_is_not_asked_again():
    peer = ("127.0.0.1", 9)
    offload = Offload(Refusing())
    one = outgoing(peer, 1, b"x")
    assert offload.most(one, 1e6) > 1
    assert not offload.send([one, one], peer)
    assert offload.most(one, 1e6) == 1
