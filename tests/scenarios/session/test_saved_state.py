"""A saved state goes on as if nothing had happened: bodies, tyres, motors, commands, sensors."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from outrider.core.errors import ConfigError, OutriderError
from outrider.core.files.yaml_file import read_yaml
from outrider.core.structure import from_data
from outrider.loader.library import library_names, library_path
from outrider.scenarios.build import build
from outrider.scenarios.load import load, loads
from outrider.scenarios.opening import find_scenario
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.session.saved_state import put_back, take
from outrider.scenarios.session.saved_state_file import read_saved_state, write_saved_state
from outrider.sensors.catalogue import SENSORS
from outrider.sim.external_forces import ExternalForce
from outrider.specs.sensor import SensorEntry, SensorFile
from outrider.specs.world import PoseSpec

STEPS = 1000


def through_a_file(simulation, scenario, path: Path):
    """Return a new simulation that goes on from where the first one is."""
    return resumed(write_saved_state(take(simulation, scenario), path))


def resumed(path: Path):
    read = read_saved_state(path)
    again = build(read.scenario)
    put_back(read, again)
    return again


@pytest.mark.parametrize(
    "name", ["playground-round", "five-huskies", "ackermann-circle", "slope-park"]
)
def test_a_run_goes_on_from_a_file_to_the_same_state(name, tmp_path):
    scenario = load(name)
    simulation = build(scenario)
    simulation.run(0.9)
    again = through_a_file(simulation, scenario, tmp_path / "run.state")
    for _ in range(STEPS):
        simulation.step()
        again.step()
    assert again.state_hash == simulation.state_hash
    assert (again.steps, again.time_ns) == (simulation.steps, simulation.time_ns)


@pytest.mark.parametrize("engine", ["kinematic", "bullet"])
def test_other_engines_go_on_too(engine, tmp_path):
    if engine == "bullet":
        pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    scenario = load("playground-round", [f"physics.engine={engine}"])
    simulation = build(scenario)
    simulation.run(0.5)
    again = through_a_file(simulation, scenario, tmp_path / "run.state")
    for _ in range(200):
        simulation.step()
        again.step()
    assert again.state_hash == simulation.state_hash


def listeners(simulation):
    return {t.name: simulation.bus.subscribe(t.name, kept="all") for t in simulation.bus.topics()}


def drained(boxes):
    found = {}
    for name, box in boxes.items():
        found[name] = []
        while (item := box.poll()) is not None:
            found[name].append(item)
    return found


def same(a, b) -> bool:
    """Compare messages to the last bit, not-a-numbers included."""
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.tobytes() == b.tobytes()
    if hasattr(a, "__msgtype__"):
        return type(a) is type(b) and all(
            same(getattr(a, f), getattr(b, f)) for f in a.__dataclass_fields__
        )
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return a == b or (a != a and b != b)


IN_A_JOINT = ("force-torque", "load-cell")


def carrying(model: str) -> Scenario:
    file = from_data(SensorFile, read_yaml(library_path("sensors", model)))
    topics = {output: f"probe/{output}" for output in SENSORS.load(file.type).types}
    entry = SensorEntry(
        "probe",
        model,
        link="imu_link" if file.type in IN_A_JOINT else "",
        pose=PoseSpec(0.1, 0.0, 0.3),
        latency_s=0.013,
        jitter_s=0.004,
        dropout=0.1,
        topics=topics,
    )
    robot = RobotEntry(host(model), motion=(), sensors=(entry,), pose=PoseSpec(0.4, 0.1))
    return replace(load("playground-round"), robots=(robot,), end=(), expect=())


def host(model: str) -> str:
    if model.startswith("create"):
        return "create"
    return "autominy" if model.startswith(("auto", "autonomos")) else "jackal"


@pytest.mark.slow
@pytest.mark.parametrize("model", library_names("sensors"))
def test_every_sensor_of_the_library_says_the_same_after_a_restart(model, tmp_path):
    scenario = carrying(model)
    simulation = build(scenario)
    robot = next(iter(simulation.robots.values()))
    robot.drive(0.3, 0.4)
    simulation.run(0.337)
    robot.drive(0.4, -0.2)  # sent, but not yet taken: it must not be lost
    again = through_a_file(simulation, scenario, tmp_path / "run.state")
    boxes = listeners(simulation), listeners(again)
    for _ in range(160):
        simulation.step()
        again.step()
    first, second = (drained(found) for found in boxes)
    assert first.keys() == second.keys()
    for topic in first:
        assert same(first[topic], second[topic]), topic
    assert simulation.state_hash == again.state_hash


def test_a_state_is_put_back_in_place_as_often_as_one_likes():
    scenario = load("playground-round")
    simulation = build(scenario)
    simulation.run(0.5)
    kept = take(simulation, scenario)
    simulation.run(0.5)
    later = simulation.state_hash
    for _ in range(2):
        put_back(kept, simulation)
        assert simulation.state_hash == kept.state_hash
        simulation.run(0.5)
        assert simulation.state_hash == later


def test_taking_a_state_disturbs_nothing():
    hashes = set()
    for watched in (False, True):
        scenario = load("playground-round")
        simulation = build(scenario)
        for _ in range(300):
            simulation.step()
            if watched and simulation.steps % 50 == 0:
                take(simulation, scenario)
        hashes.add(simulation.state_hash)
    assert len(hashes) == 1


def test_forces_from_outside_are_saved_too(tmp_path):
    scenario = loads("robots: [{model: jackal, sensors: []}]")
    simulation = build(scenario)
    force, none = np.array([80.0, 0.0, 0.0]), np.zeros(3)
    simulation.pushes.add(
        ExternalForce("jackal/base_link", force, none, none, 100_000_000, 400_000_000)
    )
    simulation.run(0.2)
    again = through_a_file(simulation, scenario, tmp_path / "run.state")
    for found in (simulation, again):
        found.run(0.4)
    assert again.state_hash == simulation.state_hash
    assert len(again.pushes) == 0


def test_a_state_moves_with_the_folder_of_its_scenario(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    (here / "worlds").mkdir(parents=True)
    (here / "worlds" / "w.yaml").write_text("ground: {type: flat, material: ice}\n")
    (here / "s.yaml").write_text("world: worlds/w.yaml\nrobots: [{model: jackal}]\n")
    scenario = load(here / "s.yaml")
    simulation = build(scenario)
    simulation.run(0.1)
    write_saved_state(take(simulation, scenario), here / "run.state")
    here.rename(there)
    read = read_saved_state(there / "run.state")
    again = build(read.scenario)
    put_back(read, again)
    assert again.state_hash == simulation.state_hash


def test_a_world_that_has_changed_since_is_told(tmp_path):
    (tmp_path / "w.yaml").write_text("objects: [{name: b, shape: {type: sphere}, mass: 2}]\n")
    scenario = loads("world: w.yaml\nrobots: []\n", tmp_path)
    simulation = build(scenario)
    simulation.run(0.1)
    write_saved_state(take(simulation, scenario), tmp_path / "run.state")
    (tmp_path / "w.yaml").write_text("description: nothing\n")
    read = read_saved_state(tmp_path / "run.state")
    with pytest.raises(OutriderError, match="world or robots have changed since"):
        put_back(read, build(read.scenario))


def test_a_wall_that_has_moved_since_is_told(tmp_path):
    wall = "objects: [{{name: b, shape: {{type: box}}, pose: {{x: {}}}}}]\n"
    (tmp_path / "w.yaml").write_text(wall.format(9))
    scenario = loads("world: w.yaml\nrobots: []\n", tmp_path)
    path = write_saved_state(take(build(scenario), scenario), tmp_path / "run.state")
    assert resumed(path)
    (tmp_path / "w.yaml").write_text(wall.format(8))
    with pytest.raises(OutriderError, match="world or robots have changed since"):
        resumed(path)


@pytest.mark.parametrize("length", [0, 10, 2000, -40])
def test_a_broken_file_is_one_sentence(length, tmp_path):
    scenario = load("playground-round")
    path = write_saved_state(take(build(scenario), scenario), tmp_path / "run.state")
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(ConfigError, match=r"run\.state: is not a saved state"):
        read_saved_state(path)


def rewritten(path: Path, part: str, change) -> None:
    """Change one part of a saved state's file."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts[part] = change(parts[part])
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def with_value(*names, value):
    """Return a change of ``state.json`` that sets one value."""

    def change(text: bytes) -> bytes:
        state = json.loads(text)
        part = state
        for name in names[:-1]:
            part = part[name]
        part[names[-1]] = value
        return json.dumps(state).encode()

    return change


