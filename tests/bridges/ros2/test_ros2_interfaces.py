"""Compiled packages that rclpy's wheels lack: tf2_msgs and simulation_interfaces, at both ends."""

import math
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryFile

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed: pip install outrider[ros2]")
from ros2_domain import free_domain
from ros2_packages import SOURCES, build
from ros2_peer import Peer, surroundings

HEADER = Path(sysconfig.get_path("include")) / "Python.h"
MISSING = [name for name in ("gcc", "g++") if shutil.which(name) is None]
MISSING += [] if HEADER.is_file() else [f"{HEADER} (Debian's python3-dev)"]
pytestmark = [
    pytest.mark.peer,
    pytest.mark.slow,
    pytest.mark.timeout(900),  # of which compiling takes most
    pytest.mark.skipif(bool(MISSING), reason=f"cannot compile packages without {MISSING}"),
]

SRV = "simulation_interfaces/srv"
OK, NOT_FOUND, FAILED = 1, 2, 4
BOX = """<sdf version="1.9"><model name="box"><link name="link">
<inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.4 0.4 0.4</size></box></geometry></collision>
<visual name="v"><geometry><box><size>0.4 0.4 0.4</size></box></geometry></visual>
</link></model></sdf>"""


@pytest.fixture(scope="module")
def packages(request) -> Path:
    """Build the packages, once for as long as neither they nor the generator change."""
    texts = [file.read_bytes() for file in sorted(SOURCES.rglob("*.*"))]
    version = f"{sys.prefix} {metadata.version('ros-rosidl-generator-py')}".encode()
    key = blake2b(b"".join([version, *texts]), digest_size=8).hexdigest()
    folder = Path(request.config.cache.mkdir("ros2_packages")) / key
    if not (folder / "done").exists():
        for source in sorted(SOURCES.iterdir()):
            build(source.name, folder)
        (folder / "done").touch()
    return folder


@contextmanager
def simulator(domain: int, packages: Path | None) -> Iterator[None]:
    """Run the program as a user does, with or without the packages installed."""
    env = surroundings(packages, os.environ.get("PYTHONPATH", ""))
    command = [
        sys.executable,
        "-m",
        "outrider",
        "run",
        "empty",
        "--headless",
        "--bridge",
        f"ros2:domain={domain}",
    ]
    with TemporaryFile("w+") as said:
        process = subprocess.Popen(command, env=env, stdout=said, stderr=said)
        try:
            yield
            process.terminate()
            process.wait(timeout=60)
            said.seek(0)
            assert process.returncode == 0, said.read()
        finally:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def peer(packages):
    with simulator(free_domain(), packages), Peer(free_domain(), packages) as made:
        yield made


def ask(peer, name: str, /, **request):
    snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
    return peer("call", service=f"/{snake}", type=f"{SRV}/{name}", request=request)


def code(answer: dict) -> int:
    return answer["result"]["result"]


def test_it_tells_what_it_can_do(peer):
    features = ask(peer, "GetSimulatorFeatures")["features"]
    assert {0, 1, 9, 10, 11, 20, 24, 25, 26, 31, 32} <= set(features["features"])
    assert set(features["spawn_formats"]) >= {"urdf", "sdf"}


def test_states_go_from_playing_to_paused_to_stopped_and_back(peer):
    assert ask(peer, "GetSimulationState")["state"]["state"] == 1
    assert code(ask(peer, "SetSimulationState", state={"state": 2})) == OK
    assert code(ask(peer, "SetSimulationState", state={"state": 2})) == 101  # is there already
    assert code(ask(peer, "StepSimulation", steps=4)) == OK
    assert code(ask(peer, "SetSimulationState", state={"state": 0})) == OK
    assert ask(peer, "GetSimulationState")["state"]["state"] == 0
    assert code(ask(peer, "SetSimulationState", state={"state": 1})) == OK
    refused = ask(peer, "StepSimulation", steps=1)
    assert code(refused) == FAILED
    assert "paused" in refused["result"]["error_message"]


def test_entities_are_spawned_found_moved_and_deleted(peer):
    pose = {"pose": {"position": {"x": 2.0, "y": 1.0, "z": 0.2}}}
    asked = {"name": "box", "entity_resource": {"resource_string": BOX}, "initial_pose": pose}
    answer = ask(peer, "SpawnEntity", **asked)
    assert code(answer) == OK, answer
    assert code(ask(peer, "SpawnEntity", **asked)) == 101  # the name is taken
    beside = asked | {"initial_pose": {"pose": {"position": {"x": 2.0, "y": 3.0, "z": 0.2}}}}
    assert ask(peer, "SpawnEntity", allow_renaming=True, **beside)["entity_name"] == "box_1"
    assert {"box", "box_1"} == set(ask(peer, "GetEntities", filters={"filter": "^box"})["entities"])
    moved = {"pose": {"position": {"x": -3.0, "y": 0.5, "z": 0.2}, "orientation": {"w": 1.0}}}
    assert code(ask(peer, "SetEntityState", entity="box", state=moved, set_pose=True)) == OK
    place = ask(peer, "GetEntityState", entity="box")["state"]["pose"]["position"]
    assert math.dist((place["x"], place["y"]), (-3.0, 0.5)) < 0.01
    assert code(ask(peer, "DeleteEntity", entity="box")) == OK
    assert code(ask(peer, "DeleteEntity", entity="box")) == NOT_FOUND
    assert code(ask(peer, "GetEntityState", entity="box")) == NOT_FOUND


def test_nonsense_is_refused_with_its_code(peer):
    assert (
        code(ask(peer, "SpawnEntity", name="x", entity_resource={"resource_string": "no"})) == 103
    )
    assert code(ask(peer, "SpawnEntity", name="x")) == 104
    assert code(ask(peer, "SpawnEntity", name="")) == 102
    assert code(ask(peer, "LoadWorld")) == 102
    assert code(ask(peer, "ResetSimulation", scope=1)) == 0
    nowhere = {"pose": {"position": {"x": math.nan}}}
    assert code(ask(peer, "SetEntityState", entity="jackal", state=nowhere, set_pose=True)) != OK


def test_frames_made_at_run_time_are_those_of_the_compiled_package(packages, peer):
    """A simulator without tf2_msgs speaks to a listener that has it."""
    peer("subscribe", topic="/tf", type="tf2_msgs/msg/TFMessage", depth=100)
    peer(
        "subscribe", topic="/tf_static", type="tf2_msgs/msg/TFMessage", durability="TRANSIENT_LOCAL"
    )
    assert peer("wait", topic="/tf", count=5) >= 5
    compiled = peer("hashes", topic="/tf")
    fixed = peer("messages", topic="/tf_static")[0]["transforms"]
    domain = free_domain("no packages")
    with Peer(domain, packages) as other, simulator(domain, None):
        for topic, durability in (("/tf", "VOLATILE"), ("/tf_static", "TRANSIENT_LOCAL")):
            other("subscribe", topic=topic, type="tf2_msgs/msg/TFMessage", durability=durability)
        assert other("wait", topic="/tf", count=5) >= 5
        assert other("wait", topic="/tf_static") == 1
        assert other("messages", topic="/tf_static")[0]["transforms"] == fixed
        assert other("hashes", topic="/tf") == compiled
        moving = other("messages", topic="/tf", first=-1)[0]["transforms"]
    assert {"odom"} == {
        t["header"]["frame_id"] for t in moving if t["child_frame_id"] == "base_link"
    }
