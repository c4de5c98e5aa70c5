"""Commands that a scenario gives a car beside those of its file, through curves of its own."""

from pathlib import Path

import pytest

from outrider.core.errors import ConfigError
from outrider.messages.types import message_class
from outrider.scenarios.build import build
from outrider.scenarios.load import load, loads

EXAMPLES = Path(__file__).parents[2] / "examples" / "autominy"
OLDER = {  # table 4.1 of Dahm's thesis
    "/manual_control/speed": ("std_msgs/msg/Int16", "in"),
    "/steering": ("std_msgs/msg/UInt8", "in"),
    "/localization/odom": ("nav_msgs/msg/Odometry", "out"),
    "/ticks": ("std_msgs/msg/UInt8", "out"),
    "/scan": ("sensor_msgs/msg/LaserScan", "out"),
    "/camera/color/image_raw": ("sensor_msgs/msg/Image", "out"),
}
NEWER = {  # table 4.2
    "/actuators/steering_pwm": ("autominy_msgs/msg/SteeringPWMCommand", "in"),
    "/actuators/steering": ("autominy_msgs/msg/SteeringCommand", "in"),
    "/actuators/steering_normalized": ("autominy_msgs/msg/NormalizedSteeringCommand", "in"),
    "/actuators/speed_pwm": ("autominy_msgs/msg/SpeedPWMCommand", "in"),
    "/actuators/speed": ("autominy_msgs/msg/SpeedCommand", "in"),
    "/actuators/speed_normalized": ("autominy_msgs/msg/NormalizedSpeedCommand", "in"),
    "/communication/gps/0": ("nav_msgs/msg/Odometry", "out"),
    "/sensors/arduino/ticks": ("autominy_msgs/msg/Tick", "out"),
    "/sensors/rplidar/scan": ("sensor_msgs/msg/LaserScan", "out"),
    "/sensors/camera/color/image_raw": ("sensor_msgs/msg/Image", "out"),
}


def topics(simulation):
    return {topic.name: (topic.type, topic.direction) for topic in simulation.bus.topics()}


def test_the_car_has_the_topics_of_both_tables_of_the_thesis():
    older = topics(build(load(EXAMPLES / "older_topics.yaml")))
    newer = topics(build(loads("robots: [{model: autominy}]")))
    assert {name: older.get(name) for name in OLDER} == OLDER
    assert {name: newer.get(name) for name in NEWER} == NEWER


def test_plain_numbers_go_through_the_curves_that_the_scenario_names(tmp_path):
    (tmp_path / "mine.txt").write_text("0 : 0\n100 : 0.3\n")
    car = "{model: autominy, curves: {speed_manual: mine.txt}}"
    simulation = build(loads(f"robots: [{car}]", tmp_path))
    simulation.bus.publish("/manual_control/speed", message_class("std_msgs/msg/Int16")(100), 0)
    simulation.run(4.0)
    assert simulation.robots["autominy"].velocity[0] == pytest.approx(0.3, abs=0.01)


def test_curves_of_the_library_are_found_by_name_and_replace_those_of_the_car():
    car = "{model: autominy, curves: {speed_normalized: autonomos_speed_normalized.txt}}"
    simulation = build(loads(f"robots: [{car}]"))
    simulation.bus.publish("/actuators/speed_normalized", {"value": 0.2}, 0)
    simulation.run(4.0)
    assert simulation.robots["autominy"].velocity[0] == pytest.approx(0.5, abs=0.01)


def test_a_curve_without_a_suffix_lies_beside_the_scenario(tmp_path, monkeypatch):
    (tmp_path / "mine").write_text("0 : 0\n100 : 0.3\n")
    monkeypatch.chdir(tmp_path.parent)
    scenario = loads("robots: [{model: autominy, curves: {speed_manual: mine}}]", tmp_path)
    assert scenario.robots[0].curves == {"speed_manual": str(tmp_path / "mine")}
    build(scenario)


def test_a_file_in_the_working_folder_does_not_replace_a_curve_of_the_library(
    tmp_path, monkeypatch
):
    (tmp_path / "autominy_speed.txt").write_text("not a curve")
    monkeypatch.chdir(tmp_path)
    build(loads("robots: [{model: autominy}]", Path("/")))


@pytest.mark.parametrize(
    ("car", "reason"),
    [
        ("{model: jackal, curves: {speed: autominy_speed.txt}}", "only an ackermann drivetrain"),
        ("{model: autominy, curves: {sped: autominy_speed.txt}}", "did you mean 'speed'"),
        ("{model: autominy, curves: {speed: autominy_sped.txt}}", "did you mean"),
    ],
)
def test_a_wrong_curve_is_refused_with_the_reason(car, reason):
    with pytest.raises(ConfigError, match=reason):
        build(loads(f"robots: [{car}]"))
