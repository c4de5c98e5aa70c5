"""Subscriptions of peers; they expire unless renewed."""

import hmac
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from outrider.bridges.udp.reassembly import Peer
from outrider.core.errors import BridgeError

LEASE_S = 10.0  # that a subscription lasts; clients renew it every two seconds
_MOST_PATTERNS = 1000


@dataclass(slots=True)
class Subscriber:
    """One peer; patterns are topics, or several by ``*`` and ``?``."""

    until_s: float
    patterns: dict[str, float] = field(default_factory=dict)  # with the highest rate in Hz

    def rate_of(self, topic: str) -> float | None:
        """Return at most how often a topic is wanted (0: always), or None if it is not."""
        rates = [hz for pattern, hz in self.patterns.items() if fnmatchcase(topic, pattern)]
        if not rates:
            return None
        return 0.0 if 0.0 in rates else max(rates)


class Subscribers:
    """All peers, with a token if the bridge asks for one."""

    def __init__(self, token: str, most: int) -> None:
        self._token, self._most = token, most
        self.peers: dict[Peer, Subscriber] = {}

    @property
    def open(self) -> bool:
        """Whether anybody may send."""
        return not self._token

    def keep(self, peer: Peer, patterns: tuple[str, ...]) -> None:
        """Add a peer that the user named: its subscription never expires."""
        self.peers[peer] = Subscriber(float("inf"), dict.fromkeys(patterns, 0.0))

    def ask(self, peer: Peer, pattern: str, most_hz: float, token: str, now_s: float) -> bool:
        """Add or renew a subscription; return whether it is new."""
        found = self.peers.get(peer)
        named = found is not None and found.until_s == float("inf")
        if not named and not hmac.compare_digest(token.encode(), self._token.encode()):
            raise BridgeError(f"{peer[0]}:{peer[1]} subscribes without the token")
        if found is None:
            if len(self.peers) >= self._most:
                raise BridgeError(f"more than {self._most} peers subscribe")
            found = self.peers[peer] = Subscriber(0.0)
        if len(found.patterns) >= _MOST_PATTERNS and pattern not in found.patterns:
            raise BridgeError(
                f"{peer[0]}:{peer[1]} subscribes to more than {_MOST_PATTERNS} topics"
            )
        found.until_s = max(found.until_s, now_s + LEASE_S)
        changed = found.patterns.get(pattern) != most_hz
        found.patterns[pattern] = most_hz
        return changed

    def leave(self, peer: Peer, pattern: str) -> None:
        """Remove a subscription; without any, the peer is removed."""
        found = self.peers.get(peer)
        if found is not None:
            found.patterns.pop(pattern, None)
            if not found.patterns:
                del self.peers[peer]

    def expired(self, now_s: float) -> list[Peer]:
        """Return the peers that have not renewed, and forget them."""
        gone = [peer for peer, found in self.peers.items() if found.until_s < now_s]
        for peer in gone:
            del self.peers[peer]
        return gone
