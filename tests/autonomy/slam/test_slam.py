"""SLAM corrects an odometry that drifts."""

from itertools import cycle, repeat

import numpy as np
import room

from outrider.autonomy.clouds import write_cloud
from outrider.autonomy.poses import odometry_message
from outrider.autonomy.slam.key_frames import Fit
from outrider.autonomy.slam.slam import Slam
from outrider.autonomy.slam.spec import SlamSpec
from outrider.core.frames import Pose


def round_trip(slam: Slam) -> list[tuple[Pose, Pose]]:
    """Drive a circle and a bit more, with an odometry that drifts; return true and estimated."""
    poses = []
    for k in range(34):
        a = 2 * np.pi * k / 28
        true = Pose.from_rpy([2 * np.sin(a), 2 - 2 * np.cos(a), 0.0], [0.0, 0.0, a])
        drift = Pose.from_rpy([0.012 * k, 0.008 * k, 0.0], [0.0, 0.0, 0.004 * k])
        odometry = drift @ true
        now_ns = k * 10**9
        message = odometry_message(odometry, np.zeros((6, 6)), now_ns, ("odom", "base_link"))
        slam.take("odometry", message, now_ns)
        xyz = room.scan_points(true, seed=k) + np.array([0.0, 0.0, room.SENSOR_Z])
        slam.take("cloud", write_cloud(xyz, now_ns, "base_link"), now_ns)
        poses.append((true, slam.T_map_odom @ odometry))
    return poses


def test_coming_back_closes_the_loop() -> None:
    spec = SlamSpec(key_m=0.3, apart=15, odometry_m=0.03, odometry_deg=0.3)  # as it drifts
    slam = Slam(spec)
    poses = round_trip(slam)
    assert slam.loops
    assert all(b - a >= 15 for a, b in slam.loops)
    true, found = poses[-1]
    assert np.linalg.norm(found.position - true.position) < 0.12
    key = slam.trajectory[-1][1]
    assert np.linalg.norm(key.position - true.position) < 0.12


def test_without_loops_the_drift_stays() -> None:
    slam = Slam(SlamSpec(key_m=0.3, apart=15, loops=False))
    true, found = round_trip(slam)[-1]
    assert not slam.loops
    assert np.linalg.norm(found.position - true.position) > 0.3


def test_a_large_correction_is_believed_only_if_it_is_found_twice(monkeypatch) -> None:
    for signs, believed in ((cycle([1.0, -1.0]), False), (repeat(1.0), True)):

        def wrong(target: object, source: object, guess: Pose, signs=signs) -> Fit:
            return Fit(Pose(guess.position + 0.8 * next(signs), guess.rotation), 1.0)

        monkeypatch.setattr("outrider.autonomy.slam.slam.register", wrong)
        slam = Slam(SlamSpec(key_m=0.3, apart=15))
        round_trip(slam)
        assert bool(slam.loops) == believed
