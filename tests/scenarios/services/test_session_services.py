"""Changes from outside: services of a run, carried out between two steps."""

import json
import subprocess
import sys
import threading

import pytest

from outrider.core.errors import ConfigError, OutriderError
from outrider.scenarios.load import load
from outrider.scenarios.run import Run

OUTRIDER = [sys.executable, "-c", "from outrider.cli.main import main; main()"]


@pytest.fixture
def run():
    """A run that goes flat out in a thread of its own until it is stopped."""
    made = Run(load("playground-round", ["duration_s=null", "end=[]"]), speed=0.0)
    thread = threading.Thread(target=made.go)
    thread.start()
    yield made
    made.runner.stop()
    thread.join(10)


def test_things_are_moved_added_removed_and_undone_while_it_runs(run):
    services = run.runner.services()
    services["pause"]({})
    before = services["status"]({})
    after = services["move"]({"name": "crate", "x": 4.0, "y": 4.0, "yaw_deg": 45.0})
    assert after["time_s"] == before["time_s"]
    assert after["state_hash"] != before["state_hash"]
    services["add_object"]({"name": "post", "shape": {"type": "cylinder"}, "pose": {"x": 9.0}})
    services["add_robot"]({"model": "husky", "pose": {"x": 5.0, "y": 5.0}})
    services["add_sensor"]({"robot": "jackal", "name": "far", "model": "ping"})
    services["rename_topic"]({"robot": "jackal", "key": "odometry", "name": "odom"})
    services["remove"]({"name": "ball"})
    services["resume"]({})
    assert set(run.simulation.robots) == {"jackal", "husky"}
    names = {topic.name for topic in run.simulation.bus.topics()}
    assert {"/odom", "/husky/cmd_vel"} <= names
    for _ in range(6):
        last = services["undo"]({})
    assert last["state_hash"] == before["state_hash"]
    with pytest.raises(ConfigError, match="nothing to undo"):
        services["undo"]({})
    assert services["redo"]({})["steps"] > 0


def test_people_are_added_while_it_runs(run):
    services = run.runner.services()
    services["add_actor"]({"type": "person", "name": "guest", "points": [[9.0, 9.0], [9.0, 5.0]]})
    assert "guest" in run.simulation.rig.assembly.models
    services["undo"]({})
    assert "guest" not in run.simulation.rig.assembly.models


def test_a_state_is_saved_while_it_runs_and_loaded_again(run, tmp_path):
    services = run.runner.services()
    file = str(tmp_path / "now.state")
    saved = services["save_state"]({"file": file})
    services["load_world"]({"world": "ice"})
    assert run.simulation.rig.assembly.world.name == "ice"
    services["pause"]({})
    services["load_state"]({"file": file})
    assert run.simulation.rig.assembly.world.name == "playground"
    assert services["status"]({})["steps"] == saved["steps"]
    services["resume"]({})


def test_a_reset_starts_where_things_were_put(run):
    services = run.runner.services()
    services["pause"]({})
    services["move"]({"name": "jackal", "x": 5.0, "y": 5.0})
    assert services["reset"]({})["time_s"] == 0.0
    assert run.simulation.robots["jackal"].pose.position[:2].tolist() == [5.0, 5.0]


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("move", {"name": "crat", "x": 1}, "did you mean 'crate'"),
        ("move", {"name": "crate", "xx": 1}, "xx: unknown key"),
        ("move", {"name": "crate", "x": "far"}, "x: expected a number"),
        ("move", {}, "name: this key is required"),
        ("add_object", {"name": "p", "shap": {}}, "did you mean 'shape'"),
        ("add_actor", {"type": "person", "point": [[0, 9]]}, "did you mean 'points'"),
        ("save_state", {"file": 3}, "file: expected text"),
        ("load_state", {"file": "/no/such.state"}, "there is no such file"),
        ("load_world", {"world": "icy"}, "did you mean 'ice'"),
    ],
)
def test_a_bad_request_is_answered_and_the_run_goes_on(run, name, arguments, sentence):
    services = run.runner.services()
    with pytest.raises(OutriderError, match=sentence):
        services[name](arguments)
    assert services["status"]({})["steps"] >= 0


def test_the_way_to_where_a_robot_was_put_is_not_its_own():
    made = Run(load("playground-round", ["duration_s=null", "end=[]"]), speed=0.0)
    made.simulation.run(1.0)
    made.session.move("jackal", 5.0, 5.0)
    made.simulation.run(0.5)
    made.session.move("boulder", -9.0, 9.0)  # a new build
    made.simulation.run(0.5)
    assert 0.5 < made.result()["distance_m"] < 1.2


def test_the_command_line_goes_on_from_a_state(tmp_path):
    made = Run(load("playground-round", ["duration_s=5", "end=[]"]), speed=0.0)
    made.simulation.run(1.0)
    made.session.save(tmp_path / "now.state")
    made.simulation.run(1.0)

    def outrider(*arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [*OUTRIDER, "run", "--headless", "--speed", "0", *arguments],
            capture_output=True,
            text=True,
            check=False,
        )

    done = outrider("--state", str(tmp_path / "now.state"), "--duration", "1", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["sim_time_s"] == pytest.approx(2.0)
    assert result["state_hash"] == made.simulation.state_hash
    refused = outrider("playground-round", "--state", str(tmp_path / "now.state"))
    assert refused.returncode == 2
    assert "can only be combined with --speed, --duration and --trust" in refused.stderr
