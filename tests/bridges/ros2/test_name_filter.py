"""Patterns of peers: found as they should be, and bounded in time."""

import pytest

from outrider.bridges.ros2.name_filter import found_names
from outrider.core.errors import BridgeError

NAMES = ["ground", "jackal", "box_1", "box_20"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("", NAMES),
        ("box", ["box_1", "box_20"]),
        ("^jackal$", ["jackal"]),
        ("ack$", []),
        (r"box_\d$", ["box_1"]),
        ("^(ground|jackal)", ["ground", "jackal"]),
    ],
)
def test_names_are_found_by_a_regular_expression(pattern, found):
    assert found_names(pattern, NAMES) == found


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"^(((((\w*)*)*)*)*)*(((\w|\w|\w)*)*)*!", "takes more than"),
        ("(", "filter: missing"),
        ("x" * 5000, "up to 1000 letters"),
    ],
)
def test_a_pattern_that_takes_for_ever_is_given_up(pattern, reason):
    with pytest.raises(BridgeError, match=reason):
        found_names(pattern, NAMES)
