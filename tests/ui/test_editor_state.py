"""What stands between pages and the simulation, without a browser."""

import asyncio
import json
import struct
import threading
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from editor_bench import YARD, looping

from outrider.core.errors import BridgeError, ConfigError
from outrider.scenarios.load import loads
from outrider.scenarios.run import Run
from outrider.scenarios.session import session as session_module
from outrider.scenarios.session import successor
from outrider.scenarios.session.session import Session
from outrider.ui import editing, projects, uploads
from outrider.ui.commands import Commands
from outrider.ui.driving import Driving
from outrider.ui.editor_state import EditorState
from outrider.ui.layout import Layout, Plot
from outrider.ui.link.viewers import Viewer
from outrider.ui.options import EditorOptions
from outrider.ui.outline import find, outline, owner
from outrider.ui.routes import drawn_routes, route_of, sent_to
from outrider.ui.stage.stage import StageMaker


@pytest.fixture
def session() -> Session:
    return Session(loads(YARD))


@pytest.fixture
def editor(tmp_path: Path) -> EditorState:
    return EditorState(Run(loads(YARD), speed=0.0), EditorOptions(projects=tmp_path))


def run_beside(run: Run, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Simulate until some work in another thread is done, or has failed."""

    def beside() -> None:
        try:
            asyncio.run(work())
        finally:
            run.runner.stop()

    thread = threading.Thread(target=beside)
    thread.start()
    run.runner.run(1e6)
    thread.join()


def test_the_tree_names_robots_links_sensors_objects_and_scenery(session: Session) -> None:
    tree = outline(session)
    for key in (
        "robot:jackal",
        "sensor:jackal/imu",
        "link:jackal/base_link",
        "object:wall",
        "scenery:ground",
        "light:sun",
    ):
        assert find(tree, key) is not None, key
    hit = owner(tree, "jackal/front_left_wheel_link")
    assert hit is not None
    assert hit.key == "robot:jackal"


def test_the_tree_names_actors_with_their_parts() -> None:
    people = "{type: person, name: guest, count: 2, points: [[4, 0], [8, 0]]}"
    tree = outline(Session(loads(f"robots: []\nactors: [{people}]")))
    for key in ("group:actors", "actor:guest_1", "actor:guest_2", "link:guest_2/left_shank"):
        assert find(tree, key) is not None, key
    hit = owner(tree, "guest_1/right_arm")
    assert hit is not None
    assert hit.key == "actor:guest_1"


def test_handles_move_what_stands_on_the_ground_along_the_ground(session: Session) -> None:
    session.apply(editing.added_primitive(session, "box", "jackal"))
    session.apply(editing.shifted(session, "box", (0.5, -1.0, 0.0), 30.0))
    pose = editing.pose_of(session, "box")
    assert pose.position[:2].tolist() == pytest.approx([2.5, -1.0], abs=1e-3)
    assert pose.position[2] == pytest.approx(0.25, abs=0.01)
    assert np.degrees(pose.rpy[2]) == pytest.approx(30.0)
    session.apply(editing.shifted(session, "box", (0.0, 0.0, 1.0), 0.0))
    assert editing.pose_of(session, "box").position[2] == pytest.approx(1.25, abs=0.01)


def test_an_object_becomes_larger_where_it_is_and_can_be_doubled(session: Session) -> None:
    session.apply(editing.added_primitive(session, "sphere", "jackal", (3.0, 1.0)))
    session.apply(editing.with_object(session, "sphere", mass=9.0))
    assert editing.object_of(session, "sphere").mass == 9.0
    assert editing.pose_of(session, "sphere").position[:2].tolist() == pytest.approx([3.0, 1.0])
    session.apply(editing.duplicated(session, "sphere"))
    assert editing.object_of(session, "sphere_2").mass == 9.0
    session.apply(editing.duplicated(session, "jackal"))
    assert set(session.simulation.robots) == {"jackal", "jackal_2"}


def test_a_robot_drives_to_where_somebody_clicked(session: Session) -> None:
    session.apply(sent_to(session, "jackal", 1.5, 0.0, more=False))
    session.apply(sent_to(session, "jackal", 1.5, 1.0, more=True))
    assert route_of(editing.entry_of(session, "jackal")) == ((1.5, 0.0), (1.5, 1.0))
    assert set(drawn_routes(session)) == {"route jackal", "route jackal points"}
    session.simulation.run(8.0)
    place = session.simulation.robots["jackal"].pose.position
    assert place[:2].tolist() == pytest.approx([1.5, 1.0], abs=0.35)


def test_only_what_changed_gets_another_key(session: Session) -> None:
    maker = StageMaker()
    before = maker.make(session.simulation.rig.scene)
    session.apply(editing.added_primitive(session, "box", "jackal"))
    after = maker.make(session.simulation.rig.scene)
    assert len(set(after.meshes) - set(before.meshes)) == 1
    key = next(iter(set(after.meshes) - set(before.meshes)))
    data = after.packed(key)
    assert data is not None
    (length,) = struct.unpack_from("<I", data)
    head = json.loads(data[4 : 4 + length])
    assert head["indices"] == 36
    assert len(data) == 4 + length + head["vertices"] * 16 + head["indices"] * 4
    assert after.packed("../secret") is None


def test_commands_do_what_they_say_and_say_what_is_wrong(editor: EditorState) -> None:
    with looping(editor.run):
        _check_commands(editor)


def _check_commands(editor: EditorState) -> None:
    commands = Commands(editor, own_user=True)
    assert commands.run("spawn box 3 1") == "box is there"
    assert commands.run("move box 4 2") == "box is at 4, 2"
    assert editing.pose_of(editor.session, "box").position[:2].tolist() == pytest.approx([4.0, 2.0])
    commands.run("set jackal/imu rate_hz 25")
    rates = {m.name: m.plan.rate_hz for m in editor.session.simulation.mounted}
    assert rates["jackal/imu"] == 25.0
    assert "box" in commands.run("models")
    assert editor.unsaved
    for line, said in (
        ("spawn bx", "did you mean 'box'"),
        ("move box 1", "expected: move NAME X Y"),
        ("move box here 1", "expected a number, got 'here'"),
        ("drive jackal nan", "expected a number, got 'nan'"),
        ("set jackal/imu rate_hz often", "expected a number, got 'often'"),
        ("remove bx", "there is no robot or object 'bx'"),
        ("set jackal/gyro rate_hz 1", "there is no sensor 'jackal/gyro'"),
        ("pub /clock {}", "published by the simulation itself"),
        ('say "', "cannot read"),
    ):
        with pytest.raises(ConfigError, match=said):
            commands.run(line)


def test_the_loop_goes_on_while_a_change_is_built(
    editor: EditorState, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, passed = editor.session, []

    def patient(*asked: Any, **named: Any) -> object:
        """Build, but only after the simulation has gone on meanwhile."""
        before, end_s = session.simulation.steps, time.monotonic() + 30.0
        while session.simulation.steps < before + 10 and time.monotonic() < end_s:
            time.sleep(0.005)
        passed.append(session.simulation.steps - before)
        return built(*asked, **named)

    built = successor.built_successor
    monkeypatch.setattr(session_module, "built_successor", patient)

    async def change() -> None:
        await editor.apply(lambda: editing.added_primitive(session, "box", "jackal"))
        await editor.beside(session.prepared_undo)
        await editor.beside(lambda: session.prepared_open(projects.of_library("smoke")))
        await asyncio.to_thread(Commands(editor, own_user=True).run, "spawn cone 3 1")

    run_beside(editor.run, change)
    assert len(passed) == 4
    assert min(passed) >= 10
    assert [item.name for item in session.scenario.obstacles] == ["cone"]


def test_visitors_of_other_computers_cannot_name_files_of_this_one(tmp_path: Path) -> None:
    away = EditorState(Run(loads(YARD)), EditorOptions(host="0.0.0.0", projects=tmp_path))
    for line in (
        "save_state file=/tmp/state",
        "load_world world=/etc/world.yaml",
        "call add_robot model=/etc/robot.yaml",
        "add_sensor robot=jackal name=s model=/etc/sensor.yaml",
        "add_object name=a shape='{type: mesh, file: /etc/a.obj}'",
    ):
        with pytest.raises(BridgeError, match="clients may not use files on this computer"):
            Commands(away, own_user=False).run(line)
    with looping(away.run):
        assert "paused" in Commands(away, own_user=False).run("status")


def test_a_saved_project_opens_as_it_was(session: Session, tmp_path: Path) -> None:
    session.apply(editing.added_primitive(session, "cone", "jackal"))
    projects.save_project(session.scenario, projects.project_folder(tmp_path, "mine"))
    assert projects.project_names(tmp_path) == ["mine"]
    again = projects.open_project(tmp_path, "mine")
    assert replace(again, name="") == replace(session.scenario, name="")
    for name in ("../mine", "a/b", "", ".hidden", "x" * 65):
        with pytest.raises(ConfigError, match="is no project's name"):
            projects.project_folder(tmp_path, name)


def test_what_is_seen_and_written_is_saved_and_a_broken_file_of_it_costs_nothing_else(
    editor: EditorState, tmp_path: Path
) -> None:
    layout = Layout(tab="Plots", plots=(Plot("/imu/data", "orientation.w"),))
    editor.programs.of("jackal").text = "def loop(robot):\n    pass\n"
    assert editor.unsaved
    editor.kept(tmp_path / "mine", editor.session.scenario, layout)
    assert not editor.unsaved
    options = EditorOptions(projects=tmp_path, project=tmp_path / "mine")
    again = EditorState(editor.run, options)
    assert again.layout == layout
    assert again.programs.texts() == {"jackal": "def loop(robot):\n    pass\n"}
    (tmp_path / "mine" / "editor.yaml").write_text("tab: Nowhere\n")
    broken = EditorState(editor.run, options)
    assert broken.layout == Layout()
    assert any("editor.yaml" in entry.text for entry in broken.journal.since(0))
    for each in (editor, again, broken):
        each.programs.close()


def test_uploads_stay_in_their_folder_and_broken_ones_say_so() -> None:
    assert uploads.safe_name("../../etc/passwd.obj") == Path("etc/passwd.obj")
    assert uploads.safe_name("C:\\robots\\my robot.urdf") == Path("C_/robots/my_robot.urdf")
    cube = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    found = uploads.examined({"thing/part.obj": cube})
    assert found.file.name == "part.obj"
    assert "visual triangles 4" in found.report[0]
    with pytest.raises(ConfigError, match="none of the files is a robot, world or mesh"):
        uploads.examined({"note.txt": b"hello"})
    with pytest.raises(ConfigError, match="expected 1 to 500 files"):
        uploads.keep({})


def test_an_uploaded_mesh_stands_in_the_world(session: Session) -> None:
    cube = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    found = uploads.examined({"part.obj": cube})
    uploads.prepared(session, found.file, "jackal")()
    assert "part" in session.simulation.rig.assembly.models


def test_a_slow_viewer_gets_the_newest_of_each_kind() -> None:
    async def told() -> list[bytes]:
        viewer = Viewer()
        for number in range(5):
            viewer.offer("frame", b"frame %d" % number)
        viewer.offer("cloud", b"cloud")
        return [await viewer.next(), await viewer.next()]

    assert asyncio.run(told()) == [b"frame 4", b"cloud"]


def test_watching_changes_no_bit_of_the_simulation(tmp_path: Path) -> None:
    alone, watched = Run(loads(YARD), speed=0.0), Run(loads(YARD), speed=0.0)
    editor = EditorState(watched, EditorOptions(projects=tmp_path))
    viewer = Viewer()
    frames = []

    async def watch() -> None:
        editor.viewers.join(viewer)
        showing = asyncio.create_task(editor.show())
        frames.extend([await viewer.next() for _ in range(5)])
        showing.cancel()

    run_beside(watched, watch)
    alone.runner.run(watched.simulation.time_s)
    assert len(frames) == 5
    assert alone.simulation.state_hash == watched.simulation.state_hash


@pytest.fixture(autouse=True)
def _needs_nicegui() -> None:
    pytest.importorskip("nicegui", reason="the extra ui is not installed")


def test_a_hand_on_the_keys_takes_over_until_the_autopilot_is_let_on(tmp_path: Path) -> None:
    motion = "  - model: jackal\n    motion: {type: drive, speed: 0.3}\n"
    run = Run(loads(YARD.replace("  - model: jackal\n", motion)), speed=0.0)
    editor, driving = EditorState(run, EditorOptions(projects=tmp_path)), Driving(run)
    seen: list[object] = []

    async def drive() -> None:
        driving.hold("jackal", -1.0, 0.0)
        while not await editor.between(lambda: driving.by_hand("jackal")):
            await asyncio.sleep(0.01)
        motor = run.simulation.rig.vehicles[0].controller
        speeds = [0.0]
        for _ in range(2000):  # flat out, a command is old after an instant
            driving.hold("jackal", -1.0, 0.0)
            speeds.append(
                await editor.between(lambda: motor.input.newest(run.simulation.time_ns).speed)
            )
            if speeds[-1] < 0.0:
                break
        seen.append(speeds[-1])
        driving.hold("jackal", float("nan"), 0.0)  # no number: it stops
        await asyncio.sleep(0.1)
        await editor.between(lambda: driving.give_back("jackal"))
        seen.append(await editor.between(lambda: driving.by_hand("jackal")))

    run_beside(run, drive)
    assert seen[0] == pytest.approx(-2.0)  # the Jackal's greatest speed, backward
    assert seen[1] is False


def test_another_scenario_opens_at_its_start_and_can_be_undone(session: Session) -> None:
    session.simulation.run(0.5)
    session.open(projects.of_library("smoke"))
    assert session.simulation.time_s == 0.0
    assert session.scenario.name == "smoke"
    session.undo()
    assert session.simulation.time_s == pytest.approx(0.5)
    assert "wall" in session.simulation.rig.assembly.models
