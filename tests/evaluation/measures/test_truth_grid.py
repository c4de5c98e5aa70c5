import numpy as np
import pytest

from outrider.core.errors import EvaluationError
from outrider.evaluation.measures.regions import regions
from outrider.evaluation.measures.truth_grid import Band, ground_region, truth_grid
from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world
from outrider.scenarios.build import world_spec
from outrider.scenarios.load import loads


def world(objects: str):
    return build_world(world_spec(loads(f"world: empty\nobstacles: {objects}")))


def test_the_meadow_holds_nine_trees_and_nothing_else():
    spec = load_world_spec("hratc")
    built = build_world(spec)
    grid = truth_grid(built, ground_region(built))
    assert grid.values.shape == (610, 610)  # as the thesis has it
    labels, sizes = regions(grid.values == 100)
    assert len(sizes) - 1 == 9
    trunks = [place for thing in spec.things for place in thing.places]
    found = set()
    for x, y, *_ in trunks:
        rows, columns = (int((v - o) / 0.05) for v, o in ((y, grid.origin[1]), (x, grid.origin[0])))
        around = labels[rows - 12 : rows + 13, columns - 12 : columns + 13]
        found.add(int(around.max()))
    assert found == set(range(1, 10))
    assert 15_000 < (grid.values == 100).sum() < 25_560  # crowns within reach; he counts them whole


def test_a_box_takes_the_cells_it_stands_in():
    item = (
        "{name: box, shape: {type: box, size: [0.98, 0.48, 1.0]}, pose: {x: 0.5, y: 0.25, z: 0.5}}"
    )
    grid = truth_grid(world(f"[{item}]"), (-1.0, -1.0, 2.0, 2.0))
    rows, columns = np.nonzero(grid.values == 100)
    assert (columns.min(), columns.max()) == (20, 39)
    assert (rows.min(), rows.max()) == (20, 29)
    assert (grid.values == 100).sum() == 20 * 10  # its inside as well


@pytest.mark.parametrize(("z", "seen"), [(0.02, False), (0.3, True), (2.4, True), (2.8, False)])
def test_only_what_is_in_the_band_counts(z, seen):
    item = f"{{name: plate, shape: {{type: box, size: [1, 1, 0.1]}}, pose: {{z: {z}}}}}"
    grid = truth_grid(world(f"[{item}]"), (-2.0, -2.0, 2.0, 2.0), Band(0.1, 2.5))
    assert bool((grid.values == 100).any()) is seen


def walls(x: float) -> str:
    """Four walls of 4 m around (x, 0)."""
    sides = [(2, 0, 0.1, 4), (-2, 0, 0.1, 4), (0, 2, 4, 0.1), (0, -2, 4, 0.1)]
    items = [
        f"{{name: wall{i}, shape: {{type: box, size: [{a}, {b}, 1]}},"
        f" pose: {{x: {x + dx}, y: {dy}, z: 0.5}}}}"
        for i, (dx, dy, a, b) in enumerate(sides)
    ]
    return f"[{', '.join(items)}]"


def test_a_house_without_a_door_is_solid_and_the_yard_one_starts_in_is_not():
    house = truth_grid(world(walls(8)), (0.0, -8.0, 16.0, 8.0))
    assert house.values[160, 160] == 100
    yard = truth_grid(world(walls(0)), (-8.0, -8.0, 8.0, 8.0))
    assert yard.values[160, 160] == 0


def test_a_map_too_large_or_without_ground_is_refused():
    with pytest.raises(EvaluationError, match="choose another region"):
        truth_grid(world("[]"), (0.0, 0.0, 1e5, 1e5))
    spec = load_world_spec("sick-boxes")
    with pytest.raises(EvaluationError, match="'sick-boxes' has no ground"):
        ground_region(build_world(spec))
