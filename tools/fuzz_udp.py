"""Sends a million random and mutated datagrams to a UDP Bridge and watches it.

Usage: python tools/fuzz_udp.py [COUNT] [SEED]

Prints what was counted and how much memory the bridge took; ends with an error if it no longer
answers, if a datagram ended in an unforeseen exception, or if memory grew by more than 200 MB.
"""

import socket
import sys
import time
from pathlib import Path

import psutil

sys.path[:0] = [str(Path(__file__).parents[1] / "tests" / "bridges" / path) for path in ("", "udp")]

from test_udp_fuzz import datagrams  # noqa: E402 - found by the path above
from udp_bench import served  # noqa: E402

from outrider.bridges.udp.bridge import UdpBridge  # noqa: E402

_MOST_MB = 200.0
_READ = ("datagrams in", "malformed", "useless report")


def main(count: int, seed: int) -> None:
    """Flood a bridge, then ask it for a message."""
    process = psutil.Process()
    with served() as sim, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        before_mb, most_mb, began_s = _memory_mb(process), 0.0, time.monotonic()
        for number, datagram in enumerate(datagrams(count, seed)):
            end.sendto(datagram, ("127.0.0.1", sim.bridge.port))
            if number % 500 == 0:
                _await_reading(sim.bridge)
                most_mb = max(most_mb, _memory_mb(process) - before_mb)
        took_s = time.monotonic() - began_s
        sim.reaches(sim.client())
        counts = sim.bridge.statistics()
    print(f"{count} datagrams in {took_s:.1f} s, {most_mb:.0f} MB more at most, it answers")
    for kind, number in sorted(counts.items()):
        print(f"  {kind}: {number}")
    if counts.get("failed") or most_mb > _MOST_MB:
        sys.exit("a datagram ended in an exception, or memory was not bounded")


def _await_reading(bridge: UdpBridge) -> None:
    """Wait until nothing more is read: datagrams that the system drops test nothing."""
    before = -1
    while (now := sum(bridge.statistics().get(kind, 0) for kind in _READ)) != before:
        before = now
        time.sleep(0.005)


def _memory_mb(process: psutil.Process) -> float:
    return float(process.memory_info().rss) / 1e6


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*(given + [1_000_000, 1][len(given) :]))
