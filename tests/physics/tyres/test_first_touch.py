"""A tyre that comes down takes hold of the ground little by little, wherever its rays are."""

import numpy as np
import pytest
from vehicle_rig import Rig, stand

from outrider.core.frames import Pose

STEP = 1e-5  # m


def depth_at(rig: Rig, pitch: float, height: float) -> float:
    """Put a robot somewhere; return how deep the ground presses into its tyres."""
    pose = Pose.from_rpy([0.0, 0.0, height], [0.0, pitch, 0.0])
    rig.engine.place(rig.vehicle.root, pose, np.zeros(3), np.zeros(3))
    rig.tyres.apply(rig.engine, rig.motors.predicted, rig.dt)
    return float(rig.tyres.rows["row_depth"].max())


@pytest.mark.parametrize("pitch_deg", [0.0, 2.0, 4.0, 12.0, 20.0])
@pytest.mark.parametrize("robot", ["husky", "tank", "create"])
def test_a_tyre_that_comes_down_is_not_deep_at_once(robot: str, pitch_deg: float) -> None:
    rig, pitch = stand(robot), np.radians(pitch_deg)
    coarse = np.arange(2.0, -1.0, -1e-3)
    touches = next(height for height in coarse if depth_at(rig, pitch, height) > 0.0)
    heights = np.arange(touches + 2e-3, touches - 1e-3, -STEP)
    depths = np.array([depth_at(rig, pitch, height) for height in heights])
    assert depths[0] == 0.0
    assert depths[-1] > 5e-4
    assert np.diff(depths).max() < 1.5 * STEP
