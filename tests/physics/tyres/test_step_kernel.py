"""The tyres' step in one compiled call against the same step in parts."""

import numpy as np
import pytest
from vehicle_rig import SMOOTH, Rig, plane, stand, still

from outrider.core.frames import Pose
from outrider.scene.surface import Surface
from outrider.vehicles.robot import load_robot
from outrider.world.shapes import HeightField


def _hills() -> HeightField:
    heights = np.random.default_rng(3).normal(0.0, 0.04, (41, 41))
    return HeightField(heights, (20.0, 20.0))


def _driven() -> Rig:
    rig = stand(load_robot("husky"), still("hills", _hills(), Pose(), SMOOTH))
    rig.drive(0.6, 0.4)
    rig.run(0.5)
    return rig


def test_packets_find_what_rays_find_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _driven()
    monkeypatch.setattr(Surface, "packets", lambda *_: None)
    parts = _driven()
    assert whole.tyres.rows["load"].max() > 50.0
    assert whole.tyres.rows.tobytes() == parts.tyres.rows.tobytes()
    assert whole.engine.state.hash() == parts.engine.state.hash()


def test_a_row_of_wheels_facing_along_x_is_felt_in_the_first_step() -> None:
    rig = stand(load_robot("husky"), plane())
    rig.step()
    left, right = rig.tyres.rows["row_depth"].T
    assert left.min() > 0.0
    assert right == pytest.approx(left, rel=1e-3)
