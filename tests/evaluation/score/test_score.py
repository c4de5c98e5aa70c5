import numpy as np
import pytest

from outrider.core.errors import EvaluationError
from outrider.evaluation.score.farley import farley
from outrider.evaluation.score.score import LOADS, TESTS, gravel_errors, score_of, table_rows

REAL = {
    "angular_velocity": {"mean": [0.110, 0.010, -0.060], "range": [0.780, 1.200, 0.450]},
    "acceleration": {"mean": [-0.18, -0.10, 11.50], "range": [12.20, 11.30, 11.80]},
}


def results(imu=REAL):
    one = {"robots": {}, "sim_time_s": 10.0, "wall_time_s": 10.0, "imu": {"husky/lord": imu}}
    return {name: one | {"resources": {"cpu_percent": 8.0}} for name in (*TESTS, *LOADS.values())}


def test_the_real_robots_own_row_has_no_error_in_our_axes():
    assert gravel_errors(REAL) == pytest.approx({"angular": 0, "linear": 0})


def test_our_error_on_the_published_row_stands_for_all_six_tests():
    half = {k: {p: (np.array(v[p]) * 0.9).tolist() for p in v} for k, v in REAL.items()}
    score = score_of(results(half))
    error = gravel_errors(half)["linear"]
    assert error == pytest.approx(0.1 * (12.2 + 11.3 + 11.8 + 0.18 + 0.1 + 11.5))
    assert score.measured["linear"] == pytest.approx(error / 23.43 * 247.36)
    assert score.ours["linear"] == 1.0
    assert score.with_ours[0]["linear"] < 1.0
    assert score.ours["cpu_average"] == pytest.approx(4 / 8)
    assert score.ours["real_time"] == pytest.approx(1 / 1.064)
    assert score.ours.keys() == farley().rows.keys()
    assert "one of six tests" in score.because["linear"]


def test_the_table_ends_in_totals_and_has_every_column():
    rows = table_rows(score_of(results({k: {p: [0.0] * 3 for p in v} for k, v in REAL.items()})))
    assert len(rows) == 13
    assert rows[-1]["metric"] == "Total"
    assert rows[-1]["Gazebo"] == "49.087"
    assert rows[-1]["Gazebo*"] == "49.224"


def test_a_test_that_failed_is_named():
    broken = results() | {"husky-bumps-circle": {"reason": "its process died"}}
    with pytest.raises(EvaluationError, match="'husky-bumps-circle', which has no figures: its"):
        score_of(broken)
