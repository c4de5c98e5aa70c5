import pytest

from outrider.core.errors import ConfigError
from outrider.scenarios.build import build
from outrider.scenarios.expectations import RUN_FIGURES, figure_of, with_run_verdicts
from outrider.scenarios.load import load
from outrider.scenarios.run import run_scenario

SHORT = ["duration_s=0.2", "physics.engine=kinematic"]
RESULT = {
    "completed": True,
    "expectations": [],
    "sim_time_s": 4.0,
    "localization": {"position_m": {"max": 0.5}},
    "mapping": None,
    "imu": {"jackal/imu.2": {"acceleration": {"mean": [0.1, 0.2, 9.8]}}},
}


def expecting(*limits):
    return load("smoke", [*SHORT, f"expect=[{', '.join(limits)}]"])


def test_a_figure_is_found_by_its_path_in_a_result():
    assert figure_of(RESULT, "sim_time_s") == 4.0
    assert figure_of(RESULT, "localization.position_m.max") == 0.5
    assert figure_of(RESULT, "imu.jackal/imu.2.acceleration.mean.z") == 9.8
    for missing in ("mapping.clear_as_clear", "localization.ate_m", "localization", "sim_time_s.x"):
        assert figure_of(RESULT, missing) is None


@pytest.mark.parametrize(
    ("limit", "met"),
    [
        ("{figure: localization.position_m.max, most: 0.6}", True),
        ("{figure: localization.position_m.max, most: 0.4}", False),
        ("{figure: sim_time_s, least: 3, most: 5}", True),
        ("{figure: mapping.occupied_as_clear, most: 100}", False),  # was not measured
    ],
)
def test_any_figure_of_a_run_can_have_limits(limit, met):
    judged = with_run_verdicts(expecting(limit), RESULT)
    assert judged["completed"] is met
    assert [item["met"] for item in judged["expectations"]] == [met]


def test_a_run_fails_by_a_limit_on_a_figure_of_the_run():
    limits = ("{figure: sim_time_s, most: 0.1}", "{figure: distance_m, least: 0}")
    result = run_scenario(expecting(*limits))
    assert result["completed"] is False
    found = {item["figure"]: (item["robot"], item["met"]) for item in result["expectations"]}
    assert found == {"distance_m": ("jackal", True), "sim_time_s": ("", False)}


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        (
            "{figure: localization.position.max}",
            "'localization.position.max' (did you mean 'localization.position_m.max'?)",
        ),
        ("{figure: distanc_m}", "(did you mean 'distance_m'?)"),
        ("{figure: sim_time_s, robot: jackal}", "is a figure of the run, not of a robot"),
        ("{figure: x, least: 2, most: 1}", "least 2 is above most 1: no value fits"),
    ],
)
def test_a_limit_that_cannot_be_is_refused_in_one_sentence(limit, sentence):
    with pytest.raises(ConfigError) as caught:
        build(expecting(limit))
    assert sentence in str(caught.value)


def test_figures_of_runs_are_those_of_results():
    """Whoever renames a key of a result must rename it here as well."""
    result = run_scenario(expecting())
    top = [name for name in RUN_FIGURES if "." not in name]
    assert {name: figure_of(result, name) for name in top if figure_of(result, name) is None} == {}
