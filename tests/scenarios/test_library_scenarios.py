import pytest

from outrider.formats.library import library_names
from outrider.scenarios.load import load
from outrider.scenarios.run import Run, run_scenario

ENDING = [name for name in library_names("scenarios") if load(name).duration_s is not None]


@pytest.mark.parametrize("name", ENDING)
def test_a_scenario_of_the_library_does_what_it_expects(name):
    scenario = load(name)
    result = run_scenario(scenario)
    assert [item for item in result["expectations"] if not item["met"]] == []
    assert result["completed"]
    assert scenario.expect
    assert scenario.description


@pytest.mark.parametrize("name", ["demo", "playground-round"])
def test_it_goes_round_without_bumping_into_anything(name):
    run = Run(load(name), speed=0)
    run.simulation.run(25.0)
    figures = run.result()["robots"]["jackal"]
    assert figures["collisions"] == 0
    assert figures["distance_m"] > 12
    assert figures["max_tilt_deg"] < 30
