"""Packets byte by byte, and read back by velodyne-decoder: points, intensities and times."""

import struct

import numpy as np
import pytest
from velodyne_decoding import TURN_NS, cloud, decoded, flat, ordered

from outrider.bridges.velodyne.firings import firings
from outrider.bridges.velodyne.packets import data_packets, position_packet, rmc
from outrider.bridges.velodyne.stream import PacketStream
from outrider.core.errors import BridgeError

PERIOD_NS = 55_296


def packets(clouds, mode="strongest", lasts=None, rate_hz=10.0):
    stream = PacketStream(mode)
    lasts = lasts or [None] * len(clouds)
    return [
        packet
        for one, last in zip(clouds, lasts, strict=True)
        for packet in stream.add(
            firings(one, rate_hz), None if last is None else firings(last, rate_hz)
        )
    ]


def test_the_bytes_are_those_of_the_makers_manual():
    distance = np.zeros((1, 12, 2, 16), np.uint16)
    reflectivity = np.zeros((1, 12, 2, 16), np.uint8)
    distance[0, 0, 0, 0], reflectivity[0, 0, 0, 0] = 1000, 100  # 2 m
    distance[0, 11, 1, 15], reflectivity[0, 11, 1, 15] = 0x1234, 7
    azimuth = np.full((1, 12), 10_000, np.uint16)  # 100 degrees
    hour_and_a_bit = np.array([3_600_000_000_000 + 5_000_999])
    raw = data_packets(distance, reflectivity, azimuth, hour_and_a_bit, "strongest").tobytes()
    assert len(raw) == 1206
    assert raw[:7] == bytes.fromhex("ffee 1027 e803 64")
    assert raw[1197:1200] == bytes.fromhex("3412 07")
    assert raw[1200:] == struct.pack("<I", 5000) + bytes.fromhex("37 22")


def test_a_position_packet_has_512_bytes_and_the_sentence_at_206():
    sentence = rmc(3_723_500_000_000, 52.5, -13.25, True)
    raw = position_packet(3_723_500_000_000, sentence)
    assert len(raw) == 512
    assert struct.unpack_from("<I", raw, 198) == (123_500_000,)  # microseconds past the hour
    assert raw[202] == 2  # PPS locked
    assert raw[206:].rstrip(b"\0") == sentence.encode() + b"\r\n"


def test_the_sentence_is_rmc_with_its_checksum():
    said = rmc(3_723_500_000_000, -0.0000083, 13.999999999, True)
    assert said == "$GPRMC,010203,A,0000.0005,S,01400.0000,E,000.0,000.0,010126,,,A*" + said[-2:]
    checksum = 0
    for letter in said[1:-3].encode():
        checksum ^= letter
    assert said[-2:] == f"{checksum:02X}"
    assert ",V,,,,," in rmc(0, float("nan"), 0.0, True)


@pytest.mark.parametrize("rate_hz", [5.0, 10.0, 20.0])
def test_an_independent_decoder_finds_the_same_points_at_the_same_times(rate_hz):
    clouds = [cloud(turn, rate_hz=rate_hz) for turn in range(3)]
    made = packets(clouds, rate_hz=rate_hz)
    ours = np.concatenate([flat(one) for one in clouds])
    _compare(decoded(made), ours, made[-1][0], rate_hz)


def _compare(theirs, ours, last_packet_ns, rate_hz):
    ours = ordered(ours[ours[:, 0] < last_packet_ns * 1e-9 + 23.8 * PERIOD_NS * 1e-9])
    assert len(theirs) == len(ours) > 10_000
    distance = np.linalg.norm(ours[:, 2:5], axis=1)
    assert np.abs(np.linalg.norm(theirs[:, 2:5], axis=1) - distance).max() < 0.0011  # half a unit
    assert (theirs[:, 5] == ours[:, 5]).all()  # intensity
    late_s = np.abs(theirs[:, 0] - ours[:, 0])
    off_deg = np.degrees(np.linalg.norm(theirs[:, 2:5] - ours[:, 2:5], axis=1) / distance)
    assert (off_deg < 0.015 + np.degrees(0.0011 / distance)).all()  # an angle is in 0.01 degree
    # a revolution is no whole number of firings: in a packet with the end of one and the start of
    # the next, decoders take what follows the end for earlier than it was, by less than a firing
    turn_ns = 1e9 / rate_hz
    across = (ours[:, 0] * 1e9 % turn_ns < 24 * PERIOD_NS) & (ours[:, 0] * 1e9 >= turn_ns)
    assert late_s[~across].max() < 1.1e-6  # a packet's time is in whole microseconds
    assert late_s.max() < turn_ns % PERIOD_NS * 1e-9 + 1.1e-6


