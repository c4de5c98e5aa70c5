import pytest

from outrider.evaluation.score.farley import (
    farley,
    less_is_better,
    more_is_better,
    published_scores,
    recomputed_scores,
    total,
)


def test_equation_7_on_the_example_tables():
    example = farley().gravel_straight
    assert example["angular"].error().total == pytest.approx(1.237, abs=5e-4)
    assert example["linear"].error().total == pytest.approx(23.43, abs=5e-3)  # printed: 23.19
    assert example["angular"].error().range == pytest.approx([0.22, 0.46, 0.26])
    assert example["angular"].error().mean == pytest.approx([0.23, 0.01, 0.057])


def test_printed_totals_follow_from_the_printed_columns():
    for number, printed in enumerate((49.100, 49.087, 32.148, 44.226)):
        assert total(published_scores(number)) == pytest.approx(printed, abs=0.005)
        assert farley().printed_total[number] == printed
    assert sum(row.weight for row in farley().rows.values()) == 56


def test_table_10_through_the_equations_is_not_what_table_11_prints():
    columns = recomputed_scores()
    assert [c["angular"] for c in columns] == pytest.approx([0.874, 1, 0.768, 0.841], abs=5e-4)
    assert [c["linear"] for c in columns] == pytest.approx([1, 0.727, 0.396, 0.688], abs=5e-4)
    assert [c["real_time"] for c in columns] == pytest.approx([0.914, 1, 0.789, 0.849], abs=6e-4)
    assert [c["cpu_average"] for c in columns] == pytest.approx([0.364, 0.174, 0.333, 1], abs=5e-4)
    assert total(columns[1]) == pytest.approx(49.22, abs=0.01)  # Gazebo before ...
    assert total(columns[0]) == pytest.approx(49.09, abs=0.01)  # ... CoppeliaSim


def test_a_fifth_simulator_twice_as_good_halves_the_best_of_the_others():
    *theirs, own = recomputed_scores({"angular": 9.38, "real_time": 0.5})
    assert own == {"angular": 1.0, "real_time": pytest.approx(0.5 / 1.064)}
    assert theirs[1]["angular"] == pytest.approx(0.5)
    assert theirs[0]["linear"] == 1.0  # not measured by the fifth


def test_scores_of_plain_numbers():
    assert more_is_better([1, 2, 4]) == [0.25, 0.5, 1.0]
    assert less_is_better([1, 2, 4]) == [1.0, 0.5, 0.25]
