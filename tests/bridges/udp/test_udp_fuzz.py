"""Random, mutated and contradicting datagrams: the bridge goes on, memory stays bounded."""

import random
import socket
import time
from contextlib import closing

import pytest
from udp_bench import TWIST, served

from outrider.bridges.udp.header import Header, write_header
from outrider.bridges.udp.wire import write_body
from outrider.messages.convert import from_dict


def samples():
    """Return good datagrams of several kinds."""
    twist = b"".join(write_body(from_dict(TWIST, {}), TWIST))
    bodies = {9: twist, 7: b"", 1: bytes(2000), 2: bytes(328), -1: bytes(8), -2: bytes(12)}
    return [
        bytes(write_header(Header(kind, seq, part, parts, 12, 0, topic, "base"))) + body
        for kind, body in bodies.items()
        for seq, (part, parts) in enumerate([(0, 1), (0, 3), (2, 3), (5, 200), (10**6, 10**7)])
        for topic in ("/cmd_vel", "/cloud", "/imu", "/*")
    ]


def mutated(datagram, chance):
    raw = bytearray(datagram)
    for _ in range(chance.randrange(1, 5)):
        place = chance.randrange(min(len(raw), 40))
        raw[place] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
    return bytes(raw[: chance.choice((len(raw), chance.randrange(len(raw) + 1)))])


def datagrams(count, seed):
    """Yield random ones, good ones and mutated ones."""
    chance, good = random.Random(seed), samples()
    for _ in range(count):
        kind = chance.randrange(4)
        if kind == 0:
            yield chance.randbytes(chance.randrange(200))
        elif kind == 1:
            yield chance.choice(good)
        else:
            yield mutated(chance.choice(good), chance)


@pytest.mark.parametrize("options", ["", ",token=secret"])
def test_the_bridge_goes_on_and_counts(options):
    with served(options) as sim:
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as end:
            for number, datagram in enumerate(datagrams(4000, seed=7)):
                end.sendto(datagram, ("127.0.0.1", sim.bridge.port))
                if number % 200 == 199:
                    time.sleep(0.01)  # so that most are read: a full buffer tests nothing
        sim.reaches(sim.client(token=options.partition("=")[2]))
        counts = sim.bridge.counts()
        assert counts["malformed"] > 1000
        assert counts["refused"] > 0
        assert "failed" not in counts
        assert sim.bridge._exchange.merger.bytes <= 2 * 64_000_000


def test_a_client_takes_nothing_from_others_than_its_simulator():
    with served() as sim, sim.client() as client:
        sim.reaches(client)
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as stranger:
            for datagram in datagrams(500, seed=3):
                stranger.sendto(datagram, ("127.0.0.1", client._exchange.port))
        sim.reaches(client, x=4.0)
        assert client.statistics()["refused"] > 0
        assert "failed" not in client.statistics()