def test_packets_come_754_times_a_second_and_follow_one_another_without_a_gap():
    made = packets([cloud(turn) for turn in range(10)])
    assert len(made) == 753  # 18080 sequences of 24
    steps = np.diff([time_ns for time_ns, _ in made])
    gap_ns = TURN_NS % PERIOD_NS
    assert set(steps) == {24 * PERIOD_NS, 24 * PERIOD_NS + gap_ns}
    azimuths = [struct.unpack_from("<H", raw, 2)[0] for _, raw in made]
    turned = np.diff(azimuths) % 36_000
    assert turned.min() >= 477  # 24 sequences are 4.7776 degrees
    assert turned.max() <= 487


def test_dual_returns_are_pairs_of_blocks_the_last_one_first():
    strongest, last = cloud(0, seed=1), cloud(0, seed=2)
    single = packets([strongest])
    both = packets([strongest], "dual", [last])
    assert len(both) == 2 * len(single)
    raw = both[0][1]
    blocks = [raw[100 * n : 100 * n + 100] for n in range(12)]
    assert raw[1204] == 0x39
    assert all(blocks[n][:4] == blocks[n + 1][:4] for n in range(0, 12, 2))  # same azimuth
    assert b"".join(blocks[1::2]) == single[0][1][:600]
    assert b"".join(blocks[0::2]) == packets([last])[0][1][:600]
    assert both[1][0] - both[0][0] == 12 * PERIOD_NS


def test_an_independent_decoder_finds_both_returns():
    strongest, last = [[cloud(turn, seed=s, share=1.0) for turn in range(2)] for s in (1, 2)]
    theirs = decoded(packets(strongest, "dual", last))
    ours = np.concatenate([flat(one) for one in (*strongest, *last)])
    found = np.round(np.linalg.norm(theirs[:, 2:5], axis=1) / 0.002)
    wanted = np.round(np.linalg.norm(ours[:, 2:5], axis=1) / 0.002)
    missing = len(np.setdiff1d(wanted, found))
    assert len(theirs) > 0.99 * len(ours)
    assert missing / len(np.unique(wanted)) < 0.01  # what waits for the next packet


def test_one_return_alone_is_given_twice():
    only = cloud(0)
    raw = packets([only], "dual")[0][1]
    assert raw[4:100] == raw[104:200]


def test_nothing_seen_is_packets_of_zeros_that_turn_all_the_same():
    made = packets([cloud(0, share=0.0)])
    assert len(made) == 75
    blocks = [made[0][1][100 * n : 100 * n + 100] for n in range(12)]
    assert all(block[4:] == bytes(96) for block in blocks)
    azimuths = [struct.unpack_from("<H", block, 2)[0] for block in blocks]
    assert azimuths[0] == 18_000
    assert set(np.diff(azimuths)) <= {39, 40}


def test_a_jump_in_time_starts_a_new_packet():
    stream = PacketStream("strongest")
    stream.add(firings(cloud(0), 10.0))
    (first, _), *_ = stream.add(firings(cloud(7), 10.0))
    assert first == 7 * TURN_NS


def test_a_cloud_stamped_at_its_end_gives_the_same_packets():
    one = cloud(3)
    points = np.ascontiguousarray(one.data).view(np.uint8).copy().view(_point())
    points["time"] -= 1808 * PERIOD_NS * 1e-9
    one.header.stamp.nanosec += 1808 * PERIOD_NS
    one.data = points.view(np.uint8)
    assert packets([one]) == packets([cloud(3)])


def _point():
    from outrider.sensors.lidar.point_cloud import POINT

    return POINT


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda p: p.__setitem__("time", p["time"] * 1.1), "55.296"),
        (lambda p: p.__setitem__("ring", 16), "more than 16 rings"),
    ],
)
def test_another_sensors_cloud_is_refused_in_one_sentence(change, says):
    one = cloud(0)
    points = np.ascontiguousarray(one.data).copy().view(_point())
    change(points)
    one.data = points.view(np.uint8)
    with pytest.raises(BridgeError, match=says):
        firings(one, 10.0)


def test_a_cloud_without_rings_is_refused_in_one_sentence():
    one = cloud(0)
    one.fields = one.fields[:4]
    with pytest.raises(BridgeError, match="no field 'ring'"):
        firings(one, 10.0)