_SPEED = ("vehicles", "jackal", "controller", "limiter", "speed")


def an_array_for_the_speed(text: bytes) -> bytes:
    """Take the last array from where it belongs, and give it where a number is."""
    last = re.findall(rb'{"\$array": "[^"]*"}', text)[-1]
    return with_value(*_SPEED, value=json.loads(last))(text.replace(last, b"0"))


def claiming(kind: str, *shape: int) -> bytes:
    """Return the header of an array of numpy's, and nothing after it."""
    file = io.BytesIO()
    header = {"descr": kind, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    return file.getvalue()


@pytest.mark.parametrize(
    ("part", "change", "sentence"),
    [
        (
            "manifest.json",
            lambda _: b'{"format": 1}',
            "of format 1, and only format 2 is supported",
        ),
        ("manifest.json", lambda _: b'{"format": [[]]}', "only format 2 is supported"),
        ("manifest.json", lambda _: b"[]", "is not a saved state"),
        ("scenario.yaml", lambda text: text + b"\nwrold: empty\n", r"wrold: unknown key \(did"),
        ("state.json", lambda _: b"[1, 2", "is not a saved state"),
        ("state.json", lambda _: b"[1, 2]", "is not a JSON object"),
        ("state.json", lambda _: b'{"steps": NaN}', "engine is missing"),
        ("state.json", lambda _: b'{"engine": 3}', "engine: expected named values, got 3"),
        (
            "state.json",
            with_value(*_SPEED, value="x"),
            r"limiter\.speed: expected a number",
        ),
        ("state.json", with_value(*_SPEED[:-1], "sped", value=1), r"called .*limiter\.sped"),
        ("state.json", with_value("steps", value=-3), "not that of -3 steps"),
        ("state.json", with_value("robots", value={"$array": "../x"}), "is not a saved state"),
        ("state.json", an_array_for_the_speed, "expected a number"),
        ("state.json", with_value("a", value=[{"$array": "arrays/0.npy"}] * 2), "a saved state"),
        ("arrays/0.npy", lambda _: b"abc", "is not a saved state"),
        ("arrays/0.npy", lambda _: claiming("|O", 1), "not the array that it claims"),
        ("arrays/0.npy", lambda _: claiming("<f8", 9 * 10**9), "not the array that it claims"),
    ],
)
def test_what_is_wrong_in_a_state_is_told(part, change, sentence, tmp_path):
    scenario = load("playground-round")
    simulation = build(scenario)
    path = write_saved_state(take(simulation, scenario), tmp_path / "run.state")
    simulation.run(0.1)
    rewritten(path, part, change)
    with pytest.raises(ConfigError, match=sentence):
        resumed(path)


def test_the_page_names_what_a_state_holds_and_its_python_reads_one(tmp_path, monkeypatch):
    page = (Path(__file__).parents[3] / "docs" / "saved-states.md").read_text(encoding="utf-8")
    scenario = load("playground-round")
    simulation = build(scenario)
    write_saved_state(take(simulation, scenario), tmp_path / "now.state")
    for name in simulation.get_state():
        assert re.search(rf"^\| .*`{name}`", page, re.MULTILINE), name
    monkeypatch.chdir(tmp_path)
    found: dict[str, object] = {}
    exec(re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0], found)
    assert found["state"]["steps"] == 0


