import json
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from outrider.cli.main import main
from outrider.cli.startup.kernels import announce_compiling
from outrider.physics.tyres.kernels import feel

OUTRIDER = [sys.executable, "-c", "from outrider.cli.main import main; main()"]


@pytest.fixture
def outrider(tmp_path, monkeypatch, capsys):
    """Runs the command line in this process; returns its exit code and what it printed."""
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "cache"))

    def run(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["outrider", *arguments])
        with pytest.raises(SystemExit) as ending:
            main()
        return int(ending.value.code or 0), capsys.readouterr().out

    return run


def test_help_is_there_and_quick():
    before = os.times()
    done = subprocess.run([*OUTRIDER, "--help"], capture_output=True, text=True, check=True)
    after = os.times()
    took_s = after.children_user - before.children_user + after.children_system
    assert took_s - before.children_system < 2.0  # of the processor; 0.4 s
    for command in ("run", "scenario", "list", "check", "doctor", "topics", "echo", "hz", "call"):
        assert command in done.stdout


@pytest.mark.parametrize("words", [("--help",), ("list", "robots"), ("list",)])
def test_a_closed_pipe_ends_a_command_quietly(words):
    """As the shell's own programs end in ``outrider topics | head -2``."""
    unread, end = os.pipe()
    os.close(unread)
    errors = end if words == ("list",) else subprocess.PIPE  # `2>&1 | head`, and a bad command
    try:
        done = subprocess.run([*OUTRIDER, *words], stdout=end, stderr=errors, check=False)
    finally:
        os.close(end)
    assert done.returncode == 128 + signal.SIGPIPE
    assert not done.stderr


def test_cold_kernels_are_announced_wherever_numba_keeps_them(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(os, "access", lambda *_: False)  # another user has installed it
    monkeypatch.setattr(type(feel), "stats", SimpleNamespace(cache_path=str(tmp_path)))
    assert announce_compiling() is True
    assert capsys.readouterr().err == "compiling kernels, once (about 40 s) ...\n"
    (tmp_path / "kernels.feel-1.py3.nbi").touch()
    assert announce_compiling() is False


def test_run_ends_with_one_summary_line(outrider):
    code, out = outrider("run", "--headless", "--duration", "1", "--speed", "0")
    assert code == 0
    (line,) = out.splitlines()
    assert line.startswith("demo: 1.00 s simulated in ")
    assert "jackal drove 0." in line


def test_run_puts_a_robot_into_a_world_and_says_json(outrider):
    code, out = outrider(
        "run",
        "slope",
        "--robot",
        "husky",
        "--duration",
        "0.5",
        "--speed",
        "0",
        "--json",
        "--step",
        "0.005",
        "--seed",
        "5",
        "--set",
        "robots.0.pose.yaw_deg=90",
    )
    result = json.loads(out)
    assert (code, result["steps"], result["seed"]) == (0, 100, 5)
    assert result["robots"]["husky"]["max_tilt_deg"] == pytest.approx(20, abs=0.5)


def test_run_takes_files_of_worlds_robots_and_scenarios(outrider, tmp_path):
    (tmp_path / "w.yaml").write_text("ground: {type: flat, material: ice}")
    (tmp_path / "s.yaml").write_text("name: mine\nrobots: [{model: create}]\nduration_s: 0.1")
    short = ("--duration", "0.1", "--speed", "0", "--json")
    world = json.loads(outrider("run", str(tmp_path / "w.yaml"), *short)[1])
    scenario = json.loads(outrider("run", str(tmp_path / "s.yaml"), *short)[1])
    assert list(world["robots"]) == ["jackal"]
    assert (scenario["scenario"], list(scenario["robots"])) == ("mine", ["create"])


def test_run_fails_when_a_condition_says_so(outrider):
    end = "end=[{type: reach, x: 0, y: 0, success: false}]"
    assert outrider("run", "smoke", "--speed", "0", "--set", end)[0] == 1


def test_scenario_run_judges(outrider, tmp_path):
    short = ("--set", "duration_s=0.2")
    code, out = outrider("scenario", "run", "smoke", *short)
    assert code == 1
    assert out.startswith("FAILED  seed 1  smoke: 0.20 s")
    assert "jackal: distance_m is" in out
    assert "expected at least 1.2 and at most 1.6" in out
    code, out = outrider(
        "scenario",
        "run",
        "smoke",
        *short,
        "--set",
        "expect=[]",
        "--runs",
        "2",
        "--json",
        "--seed",
        "8",
        "--out",
        str(tmp_path / "out"),
    )
    whole = json.loads(out)
    assert code == 0
    assert [run["seed"] for run in whole["runs"]] == [8, 9]
    assert whole["mean"]["completed"] == 1.0
    assert json.loads((tmp_path / "out" / "result.json").read_text()) == whole


@pytest.mark.parametrize(
    ("kind", "name", "key", "value"),
    [
        ("robots", "husky", "mass_kg", pytest.approx(56.6, abs=0.1)),
        ("robots", "autominy", "drive", "ackermann"),
        ("worlds", "ice", "ground", "flat ice"),
        ("worlds", "hratc", "objects", 9),
        ("scenarios", "slope-park", "duration_s", 60.0),
        ("engines", "mujoco", "installed", True),
        ("materials", "ice", "friction", 0.15),
    ],
)
def test_list_tells_what_there_is(outrider, kind, name, key, value):
    code, out = outrider("list", kind, "--json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert code == 0
    assert rows[name][key] == value
    lines = outrider("list", kind)[1].splitlines()
    assert len(lines) == len(rows) + 1
    assert any(line.startswith(name) for line in lines)
    assert not any(".jpg" in line for line in lines), "paths are for programs"


def test_list_shows_a_line_and_a_small_picture_of_each_world(outrider):
    names = [row["name"] for row in json.loads(outrider("list", "worlds", "--json")[1])]
    code, out = outrider("list", "worlds", "--pictures")
    assert code == 0
    lines = out.splitlines()
    at = [k for k, line in enumerate(lines) if "\u2580" not in line]
    assert [lines[k].split(":")[0] for k in at] == names
    for first, after in zip(at, [*at[1:], len(lines)], strict=True):
        assert {line.count("\u2580") for line in lines[first + 1 : after]} == {48}


def test_check_tells_what_a_file_holds(outrider, tmp_path):
    library = "src/outrider/library"
    root = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))  # noqa: PTH120
    for file, kind, key, value in (
        ("scenarios/smoke.yaml", "scenario", "robots", {"jackal": "jackal, 18.431 kg"}),
        ("worlds/playground.yaml", "world", "movable", ["crate, 4 kg", "ball, 0.6 kg"]),
        ("worlds/hratc.yaml", "world", "objects", 9),
        ("robots/husky/husky.yaml", "robot", "mass_kg", pytest.approx(56.6, abs=0.1)),
        ("robots/husky/husky.urdf", "urdf", "joints", 4),
        ("robots/husky/husky.urdf", "urdf", "drive", "differential"),
        ("sensors/velodyne-vlp16.yaml", "sensor", "type", "lidar"),
        ("../../../examples/sweeps/speed-and-ground.yaml", "sweep", "runs", 36),
        ("../../../examples/sweeps/stay-in-lane.yaml", "sweep", "scenario", "drive-10s"),
    ):
        code, out = outrider("check", f"{root}/{library}/{file}", "--json")
        assert (code, json.loads(out)["kind"], json.loads(out)[key]) == (0, kind, value)


