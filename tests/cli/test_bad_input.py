import os
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from outrider.cli.main import main
from outrider.scenarios.build import build
from outrider.scenarios.load import load

BUGGY = Path(__file__).parents[2] / "examples" / "buggy"


@pytest.fixture
def refused(tmp_path, monkeypatch, capsys):
    """Runs the command line, which must refuse in one sentence; returns the sentence."""
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["outrider", *arguments])
        with pytest.raises(SystemExit) as ending:
            main()
        assert ending.value.code == 2
        *before, sentence = capsys.readouterr().err.splitlines()
        assert all(line.startswith(("inspect it", "compiling")) for line in before)
        assert sentence.startswith("outrider: ")
        return sentence

    return run


@pytest.fixture
def buggy(tmp_path):
    """A robot of one's own, with texts replaced in its files."""
    folder = shutil.copytree(BUGGY, tmp_path / "buggy")

    def change(name: str, old: str, new: str) -> str:
        path = folder / name
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new, 1))
        return str(folder / "buggy.yaml")

    return change


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "--duration", "abc"), "'--duration': expected a number, got 'abc'"),
        (("run", "--seed", "1.5"), "'--seed': expected a whole number, got '1.5'"),
        (("run", "--port", "99999"), "'--port': expected at most 65535, got '99999'"),
        (("scenario", "run", "smoke", "--runs", "0"), "'--runs': expected at least 1, got '0'"),
        (("scenario",), "Missing command: one of list, run, report"),
    ],
)
def test_the_command_line_says_what_it_expected_and_what_came(refused, words, said):
    assert refused(*words).endswith(said)


@pytest.mark.parametrize(
    ("words", "param"),
    [
        (("run", ""), "SCENARIO"),
        (("run", " "), "SCENARIO"),
        (("run", "demo", "--robot", ""), "--robot"),
        (("run", "demo", "--seed", ""), "--seed"),
        (("run", "demo", "--path", "here", "--path", ""), "--path"),
        (("run", "demo", "--record", ""), "--record"),
        (("scenario", "run", ""), "NAME"),
        (("snapshot", "", "-o", "x.png"), "SCENARIO"),
        (("check", ""), "FILE"),
        (("replay", ""), "FILE"),
        (("sweep", ""), "FILE"),
        (("sweep", "x.yaml", "--ray", ""), "--ray"),
        (("call", ""), "SERVICE"),
    ],
)
def test_an_empty_value_is_an_unset_variable(refused, words, param):
    sentence = refused(*words)
    assert re.fullmatch(
        rf"outrider: Invalid value for '.*{param}.*': it is empty \(.*\)", sentence
    ), sentence


@pytest.mark.parametrize("command", [("scenario", "run"), ("run",), ("check",)])
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("duration: 3", "bad.yaml: duration: unknown key (did you mean 'duration_s'?)"),
        (
            "robots: [{modle: husky}]",
            "bad.yaml: robots.0.modle: unknown key (did you mean 'model'?)",
        ),
        ("duration_s: long", "bad.yaml: duration_s: expected a number, got 'long'"),
        ("include: none.yaml", "bad.yaml: include: there is no scenario file"),
        (
            "robots: [{model: husky, namespace: my robot}]",
            "bad.yaml: robots.0.namespace: expected letters, digits and _ between single slashes",
        ),
        (
            "robots: [{model: husky, sensors: [{name: l, model: sonar}, {name: l, model: sonar}]}]",
            "bad.yaml: robots.0.sensors.1.name: two sensors have the name 'l'",
        ),
        ("engine: bullet", "bad.yaml: engine: unknown key (it belongs under 'physics')"),
        ("robots: husky", "bad.yaml: robots: expected a list, got 'husky'"),
        ("seed: 1.5", "bad.yaml: seed: expected a whole number, got 1.5"),
        ("world: [1]", "bad.yaml: world: expected text or a mapping, got [1]"),
        (
            "world: {ground: {type: flat, size: [60]}}",
            "world: ground.size: expected 2 values, got 1",
        ),
        ("seed: -1", "bad.yaml: seed: must be at least 0, got -1"),
        ("physics: {step_s: 0}", "bad.yaml: physics.step_s: must be at least 1e-05, got 0"),
        ("physics: {step_s: 10}", "bad.yaml: physics.step_s: must be at most 0.05, got 10"),
        (
            "robots: [{model: husky, name: a}, {model: jackal, name: a}]",
            "bad.yaml: robots.1.name: two robots have the name 'a'",
        ),
        ("robots: [{motion: {type: fly}}]", "robots.0.motion.type: expected one of drive, steer"),
        ("robots: [{motion: [{type: drive, spede: 1}]}]", "robots.0.motion.0.spede: unknown key"),
        ("duration_s: .nan", "bad.yaml: duration_s: expected a finite number"),
        ("robots: [", "bad.yaml:1"),
        ("include: nowhere.yaml", "there is no scenario file"),
        ("robots: [{model: hsky}]\nseed: 1", "bad.yaml: robots.0.model: there is no robot 'hsky'"),
        ("world: playgroud\nseed: 1", "bad.yaml: world: there is no world 'playgroud'"),
        (
            "obstacles: [{name: a, shape: {type: box}, mass: -1}]",
            "obstacles.0.mass: must be at least",
        ),
    ],
)
def test_a_bad_scenario_is_refused_with_its_file_and_key(
    refused, tmp_path, command, text, complaint
):
    (tmp_path / "bad.yaml").write_text(text)
    assert complaint in refused(*command, "bad.yaml")