_SAVES = """
import sys
from pathlib import Path
from outrider.scenarios.build import build
from outrider.scenarios.load import load
from outrider.scenarios.session.saved_state import take
from outrider.scenarios.session.saved_state_file import write_saved_state
scenario = load("playground-round")
simulation = build(scenario)
while True:
    simulation.step()
    write_saved_state(take(simulation, scenario), Path(sys.argv[1]))
    print(simulation.steps, flush=True)
"""


def test_a_save_that_is_killed_leaves_the_file_whole(tmp_path):
    path = tmp_path / "run.state"
    for delay_s in (0.0, 0.004, 0.009):
        process = subprocess.Popen(
            [sys.executable, "-c", _SAVES, str(path)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(3):
            process.stdout.readline()
        time.sleep(delay_s)
        os.kill(process.pid, signal.SIGKILL)
        done = process.communicate()[0].split()
        read = read_saved_state(path)
        again = build(read.scenario)
        put_back(read, again)
        assert again.steps >= (int(done[-1]) if done else 3)
        assert read.state.integer("steps") == again.steps


def test_damage_anywhere_in_a_state_never_ends_in_a_traceback(tmp_path):
    scenario = loads("robots: [{model: jackal, sensors: []}]")
    path = write_saved_state(take(build(scenario), scenario), tmp_path / "run.state")
    whole = path.read_bytes()
    fresh, refused = build(scenario), 0
    for place in range(7, len(whole), len(whole) // 150):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        try:
            put_back(read_saved_state(path), fresh)
        except OutriderError:
            refused += 1
    assert refused > 100


def test_a_state_given_as_a_scenario_is_told_how_to_go_on(tmp_path):
    scenario = loads("world: empty\nrobots: []\n")
    path = write_saved_state(take(build(scenario), scenario), tmp_path / "run.state")
    with pytest.raises(ConfigError, match=r"is a saved state: 'outrider run --state .*run.state'"):
        find_scenario(str(path))
    (tmp_path / "no.state").write_text("x")
    with pytest.raises(OutriderError, match="no robot or world; 'outrider run --state FILE'"):
        find_scenario(str(tmp_path / "no.state"))