def test_check_tells_what_a_project_holds_as_a_folder_and_as_a_zip(outrider, tmp_path):
    folder, file = str(tmp_path / "yard"), str(tmp_path / "yard.zip")
    assert outrider("project", "new", folder)[0] == 0
    assert outrider("project", "save", folder, "-o", file)[0] == 0
    for what in (folder, file, f"{folder}/project.yaml"):
        code, out = outrider("check", what, "--json")
        facts = json.loads(out)
        assert (code, facts["kind"], facts["files"]) == (0, "project", 4)
        assert (facts["python"], facts["robots"].keys()) == (["code/drive.py"], {"jackal"})


def test_a_project_file_that_names_no_scenario_is_a_project_too(outrider, tmp_path):
    folder = tmp_path / "yard"
    assert outrider("project", "new", str(folder))[0] == 0
    (folder / "project.yaml").write_text("name: yard\n")
    facts = json.loads(outrider("check", str(folder / "project.yaml"), "--json")[1])
    assert (facts["kind"], facts["scenario"]) == ("project", "scenarios/main.yaml")


def test_check_names_the_code_of_a_scenario_and_runs_it_only_if_trusted(
    outrider, tmp_path, monkeypatch
):
    monkeypatch.setenv("OUTRIDER_TRUST", "")
    (tmp_path / "lamp.py").write_text(
        "from pathlib import Path\nimport outrider\n\n"
        "class Lamp(outrider.Component):\n    pass\n\n"
        "Path(__file__).with_suffix('.ran').touch()\n"
    )
    scenario = tmp_path / "lit.yaml"
    scenario.write_text("robots: [{model: jackal}]\ncomponents: [{file: lamp.py, class: Lamp}]\n")
    code, out = outrider("check", str(scenario), "--json")
    facts = json.loads(out)
    assert (code, facts["components"]) == (0, [str(tmp_path / "lamp.py")])
    assert "robots" not in facts
    assert not (tmp_path / "lamp.ran").exists()
    code, out = outrider("check", str(scenario), "--json", "--trust")
    assert (code, json.loads(out)["robots"].keys()) == (0, {"jackal"})
    assert (tmp_path / "lamp.ran").exists()
    assert outrider("export", str(scenario), "--to", str(tmp_path / "lit.sdf"), "--trust")[0] == 0


