"""Costs around obstacles."""

import numpy as np
import pytest

from outrider.autonomy.planning.costmap import INSCRIBED, LETHAL, CostMap, inflate
from outrider.autonomy.planning.footprint import FootprintSpec
from outrider.autonomy.planning.spec import InflationSpec


def test_costs_fall_with_the_distance_to_an_obstacle() -> None:
    footprint, spec = FootprintSpec(), InflationSpec(radius=0.2)
    occupied = np.zeros((1, 200), np.bool_)
    occupied[0, 0] = True
    costs = inflate(occupied, 0.01, footprint, spec)[0].astype(int)
    far = np.arange(200) * 0.01
    assert costs[0] == LETHAL
    assert (costs[1 : int(footprint.inscribed / 0.01)] == INSCRIBED).all()
    assert (np.diff(costs) <= 0).all()
    assert costs[far > footprint.circumscribed + 0.2 + 0.011].max() == 0
    assert costs[far < footprint.circumscribed + 0.2 - 0.011].min() > 0


def test_the_footprint_of_a_jackal() -> None:
    spec = FootprintSpec(length=0.42, width=0.33, padding=0.1)
    assert spec.half == pytest.approx((0.31, 0.265))
    assert spec.circumscribed == pytest.approx(np.hypot(0.31, 0.265))
    outline = spec.outline(0.05)
    assert np.abs(outline).max(axis=0) == pytest.approx([0.31, 0.265])
    assert np.hypot(*np.diff(outline[:13], axis=0).T).max() < 0.06


def test_cells_and_places_belong_together() -> None:
    costmap = CostMap(np.zeros((10, 20), np.uint8), 0.1, np.array([-1.0, 2.0]))
    assert costmap.cell(-0.95, 2.05) == (0, 0)
    assert costmap.cell(0.95, 2.95) == (9, 19)
    assert costmap.place(np.array([[9, 19]])) == pytest.approx(np.array([[0.95, 2.95]]))
    assert not costmap.inside(10, 0)
