"""Sizes and times that bound an exchange of datagrams."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UdpLimits:
    """What one side of the bridge allows."""

    datagram: int = 0  # bytes; 0: the largest on loopback, one Ethernet frame elsewhere
    rate: float = 100e6  # bytes per second to peers that report nothing
    most_bytes: int = 64_000_000  # of one message that arrives
    wait_s: float = 1.0  # for missing parts
    depth: int = 100  # messages of one topic that may wait to be sent
