import pytest

from outrider.core.errors import ConfigError
from outrider.scenarios.build import build
from outrider.scenarios.load import loads
from outrider.scenarios.run import run_scenario

WALL = "{name: wall, shape: {type: box, size: [0.2, 4, 1]}, pose: {x: 1.5}}"
TWO = """
robots:
  - {model: husky, name: fast, pose: {y: 2}, motion: {type: drive, speed: 0.8}}
  - {model: husky, name: slow, pose: {y: -2}, motion: {type: drive, speed: 0.2}}
duration_s: 6
"""


def ends(text: str):
    sim = build(loads(text))
    sim.run(6.0)
    return sim.finished, sim.time_s


def test_a_goal_of_any_robot_is_reached_by_the_first_to_come():
    passed, at_s = ends(TWO + "end: [{type: reach, x: 1.5, y: 2, tolerance: 0.2}]")
    assert passed is True
    assert at_s == pytest.approx(1.3 / 0.8, abs=0.4)


def test_a_goal_of_one_robot_is_not_reached_by_another():
    assert ends(TWO + "end: [{type: reach, robot: slow, x: 1.5, y: 2}]") == (None, 6.0)


def test_a_collision_fails_the_run_unless_it_is_wanted():
    text = (
        "robots: [{model: husky, motion: {type: drive, speed: 0.8}}]\nobstacles: [" + WALL + "]\n"
    )
    passed, at_s = ends(text + "end: [{type: collision}]")
    assert passed is False
    assert at_s == pytest.approx((1.4 - 0.5) / 0.8, abs=0.4)
    assert ends(text + "end: [{type: collision, robot: husky, success: true}]")[0] is True


def test_driving_on_the_ground_is_no_collision():
    text = "world: rough\nrobots: [{model: husky, motion: {type: drive, speed: 0.8}}]\n"
    assert ends(text + "end: [{type: collision}]") == (None, 6.0)


def test_a_robot_put_on_its_side_has_tipped_over():
    upright, turned = ({"roll_deg": angle} for angle in (0, 80))
    for pose, passed in ((upright, None), (turned, False)):
        text = f"robots: [{{model: jackal, pose: {{z: 0.5, roll_deg: {pose['roll_deg']}}}}}]\n"
        assert ends(text + "end: [{type: tip}]")[0] is passed


@pytest.mark.parametrize(
    ("extra", "complaint"),
    [
        ("end: [{type: tip, robot: fats}]", "end.0.robot: there is no robot 'fats'.*'fast'"),
        (
            "expect: [{figure: distance}]",
            "expect.0.figure: there is no figure 'distance'.*'distance_m'",
        ),
        ("expect: [{figure: x, robot: slo}]", "expect.0.robot: there is no robot 'slo'.*'slow'"),
    ],
)
def test_conditions_about_what_is_not_there_are_refused(extra, complaint):
    with pytest.raises(ConfigError, match=complaint):
        build(loads(TWO + extra))


def test_a_goal_that_is_not_reached_in_time_fails_the_run():
    result = run_scenario(loads("duration_s: 0.1\nend: [{type: reach, x: 9}]"))
    assert result["completed"] is False


def test_an_expectation_holds_for_every_robot_or_for_the_one_it_names():
    def met(expect: str) -> list[bool]:
        result = run_scenario(loads(TWO.replace("duration_s: 6", "duration_s: 2") + expect))
        assert result["completed"] == all(item["met"] for item in result["expectations"])
        return [item["met"] for item in result["expectations"]]

    assert met("expect: [{figure: distance_m, least: 1}]") == [True, False]
    assert met("expect: [{figure: distance_m, least: 1, robot: fast}]") == [True]
