"""Domains of our own: other tests, and other people's, may run on this machine beside us."""

import random
import socket
from functools import cache

_claimed: list[socket.socket] = []


@cache
def free_domain(purpose: str = "") -> int:
    """Return a domain that no other process has claimed; it stays ours until this one ends."""
    for number in random.sample(range(1, 100), 99):
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            claim.bind(f"\0outrider-test-domain-{number}")
        except OSError:
            claim.close()
            continue
        _claimed.append(claim)
        return number
    raise AssertionError(f"all domains are taken{purpose and f', none is left for {purpose}'}")
