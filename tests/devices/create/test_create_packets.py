"""Sizes and packing of the Open Interface's sensor packets, by its manual."""

import pytest

from outrider.devices.create.packets import GROUPS, PACKETS, known, members, packed


@pytest.mark.parametrize(
    ("group", "size"),
    {0: 26, 1: 10, 2: 6, 3: 10, 4: 14, 5: 12, 6: 52, 100: 80, 101: 28, 106: 12, 107: 9}.items(),
)
def test_groups_have_the_sizes_of_the_manual(group, size):
    assert sum(PACKETS[n].size for n in members(group)) == size
    assert len(packed(group, {})) == size


def test_values_stand_where_a_public_driver_looks_for_them():
    values = {"distance": -300, "angle": 90, "voltage": 14400, "current": -250, "charge": 2000}
    data = packed(0, {**values, "temperature": -5, "capacity": 2696, "charging_state": 2})
    assert int.from_bytes(data[12:14], "big", signed=True) == -300
    assert int.from_bytes(data[14:16], "big", signed=True) == 90
    assert data[16] == 2
    assert int.from_bytes(data[17:19], "big") == 14400
    assert int.from_bytes(data[19:21], "big", signed=True) == -250
    assert int.from_bytes(data[21:22], "big", signed=True) == -5
    assert int.from_bytes(data[22:24], "big") == 2000
    assert int.from_bytes(data[24:26], "big") == 2696


def test_what_does_not_fit_saturates():
    assert packed(19, {"distance": 99_999}) == (32767).to_bytes(2, "big")
    assert packed(19, {"distance": -99_999}) == (-32768).to_bytes(2, "big", signed=True)
    assert packed(27, {"wall_signal": 5000}) == (4095).to_bytes(2, "big")


def test_a_create_1_does_not_know_the_packets_of_its_successor():
    assert known(42, 1)
    assert not known(43, 1)
    assert not known(100, 1)
    assert known(58, 2)
    assert known(100, 2)
    assert not known(59, 2)
    assert all(n in PACKETS for group in GROUPS.values() for n in group)