def test_doctor_tests_itself(outrider):
    code, out = outrider("doctor", "--json")
    report = json.loads(out)
    assert code == 0
    assert report["self_test"]["passed"] is True
    assert report["self_test"]["real_time_factor"] > 0.0
    assert {"numpy", "mujoco", "embreex", "numba", "llvmlite"} <= report["versions"].keys()
    assert report["extras"]["bullet"].startswith("pybullet 3.")
    for package in ("nicegui", "fastapi", "uvicorn"):
        assert f"{package} " in report["extras"]["ui"]


def test_doctor_names_the_packages_of_an_extra_that_are_missing(monkeypatch):
    from outrider.cli import doctor

    monkeypatch.setattr(doctor, "_version", {"uvicorn": "0.54"}.get)
    line = "missing nicegui, fastapi: pip install 'outrider[ui]'"
    assert doctor._extras()["ui"] == line


@pytest.mark.slow
def test_a_run_is_seen_by_other_terminals_and_ends_with_a_summary_on_ctrl_c(tmp_path):
    environment = {**os.environ, "OUTRIDER_CACHE": str(tmp_path)}

    def ask(*arguments: str) -> str:
        done = subprocess.run(
            [*OUTRIDER, *arguments, "--json"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        return done.stdout

    run = subprocess.Popen(
        [*OUTRIDER, "run", "empty", "--robot", "husky"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert run.stderr is not None
        for line in run.stderr:
            if "outrider topics" in line:
                break
        names = [topic["name"] for topic in json.loads(ask("topics"))]
        assert {"/clock", "/cmd_vel", "/tf", "/joint_states", "/ground_truth/state"} <= set(names)
        assert json.loads(ask("echo", "/clock", "-n", "1"))["msg"]["clock"]["sec"] >= 0
        assert json.loads(ask("call", "pause"))["paused"] is True
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=20)
    finally:
        run.kill()
        run.wait()
    assert run.returncode == 0
    assert out.startswith("empty: ")
    assert len(out.splitlines()) == 1


def _hung_up(*, ignored: bool) -> tuple[int, str]:
    """Return the exit code and output of a run whose terminal is closed."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL)
    words = ["run", "empty", "--robot", "husky", "--headless", "--duration", "2"]
    try:
        run = subprocess.Popen(
            [*OUTRIDER, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    finally:
        signal.signal(signal.SIGHUP, before)
    with run:
        for line in run.stderr:
            if "outrider topics" in line:
                break
        time.sleep(0.3)
        run.send_signal(signal.SIGHUP)
        return run.wait(60), run.stdout.read()


@pytest.mark.skipif(sys.platform == "win32", reason="terminals there send no such signal")
def test_a_closed_terminal_ends_a_run_with_its_summary_unless_it_is_to_go_on():
    code, out = _hung_up(ignored=False)
    assert code == 0
    assert out.startswith("empty: ")
    assert "2.00 s simulated" not in out
    code, out = _hung_up(ignored=True)
    assert code == 0
    assert "2.00 s simulated" in out


def test_a_scenario_run_writes_junit_xml_and_its_exit_code_tells_how_it_went(outrider, tmp_path):
    short = ["smoke", "--set", "duration_s=0.1", "--set", "physics.engine=kinematic"]
    met, unmet = "expect=[]", "expect=[{figure: distance_m, least: 5}]"
    file = tmp_path / "junit.xml"
    code, _ = outrider("scenario", "run", *short, "--set", met, "--junit", str(file))
    assert code == 0
    assert 'failures="0"' in file.read_text()
    code, _ = outrider("scenario", "run", *short, "--set", unmet, "--junit", str(file))
    assert code == 1
    assert "distance_m is" in file.read_text()
    code, _ = outrider("scenario", "run", *short, "--set", met, "--junit", str(tmp_path))
    assert code == 2  # a folder


def test_junit_xml_is_written_even_if_nobody_reads_the_table(tmp_path):
    file = tmp_path / "junit.xml"
    words = ["smoke", "--set", "duration_s=0.1", "--set", "expect=[]", "--junit", str(file)]
    command = [sys.executable, "-m", "outrider", "scenario", "run", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
        run.stdout.close()
        run.wait(timeout=120)
    assert 'failures="0"' in file.read_text()