@pytest.mark.parametrize("command", [("run",), ("scenario", "run"), ("check",)])
def test_a_missing_file_is_named(refused, command):
    assert "nowhere.yaml" in refused(*command, "nowhere.yaml")


@pytest.mark.parametrize("command", [("check",), ("run", "empty", "--robot")])
@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        (
            "buggy.urdf",
            'mass value="20"',
            'mass value="-20"',
            r"buggy.urdf:\d+: .*cannot be negative",
        ),
        ("buggy.urdf", 'iyy="1.1"', 'iyy="9.1"', r"buggy.urdf:\d+: .*no body has this inertia"),
        ("buggy.urdf", "</robot>", "", "buggy.urdf"),
        ("buggy.yaml", "urdf: buggy.urdf", "urdf: other.urdf", "there is no file 'other.urdf'"),
        (
            "buggy.yaml",
            "track: 0.6",
            "trak: 0.6",
            r"buggy.yaml: drivetrain.trak: unknown key .*'track'",
        ),
        (
            "buggy.yaml",
            "travel: 0.12",
            "travel: -1",
            "suspension.front_left.travel: must be above 0",
        ),
        (
            "buggy.yaml",
            "left: [front_left",
            "left: [fornt_left",
            "no joint 'fornt_left'.*front_left",
        ),
    ],
)
def test_a_bad_robot_is_refused(refused, buggy, command, name, old, new, complaint):
    path = buggy(name, old, new)
    assert re.search(complaint, refused(*command, path))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ("run", "playgroud"),
            "no scenario, world or robot 'playgroud' (did you mean 'playground'?)",
        ),
        (
            ("run", "empty", "--robot", "hsky"),
            "--robot: robots.0.model: there is no robot 'hsky' in the library (did you mean",
        ),
        (("run", "empty", "--engine", "mujco"), "no engine 'mujco' (did you mean 'mujoco'?)"),
        (("run", "empty", "--step", "0"), "--step: physics.step_s: must be at least 1e-05, got 0"),
        (("run", "empty", "--step", "7"), "--step: physics.step_s: must be at most 0.05, got 7"),
        (("run", "empty", "--duration", "-1"), "--duration: duration_s: must be above 0.0, got -1"),
        (("run", "empty", "--speed", "-1"), "--speed: pacing.speed: must be at least 0"),
        (
            ("run", "empty", "--set", "robots.0.poze.x=1"),
            "robots.0.poze: unknown key (did you mean",
        ),
        (("run", "--seed", "many"), "--seed"),
        (("run", "--sede", "1"), "No such option: --sede"),
        (("scenario", "run", "smok"), "no scenario 'smok' in the library (did you mean 'smoke'?)"),
        (("scenario", "run", "demo"), "demo: duration_s: the scenario never ends"),
        (("scenario", "run", "smoke", "--runs", "0"), "--runs"),
        (("list", "robot"), "Invalid value for 'KIND': 'robot' is not one of 'robots'"),
        (("lst",), "No such command 'lst'"),
        (("check", "photo.png"), "photo.png: there is no such file"),
        (("check", "jakal"), "no such name in the library (did you mean 'jackal'?)"),
        (("topics",), "no running simulation found; start one with 'outrider run'"),
    ],
)
def test_a_bad_command_line_is_refused(refused, arguments, complaint):
    assert complaint in refused(*arguments)


