"""Parts of a large message that come in order are received straight to their places.

That saves copying each of them once more. It is a guess: a datagram that turns out to be another
is handed back whole, and what it left in the place is written over by the part that belongs there.
"""

import socket

from outrider.bridges.udp.header import Header, number_part
from outrider.bridges.udp.reassembly import PartSlots, Peer

_spill = memoryview(bytearray(65_536))  # for what is longer than the part that was expected


class InPlaceReceiver:
    """The place of the part that should come next."""

    def __init__(self, peer: Peer, header: Header, head: bytes, row: PartSlots) -> None:
        """``head`` are the header's bytes of the part that came last."""
        self.peer = peer
        self._part, self._parts = header.part + 1, header.parts
        self._place, self._size, self._came = row
        self._expected, self.head = bytearray(head), bytearray(len(head))
        self.bytes = len(head) + self._size  # of a datagram

    @property
    def open(self) -> bool:
        """Whether the next part is missing and has its full length: the last one has not."""
        return self._part < self._parts - 1 and self._part not in self._came

    def receive(self, end: socket.socket) -> tuple[bytes, Peer] | None:
        """Receive one datagram; return it if it is not the part that was expected."""
        start = self._part * self._size
        place = self._place[start : start + self._size]
        got, _, _, peer = end.recvmsg_into((self.head, place, _spill))
        number_part(self._expected, self._part, self._parts)
        if got != self.bytes or self.head != self._expected or peer != self.peer:
            return b"".join((self.head, place, _spill))[:got], peer
        self._came.add(self._part)
        self._part += 1
        return None
