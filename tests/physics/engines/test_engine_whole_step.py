"""MuJoCo's step in one compiled call against the same step in parts."""

import pytest
from vehicle_rig import Rig, stand

from outrider.physics.mujoco.contact_pairs import ContactPairs


def _driven() -> Rig:
    rig = stand("jackal")
    rig.drive(0.8, 0.5)
    rig.run(0.4)
    return rig


def test_one_compiled_call_moves_a_robot_as_its_parts_do(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _driven()
    monkeypatch.setattr(ContactPairs, "nothing", False)
    parts = _driven()
    assert whole.base["position"][0] > 0.05
    ends = [rig.engine.state.hash(*rig.engine.arrays()) for rig in (whole, parts)]
    assert ends[0] == ends[1]
