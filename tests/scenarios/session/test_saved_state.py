"""A saved state goes on as if nothing had happened: bodies, tyres, motors, commands, sensors."""

import json
import os
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
from outrider.core.structure import build as structured
from outrider.loader.library import library_names, library_path
from outrider.scenarios.build import build
from outrider.scenarios.load import load, loads
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.session.saved_state import put_back, take
from outrider.scenarios.session.saved_state_file import read_snapshot, write_snapshot
from outrider.sensors.catalogue import SENSORS
from outrider.specs.sensor import SensorEntry, SensorFile
from outrider.specs.world import PoseSpec
from outrider.specs.yaml_file import read_yaml

STEPS = 1000


def through_a_file(simulation, scenario, path: Path):
    """Return a new simulation that goes on from where the first one is."""
    return resumed(write_snapshot(take(simulation, scenario), path))


def resumed(path: Path):
    read = read_snapshot(path)
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


def carrying(model: str) -> Scenario:
    file = structured(SensorFile, read_yaml(library_path("sensors", model)))
    topics = {output: f"probe/{output}" for output in SENSORS.load(file.type).types}
    entry = SensorEntry(
        "probe",
        model,
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


def test_a_state_moves_with_the_folder_of_its_scenario(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    (here / "worlds").mkdir(parents=True)
    (here / "worlds" / "w.yaml").write_text("ground: {type: flat, material: ice}\n")
    (here / "s.yaml").write_text("world: worlds/w.yaml\nrobots: [{model: jackal}]\n")
    scenario = load(here / "s.yaml")
    simulation = build(scenario)
    simulation.run(0.1)
    write_snapshot(take(simulation, scenario), here / "run.state")
    here.rename(there)
    read = read_snapshot(there / "run.state")
    again = build(read.scenario)
    put_back(read, again)
    assert again.state_hash == simulation.state_hash


def test_a_world_that_has_changed_since_is_told(tmp_path):
    (tmp_path / "w.yaml").write_text("objects: [{name: b, shape: {type: sphere}, mass: 2}]\n")
    scenario = loads("world: w.yaml\nrobots: []\n", tmp_path)
    simulation = build(scenario)
    simulation.run(0.1)
    write_snapshot(take(simulation, scenario), tmp_path / "run.state")
    (tmp_path / "w.yaml").write_text("description: nothing\n")
    read = read_snapshot(tmp_path / "run.state")
    with pytest.raises(OutriderError, match="world or robots have changed since"):
        put_back(read, build(read.scenario))


def test_a_wall_that_has_moved_since_is_told(tmp_path):
    wall = "objects: [{{name: b, shape: {{type: box}}, pose: {{x: {}}}}}]\n"
    (tmp_path / "w.yaml").write_text(wall.format(9))
    scenario = loads("world: w.yaml\nrobots: []\n", tmp_path)
    path = write_snapshot(take(build(scenario), scenario), tmp_path / "run.state")
    assert resumed(path)
    (tmp_path / "w.yaml").write_text(wall.format(8))
    with pytest.raises(OutriderError, match="world or robots have changed since"):
        resumed(path)


@pytest.mark.parametrize("length", [0, 10, 2000, -40])
def test_a_broken_file_is_one_sentence(length, tmp_path):
    scenario = load("playground-round")
    path = write_snapshot(take(build(scenario), scenario), tmp_path / "run.state")
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(ConfigError, match=r"run\.state: is no saved state"):
        read_snapshot(path)


def rewritten(path: Path, part: str, change) -> None:
    """Change one part of a snapshot's file."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts[part] = change(parts[part])
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


@pytest.mark.parametrize(
    ("part", "change", "sentence"),
    [
        ("manifest.json", lambda _: b'{"format": 99}', "another format"),
        ("scenario.yaml", lambda text: text + b"\nwrold: empty\n", r"wrold: unknown key \(did"),
        ("notes.json", lambda _: b"[1, 2", "is no saved state"),
        ("notes.json", lambda _: b'{"o": "os:system", "f": {}, "#": 0}', "may hold"),
        ("notes.json", lambda _: b'{"d": [["engine", 3]], "#": 0}', "does not fit"),
    ],
)
def test_what_is_wrong_in_a_state_is_told(part, change, sentence, tmp_path):
    scenario = load("playground-round")
    simulation = build(scenario)
    path = write_snapshot(take(simulation, scenario), tmp_path / "run.state")
    simulation.run(0.1)
    rewritten(path, part, change)
    with pytest.raises(ConfigError, match=sentence):
        resumed(path)


_SAVES = """
import sys
from pathlib import Path
from outrider.scenarios.build import build
from outrider.scenarios.load import load
from outrider.scenarios.session.saved_state import take
from outrider.scenarios.session.saved_state_file import write_snapshot
scenario = load("playground-round")
simulation = build(scenario)
while True:
    simulation.step()
    write_snapshot(take(simulation, scenario), Path(sys.argv[1]))
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
        read = read_snapshot(path)
        again = build(read.scenario)
        put_back(read, again)
        assert again.steps >= (int(done[-1]) if done else 3)
        assert json.dumps(read.steps) == str(again.steps)


def test_damage_anywhere_in_a_state_never_ends_in_a_traceback(tmp_path):
    scenario = loads("robots: [{model: jackal, sensors: []}]")
    path = write_snapshot(take(build(scenario), scenario), tmp_path / "run.state")
    whole = path.read_bytes()
    fresh, refused = build(scenario), 0
    for place in range(7, len(whole), len(whole) // 150):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        try:
            put_back(read_snapshot(path), fresh)
        except OutriderError:
            refused += 1
    assert refused > 100
