"""A Husky with our tyres on Bullet: driving, turning, parked."""

import numpy as np
import pytest
from vehicle_rig import plane, stand

from outrider.physics.bullet.engine import BulletEngine
from outrider.world.materials import Material


def on_bullet(**options):
    pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    rig = stand("husky", **options)
    rig.engine = BulletEngine(rig.engine.assembly, rig.dt)
    return rig


def test_a_husky_on_bullet_drives_straight_for_ten_seconds():
    rig = on_bullet()
    rig.run(0.5)
    start = rig.base["position"].copy()
    rig.drive(0.3)
    rig.run(10.0)
    moved = rig.base["position"] - start
    assert moved[0] == pytest.approx(0.3 * 10.0, rel=0.02)  # it takes a moment to get going
    assert abs(moved[1]) < 1e-4
    assert abs(rig.yaw) < 1e-4


@pytest.mark.parametrize("ratio", [1.0, 0.48])
def test_a_husky_on_bullet_turns_with_the_effective_track_of_theory(ratio):
    rig = on_bullet(ground=plane(Material(friction=0.8, lateral_ratio=ratio)))
    rig.run(0.5)
    spec = rig.vehicle.robot.spec.drivetrain
    rig.drive(0.0, 0.3 / (spec.track * spec.track_multiplier))
    driven = rig.vehicle.driven
    rig.run(2.0)
    seen = rig.run(
        3.0,
        lambda: [rig.base["angular_velocity"][2], *rig.engine.state.joints["velocity"][driven]],
    ).mean(axis=0)
    track = (seen[3:].mean() - seen[1:3].mean()) * spec.wheel_radius / seen[0]
    half_base, half_track = 0.256, 0.2854
    expected = 2 * (half_track + ratio * half_base**2 / half_track)
    assert track == pytest.approx(expected, rel=0.02)


def test_a_husky_on_bullet_stays_parked_on_twenty_degrees():
    rig = on_bullet(ground=plane(slope_deg=20.0))
    start = rig.base["position"].copy()
    rig.run(6.0)  # its springs settle by micrometres for a while
    settled = rig.base["position"].copy()
    assert np.linalg.norm(settled - start) < 5e-3
    rig.run(8.0)
    assert np.linalg.norm(rig.base["position"] - settled) < 1e-6
