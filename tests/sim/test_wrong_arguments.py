"""What a user's program hands over by mistake is told in one sentence."""

import re

import pytest

import outrider as o
from outrider.core.errors import ConfigError


@pytest.mark.parametrize(
    ("robots", "got"),
    [
        (["jackal"], "got 'jackal'"),
        ("jackal", "got 'jackal'"),
        (o.robot("jackal"), "got one robot that is in no list"),
        ([None], "got None"),
    ],
)
def test_robots_that_are_none_are_told_and_what_is_expected(robots: object, got: str) -> None:
    with pytest.raises(ConfigError, match=re.escape("such as [o.robot('jackal')], " + got)):
        o.Simulation(o.load_world("empty"), robots=robots)


def test_a_world_s_name_is_no_world() -> None:
    with pytest.raises(ConfigError, match=r"o\.load_world\('empty'\), got 'hratc'"):
        o.Simulation("hratc", robots=[o.robot("jackal")])


def test_words_are_no_speeds_and_no_sizes() -> None:
    simulation = o.Simulation(o.load_world("empty"), robots=[o.robot("jackal")])
    with pytest.raises(ConfigError, match=r"drive: expected a speed in m/s .* got 'fast', 0"):
        simulation.robots["jackal"].drive("fast")
    for size in ("320x240", (320,), (320.5, 240), 320):
        with pytest.raises(ConfigError, match=r"size: expected \(width, height\) in pixels"):
            o.snapshot(simulation, size=size)


@pytest.mark.parametrize(
    ("model", "key"),
    [("create-cliff", "links"), ("create-bumper", "parts"), ("collision", "parts")],
)
def test_links_that_a_robot_does_not_have_are_refused_with_those_that_it_has(
    model: str, key: str
) -> None:
    names = "" if model != "collision" else ", set: {parts: [bumper_link]}"
    robots = f"robots=[{{model: jackal, sensors: [{{name: felt, model: {model}{names}}}]}}]"
    expected = f"robot 'jackal': sensor 'felt': {key}: there is no link '.*; it has: base_link, "
    with pytest.raises(ConfigError, match=expected):
        o.Session(o.scenario("empty", robots))


def test_an_error_of_a_ground_names_the_world(tmp_path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("ground: {type: endless, size: [99, 99], base: {type: file, file: map.npy}}")
    with pytest.raises(ConfigError, match=r"^mine: ground\.base\.file: there is no file"):
        o.load_world(file)


def test_what_is_already_loaded_cannot_be_opened() -> None:
    with pytest.raises(ConfigError, match=r"expected a name or a file, got World; o\.Simulation"):
        o.open(o.load_world("empty"))


def test_a_simulation_is_no_session() -> None:
    sim = o.Simulation(o.load_world("empty"), robots=[o.robot("jackal")])
    with pytest.raises(ConfigError, match=r"expected a session such as o\.Session\("):
        o.Control(sim)
    with pytest.raises(ConfigError, match="there is no robot '0'; there are: jackal"):
        sim.robots[0]
