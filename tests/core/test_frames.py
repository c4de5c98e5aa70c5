import math

import numpy as np
import pytest
import scipy.spatial.transform

from outrider.core import frames
from outrider.core.errors import ConfigError
from outrider.core.frames import Pose

scipy_rotation = scipy.spatial.transform.Rotation
RANDOM = np.random.default_rng(5)
ANGLES = [tuple(v) for v in RANDOM.uniform(-3.1, 3.1, (20, 3)) * [1, 0.49, 1]]


@pytest.mark.parametrize("rpy", ANGLES)
def test_rotations_agree_with_scipy(rpy: tuple[float, float, float]) -> None:
    ours = frames.quaternion_from_rpy(*rpy)
    theirs = scipy_rotation.from_euler("xyz", rpy)
    assert abs(ours @ theirs.as_quat()) == pytest.approx(1.0, abs=1e-12)
    matrix = frames.matrix_from_quaternion(ours)
    np.testing.assert_allclose(matrix, theirs.as_matrix(), atol=1e-12)
    back = frames.quaternion_from_matrix(matrix)
    assert abs(back @ ours) == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(frames.rpy_from_quaternion(ours), rpy, atol=1e-9)
    assert frames.yaw_of(ours) == pytest.approx(rpy[2], abs=1e-9)


@pytest.mark.parametrize("q", np.eye(4))
def test_half_turns_survive_the_way_through_a_matrix(q: np.ndarray) -> None:
    back = frames.quaternion_from_matrix(frames.matrix_from_quaternion(q))
    assert abs(back @ q) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("pitch", [math.pi / 2, -math.pi / 2])
@pytest.mark.parametrize("yaw", [-2.0, 0.3, 1.5])
def test_straight_up_and_down_keep_the_whole_rotation(pitch: float, yaw: float) -> None:
    q = frames.quaternion_from_rpy(0.0, pitch, yaw)
    again = frames.quaternion_from_rpy(*frames.rpy_from_quaternion(q))
    assert abs(again @ q) == pytest.approx(1.0, abs=1e-7)


def test_poses_chain_invert_and_move_points_as_matrices_do() -> None:
    for _ in range(20):
        a = Pose.from_rpy(RANDOM.normal(size=3), RANDOM.normal(size=3))
        b = Pose.from_rpy(RANDOM.normal(size=3), RANDOM.normal(size=3))
        np.testing.assert_allclose((a @ b).matrix, a.matrix @ b.matrix, atol=1e-12)
        np.testing.assert_allclose(a.inverse().matrix, np.linalg.inv(a.matrix), atol=1e-12)
        points = RANDOM.normal(size=(7, 3))
        moved = a.matrix @ np.column_stack([points, np.ones(7)]).T
        np.testing.assert_allclose(a.apply(points), moved.T[:, :3], atol=1e-12)
        np.testing.assert_allclose(Pose.from_matrix(a.matrix).matrix, a.matrix, atol=1e-12)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: Pose("box"), "position: expected 3 numbers, got 'box'"),
        (lambda: Pose(None), "position: expected 3 numbers, got None"),
        (lambda: Pose((1.0, 2.0)), "position: expected 3 numbers, got (1.0, 2.0)"),
        (lambda: Pose((0, 0, 0), 1.5), "rotation: expected 4 numbers, got 1.5"),
        (lambda: Pose.from_rpy((0, 0, 0), ("a", 0, 0)), "rpy: expected 3 numbers, got ('a', 0, 0)"),
    ],
)
def test_what_is_no_pose_is_refused_in_one_sentence(make, complaint):
    with pytest.raises(ConfigError) as refused:
        make()
    assert str(refused.value) == f"a pose's {complaint}"
