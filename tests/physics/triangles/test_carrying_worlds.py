"""Worlds of others carry what falls on them, and robots on their backs."""

from collections.abc import Callable
from pathlib import Path

import pytest
from carrying import AT_REST, dropped
from imported_worlds import WORLDS

from outrider.world.model import World


@pytest.mark.parametrize("make", WORLDS, ids=lambda make: make.__name__)
def test_nothing_falls_through_an_imported_world(
    make: Callable[[Path], World], shared_data: Path
) -> None:
    found = dropped(make(shared_data), 14, 1, "mujoco", 2.0, ("jackal",))
    assert len(found.names) > 7
    assert found.names[-1] == "jackal_on_its_back"
    assert not found.fell.any()
    assert (found.off()[found.speeds < AT_REST] < 0.002).all()
