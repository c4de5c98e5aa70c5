"""What the docs show must run."""

import re
from pathlib import Path

import pytest

from outrider.core.files.yaml_file import parse_yaml
from outrider.core.structure import from_data
from outrider.scenarios.build import build
from outrider.scenarios.load import loads
from outrider.scenarios.run import run_scenario
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import WorldSpec
from outrider.sweeps.load import load_search, load_sweep
from outrider.sweeps.spec import Sweep
from outrider.vehicles.robot import load_robot
from outrider.vehicles.spec import RobotSpec

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_scenario_of_the_format_page_runs_to_its_goal() -> None:
    simulation = build(loads(blocks("docs/scenarios.md", "yaml")[0]))
    simulation.run(30.0)
    assert simulation.finished is True


@pytest.mark.slow
def test_the_scenario_of_the_weather_page_is_one_and_rains() -> None:
    simulation = build(loads(blocks("docs/weather.md", "yaml")[0]))
    assert simulation.weather.at(0).rain_mm_h == 4
    assert simulation.weather.at(130_000_000_000).hour == 21.0
    assert {light.link for light in simulation.rig.assembly.world.lights[1:]} == {
        "jackal/base_link"
    }


@pytest.mark.parametrize("page", ["README.md", "docs/ten-lines.md"])
def test_the_first_lines_of_python_run_as_printed(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in blocks(page, "python"):
        exec(code, names)
    jackal = names["jackal"]
    assert jackal.pose.position[0] > 0.5


def test_the_sensor_entry_of_the_sensors_page_is_one() -> None:
    data = parse_yaml(blocks("docs/sensors/README.md", "yaml")[0], "page")
    assert from_data(SensorEntry, data["sensors"][0], "page").model == "velodyne-vlp16"


@pytest.mark.parametrize("page", ["docs/cameras.md", "docs/lens-effects.md"])
def test_the_python_of_the_camera_pages_runs_as_printed(page: str) -> None:
    names: dict[str, object] = {}
    for code in blocks(page, "python"):
        exec(code, names)
    picture = names["picture"]
    shown = picture.depth if picture.colour is None else picture.colour
    assert shown.shape[:2] == (240, 320)


def test_the_files_of_the_camera_pages_are_read() -> None:
    robot = parse_yaml(blocks("docs/cameras.md", "yaml")[0], "page")["robots"][0]
    assert from_data(SensorEntry, robot["sensors"][0], "page").model == "camera"
    light = parse_yaml(blocks("docs/lighting.md", "yaml")[0], "page")
    assert from_data(WorldSpec, light, "page").visibility == 3000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_and_to_pictures_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_page_can_be_reached_from_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    found, waiting = {index}, [index]
    while waiting:
        page = waiting.pop()
        links = re.findall(r"\]\(([\w./-]+\.md)\b", page.read_text(encoding="utf-8"))
        new = {(page.parent / link).resolve() for link in links} - found
        found |= new
        waiting += new
    assert [page.name for page in PAGES if page not in found] == []


def test_the_vehicle_of_its_page_is_the_one_of_the_examples() -> None:
    shown, further = blocks("docs/own-vehicle.md", "yaml")
    assert shown == (ROOT / "examples/buggy/buggy.yaml").read_text(encoding="utf-8")
    whole = {**parse_yaml(shown, "page"), **parse_yaml(further, "page")}
    assert from_data(RobotSpec, whole, "page").command_timeout_s == 0.25


def test_the_first_page_says_how_long_each_robot_holds_a_command() -> None:
    page = (ROOT / "docs/ten-lines.md").read_text(encoding="utf-8")
    for model, text in (("jackal", "0.25 s for the Jackal"), ("create", "0.2 s for the Create")):
        assert f"{load_robot(model).spec.command_timeout_s} s" == text.partition(" for")[0]
        assert text in page
    assert load_robot("autominy").spec.command_timeout_s == 0.0


def test_the_first_lines_of_the_learning_page_run_as_printed() -> None:
    names: dict[str, object] = {}
    exec(blocks("docs/learning.md", "python")[0], names)
    assert names["image"].shape == (320, 480, 3)


def test_the_scenario_of_the_page_about_tests_meets_its_expectations() -> None:
    result = run_scenario(loads(blocks("docs/testing_your_robot.md", "yaml")[0]))
    assert result["completed"], result["expectations"]
    assert len(result["expectations"]) == 3


def test_the_sweeps_of_their_page_are_those_of_the_examples() -> None:
    whole, search = (parse_yaml(text, "page") for text in blocks("docs/sweeps.md", "yaml"))
    examples = ROOT / "examples/sweeps"
    assert from_data(Sweep, whole, "page") == load_sweep(examples / "speed-and-ground.yaml").sweep
    shown = from_data(Sweep, {"scenario": "drive-10s", **search}, "page").falsify
    assert shown.fail == load_search(examples / "stay-in-lane.yaml").sweep.falsify.fail


def test_the_actors_of_the_page_about_them_move():
    simulation = build(loads(blocks("docs/actors.md", "yaml")[0]))
    roots = [simulation.rig.assembly.root(name) for name in ("anna", "visitor_4", "car_3")]
    before = simulation.state.bodies["position"][roots].copy()
    simulation.run(2.0)
    assert (
        abs(simulation.state.bodies["position"][roots] - before).max(axis=1)[[0, 2]] > 0.5
    ).all()
