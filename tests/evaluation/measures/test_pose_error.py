import math

import numpy as np
import pytest

from outrider.core.errors import EvaluationError
from outrider.core.frames import Pose
from outrider.evaluation.measures.pose_error import (
    absolute_errors,
    aligned,
    best_fit,
    localization_figures,
    paired,
    relative_errors,
)
from outrider.evaluation.measures.statistics import spread_of
from outrider.evaluation.measures.trajectory import Trajectory, read_tum, write_tum


def line(count: int = 11, step: float = 1.0) -> Trajectory:
    return Trajectory.of([(i * 10**8, Pose(np.array([i * step, 0.0, 0.0]))) for i in range(count)])


def wandering(seed: int, count: int = 300) -> Trajectory:
    random = np.random.default_rng(seed)
    poses, pose = [], Pose()
    for number in range(count):
        poses.append((number * 50_000_000, pose))
        move, turn = random.normal([0.2, 0, 0], 0.1), random.normal(0, 0.1, 3)
        pose = pose @ Pose.from_rpy(move, turn)
    return Trajectory.of(poses)


def test_a_constant_offset_is_the_error_without_alignment_and_none_with_it():
    true = line()
    off = true.moved(Pose.from_rpy([0.3, 0.4, 0.0], [0.0, 0.0, 0.0]))
    errors = absolute_errors(off, true)
    assert errors.position_m == pytest.approx(np.full(11, 0.5))
    assert absolute_errors(aligned(off, true), true).position_m.max() < 1e-12


def test_a_heading_error_grows_with_the_way_from_the_first_pose():
    true = line()
    off = true.moved(Pose.from_rpy([0, 0, 0], [0, 0, math.radians(2.0)]))
    errors = absolute_errors(off, true)
    assert errors.rotation_deg == pytest.approx(np.full(11, 2.0))
    expected = 2 * math.sin(math.radians(1.0)) * np.arange(11)  # chords of the circle
    assert errors.position_m == pytest.approx(expected)


def test_a_way_ten_percent_too_long_is_off_by_ten_centimetres_per_metre():
    errors = relative_errors(line(step=1.1), line())
    assert errors.position_m == pytest.approx(np.full(10, 0.1))
    assert errors.rotation_deg == pytest.approx(np.zeros(10))
    _, scale = best_fit(line(step=1.25).positions, line().positions, scaled=True)
    assert scale == pytest.approx(0.8)
    with pytest.raises(EvaluationError, match="at least 3 poses, got 2"):
        best_fit(np.zeros((2, 3)), np.zeros((2, 3)), scaled=False)


def test_truth_is_taken_between_its_times_with_half_of_the_turn():
    true = Trajectory.of([(0, Pose()), (100, Pose.from_rpy([2, 0, 0], [0, 0, math.radians(90)]))])
    halfway = true.at(np.array([50], np.int64))
    assert halfway.positions[0] == pytest.approx([1, 0, 0])
    assert halfway.pose(0).rpy[2] == pytest.approx(math.radians(45))
    known, truth = paired(line(3), true)  # at 0, 0.1 and 0.2 s: the truth ends at 100 ns
    assert len(known) == len(truth) == 1


def test_no_common_time_means_no_figures():
    later = Trajectory(line().times_ns + 10**12, line().positions, line().rotations)
    assert localization_figures(later, line()) is None


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_evo_agrees_to_the_ninth_digit(seed):
    evo = pytest.importorskip("evo.core.metrics")
    trajectory = pytest.importorskip("evo.core.trajectory")

    def theirs(way: Trajectory):
        return trajectory.PoseTrajectory3D(
            way.positions.copy(), np.roll(way.rotations, 1, axis=1), way.times_ns / 1e9
        )

    true, estimated = wandering(seed), wandering(seed + 10)
    cases = [
        ("none", lambda _: None),
        ("origin", lambda t: t.align_origin(theirs(true))),
        ("rigid", lambda t: t.align(theirs(true))),
        ("similar", lambda t: t.align(theirs(true), correct_scale=True)),
    ]
    for how, align in cases:
        other = theirs(estimated)
        align(other)
        ours = absolute_errors(aligned(estimated, true, how), true)
        for relation, values in (
            (evo.PoseRelation.translation_part, ours.position_m),
            (evo.PoseRelation.rotation_angle_deg, ours.rotation_deg),
        ):
            ape = evo.APE(relation)
            ape.process_data((theirs(true), other))
            for key, value in ape.get_all_statistics().items():
                assert spread_of(values)[key] == pytest.approx(value, rel=1e-9, abs=1e-9), how
    for unit, delta, theirs_unit in (
        ("frames", 5, evo.Unit.frames),
        ("m", 2.0, evo.Unit.meters),
    ):
        ours = relative_errors(estimated, true, delta, unit)
        for relation, values in (
            (evo.PoseRelation.translation_part, ours.position_m),
            (evo.PoseRelation.rotation_angle_deg, ours.rotation_deg),
        ):
            rpe = evo.RPE(relation, delta, theirs_unit, pairs_from_reference=True)
            rpe.process_data((theirs(true), theirs(estimated)))
            assert values == pytest.approx(rpe.error, rel=1e-9, abs=1e-9)


def test_files_hold_a_trajectory_and_broken_ones_are_named(tmp_path):
    way = wandering(4)
    write_tum(tmp_path / "way.tum", way)
    again = read_tum(tmp_path / "way.tum")
    assert (again.times_ns == way.times_ns).all()
    assert again.positions == pytest.approx(way.positions, abs=1e-7)
    assert again.rotations == pytest.approx(way.rotations, abs=1e-8)
    (tmp_path / "bad.tum").write_text("0 1 2 3\n")
    with pytest.raises(EvaluationError, match=r"bad\.tum: expected 8 numbers in a line, got 4"):
        read_tum(tmp_path / "bad.tum")
    (tmp_path / "twice.tum").write_text("1 0 0 0 0 0 0 1\n1 0 0 0 0 0 0 1\n")
    with pytest.raises(EvaluationError, match="times must increase"):
        read_tum(tmp_path / "twice.tum")
    with pytest.raises(EvaluationError, match="cannot be read"):
        read_tum(tmp_path / "none.tum")
