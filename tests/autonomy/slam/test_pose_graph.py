"""A pose graph closes what odometry leaves open."""

import numpy as np
import pytest

from outrider.autonomy.slam.pose_graph import PoseGraph
from outrider.core.frames import Pose


def test_a_square_with_drift_is_closed_by_one_exact_loop() -> None:
    graph = PoseGraph()
    graph.add_first(Pose())
    side = 10
    for k in range(4 * side):
        turn = np.pi / 2 if k % side == side - 1 else 0.0
        drifted = Pose.from_rpy([1.01, 0.005, 0.0], [0.0, 0.0, turn + 0.002])
        graph.add_step(drifted, 0.02, 0.2)
    before = np.linalg.norm(graph.poses[-1].position)
    graph.add_loop(0, 4 * side, Pose(), 1e-4, 0.001)
    graph.solve()
    assert before > 0.3
    assert np.linalg.norm(graph.poses[-1].position) < 0.01
    true = [np.array(p) for p in ((10.0, 0.0), (10.0, 10.0), (0.0, 10.0))]
    for corner, number in zip(true, (side, 2 * side, 3 * side), strict=True):
        assert np.linalg.norm(graph.poses[number].position[:2] - corner) < 0.35


def test_exact_steps_and_loops_stay_where_they_are() -> None:
    graph = PoseGraph()
    graph.add_first(Pose())
    for k in range(8):
        graph.add_step(
            Pose.from_rpy([1.0, 0.0, 0.0], [0.0, 0.0, np.pi / 2 if k % 2 else 0.0]), 0.01, 0.1
        )
    graph.add_loop(0, 8, Pose(), 0.01, 0.1)
    graph.solve()
    assert graph.poses[8].position == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)
    assert graph.poses[4].position == pytest.approx([2.0, 2.0, 0.0], abs=1e-6)
