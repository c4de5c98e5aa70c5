"""Several datagrams of one size handed to the system in one call: Linux cuts them (UDP GSO).

What a peer receives is the same. Only on loopback: a network would lose them together.
"""

import errno
import socket
import struct
from contextlib import suppress
from functools import lru_cache

from outrider.bridges.addresses import is_loopback
from outrider.bridges.udp.header import MOST_DATAGRAM
from outrider.bridges.udp.reassembly import Peer
from outrider.bridges.udp.send_queue import OutgoingMessage

_UDP_SEGMENT = 103  # of linux/udp.h; Python has no name for it
_MOST = 32  # datagrams in one call; Linux takes 64
_SIZE = struct.Struct("=H")


class Offload:
    """Sends runs of small messages, as long as the system takes them."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._able = False
        with suppress(OSError):
            end.setsockopt(socket.IPPROTO_UDP, _UDP_SEGMENT, 0)
            self._able = True

    def most(self, outgoing: OutgoingMessage, room: float) -> int:
        """Return how many messages like this one may go in one call; 1 is not worth it."""
        if not self._able or outgoing.parts > 1 or not _local(outgoing.peer[0]):
            return 1
        return min(_MOST, MOST_DATAGRAM // outgoing.size, int(room) // outgoing.size)

    def send(self, messages: list[OutgoingMessage], peer: Peer) -> bool:
        """Send messages of one datagram and one size each; return whether they went out."""
        pieces = [piece for outgoing in messages for piece in outgoing.datagram()]
        size = _SIZE.pack(messages[0].size)
        try:
            self._socket.sendmsg(pieces, [(socket.IPPROTO_UDP, _UDP_SEGMENT, size)], 0, peer)
        except OSError as error:
            self._able = error.errno in (errno.EAGAIN, errno.ENOBUFS)
            return False
        return True


@lru_cache(maxsize=256)
def _local(host: str) -> bool:
    return is_loopback(host)
