import math

import numpy as np
import pytest

from outrider.autonomy.mapping.map_files import GridMap
from outrider.evaluation.measures.confusion import confusion, resampled

TRUTH = GridMap(np.array([[100, 100, 0], [0, 0, 0]], np.int8), 1.0, np.zeros(3))


def test_six_counts_of_a_map_drawn_by_hand():
    found = GridMap(np.array([[100, 0, 100], [0, -1, 40]], np.int8), 1.0, np.zeros(3))
    assert confusion(found, TRUTH) == {
        "occupied_as_occupied": 1,
        "occupied_as_clear": 1,
        "occupied_as_unknown": 0,
        "clear_as_occupied": 1,
        "clear_as_clear": 1,
        "clear_as_unknown": 2,
    }


def test_a_map_elsewhere_with_finer_cells_is_laid_on_the_truth():
    found = GridMap(np.full((2, 2), 100, np.int8), 0.5, np.array([1.0, 0.0, 0.0]))  # cell (1, 0)
    counts = confusion(found, TRUTH)
    assert counts["occupied_as_occupied"] == 1
    assert counts["occupied_as_unknown"] == 1
    assert counts["clear_as_unknown"] == 4
    assert sum(counts.values()) == TRUTH.values.size


def test_a_map_turned_by_a_quarter_is_turned_back():
    found = GridMap(np.array([[1, 2]], np.int8), 1.0, np.array([1.0, 0.0, math.radians(90)]))
    onto = GridMap(np.zeros((2, 1), np.int8), 1.0, np.zeros(3))
    assert resampled(found, onto).tolist() == [[1], [2]]


def test_cells_outside_the_truth_count_nowhere():
    unknown = GridMap(np.full((2, 3), -1, np.int8), 1.0, np.zeros(3))
    assert sum(confusion(TRUTH, unknown).values()) == pytest.approx(0)