def test_a_set_up_that_flies_apart_stops_with_time_body_and_last_good_state(refused, buggy):
    path = buggy("buggy.yaml", "stiffness: 2000, damping: 200", "stiffness: 1e9, damping: 0")
    sentence = refused("run", "empty", "--robot", path, "--speed", "0", "--duration", "5")
    found = re.search(r"unstable at 0\.\d+ s: body 'buggy/\w+' .* saved in (\S+\.npz)", sentence)
    assert found
    state = np.load(found[1])
    assert state["bodies"]["position"].shape[1] == 3
    assert np.isfinite(state["bodies"]["position"]).all()


def test_commands_that_are_no_numbers_are_ignored_and_counted():
    simulation = build(load("drive-10s"))
    robot = simulation.robots["jackal"]
    simulation.run(1.0)
    simulation.drivers.clear()
    for bad in (float("nan"), float("inf")):
        robot.drive(bad, 0.1)
        simulation.run(0.05)
    assert robot.ignored_commands == 2
    assert np.isfinite(robot.pose.position).all()
    assert robot.velocity[0] == pytest.approx(0.3, abs=0.05)  # the last good one holds


def test_a_strict_import_refuses_a_package_that_is_missing_though_nothing_needs_it(
    refused, tmp_path
):
    xacro = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    include = '<xacro:include filename="$(find arm_parts)/arm.xacro"/>'
    (tmp_path / "bot.xacro").write_text(
        f'<robot name="bot" {xacro}>{include}<link name="base"/></robot>'
    )
    assert "there is no package 'arm_parts'" in refused("import", "--strict", "bot.xacro")


def test_a_robot_file_whose_urdf_is_gone_names_the_file_and_the_key(refused, buggy):
    file = buggy("buggy.yaml", "urdf: buggy.urdf", "urdf: gone.urdf")
    said = refused("check", file)
    assert "buggy.yaml: urdf: there is no file 'gone.urdf' in the robot's folder" in said


def test_a_package_of_a_name_that_is_taken_is_refused(refused, tmp_path):
    assert "there is a sensor 'imu' already" in refused("new", "sensor", "imu")
    assert "there is a robot 'husky' already" in refused("new", "robot", "husky")
    assert "there is a bridge 'ros1' already" in refused("new", "bridge", "ros1")
    assert "there is a component 'gate' already" in refused("new", "component", "gate")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("scenario", "run", "smoke", "--out", "taken/results"),
        ("scenario", "run", "smoke", "--runs", "2", "--out", "taken/results"),
        ("scenario", "run", "smoke", "--junit", "taken/results.xml"),
        ("scenario", "run", "smoke", "--junit", "."),
        ("autonomy", "--from", "run.mcap", "--out", "taken/results"),
        ("validate", "husky", ".", "--out", "taken/results"),
    ],
)
def test_a_place_that_cannot_be_written_is_told_before_the_work(
    refused, tmp_path, monkeypatch, arguments
):
    def started(*_: object, **__: object) -> None:
        raise AssertionError("it began")

    for name in ("evaluation.runs.measured_run.measured_run", "evaluation.husky.validate.validate"):
        monkeypatch.setattr(f"outrider.{name}", started)
    (tmp_path / "taken").write_text("a file")
    assert re.search(r": cannot be written: (Not a directory|it is a folder)$", refused(*arguments))


@pytest.mark.parametrize("command", ["run", "check"])
def test_a_folder_that_is_no_project_is_told_apart_from_an_unknown_name(refused, tmp_path, command):
    (tmp_path / "notes").mkdir()
    assert refused(command, "notes") == "outrider: notes: is not a project: it has no project.yaml"


@pytest.mark.parametrize("stiffness", ["1e-300", "100"])
def test_tyres_that_their_load_would_press_flat_are_refused(refused, buggy, stiffness):
    file = buggy("buggy.yaml", "name: buggy", f"name: buggy\ntyre: {{stiffness: {stiffness}}}")
    assert refused("run", file, "--speed", "0", "--duration", "0.1").endswith(
        f"robot 'buggy': tyre.stiffness: {stiffness} N/m is too soft for 63.7 N"
        " on a radius of 0.12 m; expected 1062 or more"
    )


