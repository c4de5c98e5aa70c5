"""What the pages about bridges show must run, and what they list must be there."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from outrider.bridges.bridge import bridge_options
from outrider.messages.services.listing import markdown
from outrider.messages.services.table import SERVICES
from outrider.scenarios.build import build
from outrider.scenarios.load import load, loads
from outrider.scenarios.run import Run

DOCS = Path(__file__).resolve().parents[2] / "docs"
EXAMPLES = DOCS.parent / "examples"
_PAGES = ("ros1", "rosbridge", "ros-tcp", "udp-bridge", "velodyne", "several-robots")


def _text(page):
    return (DOCS / page).read_text(encoding="utf-8")


def _blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", _text(page), re.DOTALL)


def test_the_page_of_control_has_the_table_of_services():
    """``python tools/write_service_table.py`` writes it anew."""
    assert markdown() in _text("control.md")


def test_every_service_of_the_table_is_offered_and_no_other():
    assert list(SERVICES) == sorted(
        Run(loads("world: empty")).runner.services(), key=list(SERVICES).index
    )


def test_the_python_of_the_control_page_pushes_the_robot(capsys):
    (code,) = _blocks("control.md", "python")
    exec(code, {})
    velocity = eval(capsys.readouterr().out)
    assert 0.3 < velocity[0] < 0.8  # 50 N for 0.2 s on 18.4 kg


def test_the_robots_of_the_page_have_the_topics_of_its_table():
    (text,) = _blocks("several-robots.md", "yaml")
    simulation = build(loads(text))
    names = {topic.name for topic in simulation.bus.topics()}
    table = re.findall(r"\| `\w+` \| `(/\S+)` \| `(/\S+)` \|", _text("several-robots.md"))
    assert len(table) == 3
    assert {name for row in table for name in row} <= names


def test_the_scenario_of_the_ros_1_page_runs_and_its_options_exist():
    (text,) = _blocks("ros1.md", "yaml")
    scenario = loads(text)
    kind, _ = bridge_options(scenario.bridges[0])
    listed = set(re.findall(r"^\| `(\w+)` \|", _text("ros1.md"), re.MULTILINE))
    assert listed == set(kind.Options.__dataclass_fields__)
    run = Run(replace(scenario, duration_s=1.0), speed=0.0)
    run.go()
    assert run.simulation.time_s >= 1.0


@pytest.mark.parametrize("page", ["rosbridge.md", "ros-tcp.md"])
def test_the_scenario_of_a_bridges_page_runs_and_its_options_exist(page):
    (text,) = _blocks(page, "yaml")
    scenario = loads(text)
    kind, _ = bridge_options(scenario.bridges[0])
    listed = set(re.findall(r"^\| `(\w+)` \|", _text(page).split("## Options")[1], re.MULTILINE))
    assert listed == set(kind.Options.__dataclass_fields__)
    run = Run(replace(scenario, duration_s=1.0), speed=0.0)
    run.go()
    assert run.simulation.time_s >= 1.0


def test_the_topics_of_the_autominy_are_those_of_the_page():
    simulation = build(loads("robots: [{model: autominy}]"))
    names = {topic.name for topic in simulation.bus.topics()}
    (row,) = re.findall(r"^\| commands \| (`/actuators.*) \|$", _text("same-node.md"), re.MULTILINE)
    wanted = {f"/actuators/{name.rpartition('/')[2]}" for name in re.findall(r"`([^`]+)`", row)}
    assert wanted <= names
    assert {"/sensors/arduino/ticks", "/sensors/imu"} <= names
    (truth,) = re.findall(r"^\| truth \| `(\S+)` \|$", _text("same-node.md"), re.MULTILINE)
    assert truth in names


def test_the_topics_of_the_jackal_are_those_of_the_page():
    simulation = build(loads("robots: [{model: jackal}]"))
    names = {topic.name for topic in simulation.bus.topics()}
    wanted = {"/cmd_vel", "/joint_states", "/jackal_velocity_controller/odom", "/imu/data"}
    assert wanted | {"/navsat/fix"} <= names


def test_what_other_programs_connect_to_runs_until_it_is_stopped():
    """Ten seconds, a scenario's default, are over before a second terminal is open."""
    shown = [loads(text) for page in _PAGES for text in _blocks(f"{page}.md", "yaml")]
    for folder in ("autominy", "sear", "user_code", "ros1-navigation"):
        shown += [load(path) for path in (EXAMPLES / folder).glob("*.yaml")]
    assert len(shown) == 13
    assert [one.name for one in shown if one.duration_s is not None] == []
