import math
from dataclasses import replace
from itertools import pairwise

import pytest

from outrider.loader.library import library_names, load_world_spec
from outrider.scenarios.load import load
from outrider.scenarios.run import Run, run_scenario

THESIS = {  # waypoints and metres of J. Platt's paths
    "hratc": (6, 34.5),
    "agriculture": (11, 61.4),
    "inspection": (6, 36.0),
    "campus": (20, 47.9),
    "lunar": (17, 56.9),
}
SCENARIOS = {name: load(name) for name in library_names("scenarios")}
ENDING = [
    name
    for name, scenario in SCENARIOS.items()
    if scenario.duration_s is not None
    and not (scenario.autonomy and scenario.autonomy.reactive is None)  # those take minutes
]


@pytest.mark.parametrize("name", ENDING)
def test_a_scenario_of_the_library_does_what_it_expects(name):
    scenario = load(name)
    result = run_scenario(scenario)
    assert [item for item in result["expectations"] if not item["met"]] == []
    assert result["completed"]
    assert scenario.expect
    assert scenario.description


@pytest.mark.parametrize(
    "name", ["track-30m", "indoor-loop", pytest.param("outdoor-loop", marks=pytest.mark.slow)]
)
def test_a_loop_is_driven_as_it_expects_whether_or_not_autonomy_listens(name):
    result = run_scenario(replace(load(name), autonomy=None))
    assert [item for item in result["expectations"] if not item["met"]] == []
    assert result["completed"]


@pytest.mark.parametrize("name", ["demo", "playground-round"])
def test_it_goes_round_without_bumping_into_anything(name):
    run = Run(load(name), speed=0)
    run.simulation.run(25.0)
    figures = run.result()["robots"]["jackal"]
    assert figures["collisions"] == 0
    assert figures["distance_m"] > 12
    assert figures["max_tilt_deg"] < 30


@pytest.mark.parametrize("name", THESIS)
def test_a_path_has_the_way_points_and_the_length_of_the_thesis(name):
    start = load_world_spec(name).start
    points = load(f"{name}-path").robots[0].motion.points
    count, metres = THESIS[name]
    assert len(points) == count
    way = sum(math.dist(a, b) for a, b in pairwise([(start.x, start.y), *points]))
    assert way == pytest.approx(metres, abs=0.1)