@pytest.mark.parametrize("command", [("check",), ("run", "--no-ui")])
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("bridges: ['ros1:host=0.0.0.0']", "bridges.0: host=0.0.0.0 reaches beyond this computer"),
        ("bridges: [ros3]", "bridges.0: there is no bridge 'ros3'"),
        ("autonomy: {waypoints: {file: way.csv}}", "way.csv: cannot be read: No such file"),
        ("autonomy: {robot: joe}", "autonomy.robot: there is no robot 'joe'"),
    ],
)
def test_check_refuses_what_a_run_would_refuse(refused, command, text, complaint, tmp_path):
    (tmp_path / "odd.yaml").write_text(f"world: empty\n{text}\n")
    assert complaint in refused(*command, "odd.yaml")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("type: lidar\nrate_hz: 5\n", "a sensor cannot run by itself: name it as 'model'"),
        ("scenario: smoke\nrepeats: 2\n", "a sweep is many runs: start it with 'outrider sweep"),
        ("scenario: smoke\nfalsify: {}\n", "many runs: start it with 'outrider falsify FILE'"),
    ],
)
@pytest.mark.parametrize("command", [("run",), ("scenario", "run")])
def test_what_cannot_run_by_itself_is_told_with_what_to_do(
    refused, command, text, complaint, tmp_path
):
    (tmp_path / "odd.yaml").write_text(text)
    assert complaint in refused(*command, "odd.yaml")


@pytest.mark.parametrize("command", ["sweep", "falsify"])
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("world: empty\nrobots: [{model: jackal}]\n", "a scenario is one run: start it with"),
        ("ground: {type: flat}\n", "a world is one run: start it with 'outrider run FILE'"),
        ("type: lidar\nrate_hz: 5\n", "a sensor cannot run by itself: name it as 'model'"),
    ],
)
def test_a_single_run_is_no_sweep(refused, command, text, complaint, tmp_path):
    (tmp_path / "odd.yaml").write_text(text)
    assert complaint in refused(command, "odd.yaml")


@pytest.mark.parametrize(
    ("command", "values", "complaint"),
    [
        ("falsify", "[1, 2]", "odd.yaml: parameters.seed: is a list; .*'outrider sweep' runs"),
        ("sweep", "{type: uniform, low: 1, high: 2}", "samples: .*'outrider falsify' searches"),
    ],
)
def test_sweeps_and_searches_are_told_apart(refused, command, values, complaint, tmp_path):
    key = "seed" if values.startswith("[") else "robots.0.motion.speed"
    (tmp_path / "odd.yaml").write_text(f"scenario: drive-10s\nparameters: {{{key}: {values}}}\n")
    assert re.search(complaint, refused(command, "odd.yaml"))


@pytest.mark.parametrize("command", ["sweep", "falsify"])
def test_a_scenarios_name_is_no_sweep_file(refused, command):
    assert "drive-10s is a scenario: 'outrider run drive-10s' runs it" in refused(
        command, "drive-10s"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes among files")
@pytest.mark.parametrize("command", [("replay",), ("run", "--state"), ("check",)])
def test_pipes_are_not_waited_for(refused, tmp_path, command):
    os.mkfifo(tmp_path / "endless.mcap")
    assert "endless.mcap: " in refused(*command, "endless.mcap")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("components: [{file: l.py, class: A}]", "l.py' cannot be read: Too many levels"),
        ("robots: [{model: autominy, curves: {steering: l.txt}}]", "there is no curve 'l.txt'"),
        ("robots: [{sensors: [{name: a, model: l.yaml}]}]", "there is no sensor file"),
        ("world: {models: [{name: a, file: l.yaml}]}", "there is no file"),
    ],
)
def test_links_in_a_circle_are_missing_files(refused, tmp_path, text, complaint):
    for name in ("l.py", "l.txt", "l.yaml"):
        (tmp_path / name).symlink_to(name)
    (tmp_path / "odd.yaml").write_text(text)
    assert complaint in refused("run", "odd.yaml", "--trust", "--headless")
