"""Sequence numbers: which messages are new, duplicate, late or lost."""

from collections import Counter, OrderedDict
from dataclasses import dataclass

from outrider.bridges.udp.header import SEQUENCE
from outrider.bridges.udp.reassembly import Peer

_MOST_TOPICS = 4096  # of all peers together
_REMEMBERED = 64  # newest numbers of a topic of which is known whether they came
_RESTART = 100_000  # a jump that is no loss but a sender that began anew
_BACK = 1000  # the same, backward


@dataclass(slots=True)
class _Seen:
    last: int
    came: int = 1  # bit n: last - n was delivered


class Ordering:
    """Follows the numbers of every topic of every peer."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self._seen: OrderedDict[tuple[Peer, str], _Seen] = OrderedDict()

    def stale(self, peer: Peer, topic: str, seq: int) -> bool:
        """Return whether a message is not worth merging: it or a newer one has arrived before."""
        seen = self._seen.get((peer, topic))
        if seen is None:
            return False
        behind = (seen.last - seq) % SEQUENCE
        if behind > _BACK:
            return False
        came = behind < _REMEMBERED and seen.came >> behind & 1
        self._counts["duplicate" if came else "late"] += 1
        return True

    def deliver(self, peer: Peer, topic: str, seq: int) -> None:
        """Note a complete message, and how many are missing before it."""
        key = (peer, topic)
        seen = self._seen.get(key)
        if seen is None:
            self._seen[key] = _Seen(seq)
            if len(self._seen) > _MOST_TOPICS:
                self._seen.popitem(last=False)
            return
        ahead = (seq - seen.last) % SEQUENCE
        if ahead > _RESTART:
            self._counts["restarted"] += 1
            self._seen[key] = _Seen(seq)
            return
        self._counts["lost"] += ahead - 1
        seen.last = seq
        seen.came = (seen.came << ahead | 1) & ((1 << _REMEMBERED) - 1) if ahead < 64 else 1

    def forget(self, peer: Peer) -> None:
        """Forget a peer that is gone."""
        for key in [key for key in self._seen if key[0] == peer]:
            del self._seen[key]
