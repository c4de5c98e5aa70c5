import math

import pytest

from outrider.evaluation.runs.figures import table
from outrider.evaluation.runs.statistics import figures_of, leaves, summarised, whole, worst


def result(seed: int, **more):
    base = {"scenario": "s", "seed": seed, "completed": True, "real_time_factor": 10.0 * seed}
    return base | {"localization": {"position_m": {"mean": 0.1 * seed}}, "mapping": None} | more


def test_mean_spread_and_worst_have_the_shape_of_a_result():
    found = summarised([result(1), result(2), result(3, completed=False)])
    assert found["mean"]["localization"]["position_m"]["mean"] == pytest.approx(0.2)
    assert found["spread"]["localization"]["position_m"]["mean"] == pytest.approx(0.1)
    assert found["worst"]["localization"]["position_m"]["mean"] == pytest.approx(0.3)
    assert found["worst"]["real_time_factor"] == 10.0  # more is better
    assert found["mean"]["completed"] == pytest.approx(2 / 3)
    assert "seed" not in found["mean"]
    assert "mapping" not in found["mean"]


def test_a_figure_that_a_run_lacks_is_left_out_of_the_mean_not_taken_as_zero():
    lost = {"scenario": "s", "seed": 9, "completed": False, "reason": "its process died"}
    values = figures_of([result(1), lost, result(3)])
    assert values["real_time_factor"] == [10.0, 30.0]
    assert values["completed"] == [1.0, 0.0, 1.0]
    row = next(r for r in table([result(1), lost, result(3)]) if r.figure.key == "real_time_factor")
    assert (row.mean, len(row.values)) == (20.0, 2)


def test_numbers_inside_lists_and_without_end():
    assert dict(leaves({"a": [1, 2, 3], "b": math.nan, "c": {"d": 4}})) == {
        "a.x": 1.0,
        "a.y": 2.0,
        "a.z": 3.0,
        "c.d": 4.0,
    }
    assert worst("mapping.clear_as_clear", [3, 4]) == 3
    assert worst("collisions", [3, 4]) == 4


def test_one_run_stands_for_itself():
    assert whole([result(1)]) == result(1)
    assert whole([result(1), result(2)])["runs"] == [result(1), result(2)]
