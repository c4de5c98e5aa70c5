"""What is inside what, of all or of one model."""

import pytest

from outrider.core.structure import from_data
from outrider.physics.engine import ENGINES
from outrider.scenarios.build import build
from outrider.scenarios.scenario import Scenario


def _box(name, x, y=0.0):
    shape = {"type": "box", "size": [0.6, 0.6, 0.6]}
    return {"name": name, "shape": shape, "pose": {"x": x, "y": y, "z": 0.301}, "mass": 5.0}


@pytest.mark.parametrize("engine", list(ENGINES))
def test_the_overlaps_of_a_model_are_those_of_all_that_it_takes_part_in(engine):
    wall = {"name": "wall", "shape": {"type": "box", "size": [0.4, 6.0, 2.0]}, "pose": {"x": 3.0}}
    boxes = [_box("a", 3.1), _box("b", 2.6), _box("c", -3.0), _box("d", -3.5, 0.1), _box("e", 9.0)]
    world = {"name": "yard", "ground": {"type": "flat"}, "objects": [wall, *boxes]}
    data = {"name": "s", "world": world, "robots": [], "physics": {"engine": engine}}
    rig = build(from_data(Scenario, data, "s")).rig

    def pairs(model=None):
        found = rig.engine.overlaps(0.02, model)
        names = {frozenset(n.split("/")[0] for n in (o.first_name, o.second_name)) for o in found}
        return {"-".join(sorted(both)) for both in names}

    assert pairs() == {"a-wall", "b-wall", "a-b", "c-d"}
    for name, expected in (
        ("a", {"a-wall", "a-b"}),
        ("b", {"b-wall", "a-b"}),
        ("d", {"c-d"}),
        ("e", set()),
    ):
        assert pairs(rig.assembly.models.index(name)) == expected
