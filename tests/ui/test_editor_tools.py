"""The editor's tools in a real browser: handles, sticks, files, routes, the workshop."""

import json
import math
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from editor_bench import Seat
from websockets.sync.client import connect

from outrider.loader.project.archive import open_project
from outrider.scenarios.load import load
from outrider.scenarios.recording import replay

pytestmark = [pytest.mark.peer, pytest.mark.timeout(600)]

CUBE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.fixture(autouse=True)
def clean(seat: Seat) -> None:
    """Begin each test as the first one does, whatever the one before left open."""
    seat.tidy()


def pose_of(seat: Seat) -> list[float]:
    return [float(seat.field(axis).input_value()) for axis in ("x", "y", "z")]


def test_handles_drag_an_object_and_undo_and_redo_lead_back_and_on(seat: Seat) -> None:
    seat.command("spawn cylinder 1.6 0.8", "cylinder is there")
    seat.page.evaluate("window.outriderStage.setCamera('top')")
    seat.pick("cylinder")
    seat.until("s => s.selected === 'cylinder'")
    seat.page.wait_for_function("window.outriderStage.gizmo.group.visible")
    seat.poll(lambda: math.dist(pose_of(seat)[:2], (1.6, 0.8)) < 0.01)
    before = pose_of(seat)
    seat.insist(lambda: _drag_along_x(seat), lambda: abs(pose_of(seat)[0] - before[0]) > 0.2)
    seat.logged("moved cylinder")
    after = pose_of(seat)
    assert after[1:] == pytest.approx(before[1:], abs=0.02)  # along x alone
    seat.menu("Edit", "Undo (Ctrl+Z)")
    seat.poll(lambda: abs(pose_of(seat)[0] - before[0]) < 0.02)
    seat.menu("Edit", "Redo (Ctrl+Shift+Z)")
    seat.poll(lambda: abs(pose_of(seat)[0] - after[0]) < 0.02)
    seat.page.locator('[data-view="snap"]').click()
    seat.page.wait_for_function("window.outriderStage.gizmo.snap")
    seat.insist(lambda: _drag_along_x(seat), lambda: abs(pose_of(seat)[0] - after[0]) > 0.2)
    quarters = (pose_of(seat)[0] - after[0]) / 0.25
    assert quarters == pytest.approx(round(quarters), abs=0.05)
    seat.page.locator('[data-view="snap"]').click()
    seat.insist(lambda: seat.act("delete"), lambda: seat.node("cylinder").count() == 0)
    seat.logged("deleted cylinder")
    seat.page.evaluate("window.outriderStage.setCamera('follow')")


def test_handles_stay_with_their_model_when_the_scene_is_loaded_anew(seat: Seat) -> None:
    seat.command("spawn cylinder 1.6 0.8", "cylinder is there")
    seat.pick("cylinder")
    seat.until("s => s.selected === 'cylinder'")
    away = "Math.hypot(s.gizmo.group.position.x - 1.6, s.gizmo.group.position.y - 0.8)"
    seat.page.wait_for_function(f"(s => s.gizmo.group.visible && {away} < 0.2)(outriderStage)")
    anew = "for (const body of s.picture.bodies.values()) body.position.set(0, 0, 0); s.onLoaded()"
    moved = f"(s => {{ {anew}; s.gizmo.advance(); return {away}; }})(outriderStage)"
    assert seat.page.evaluate(moved) < 0.2
    seat.insist(lambda: seat.act("delete"), lambda: seat.node("cylinder").count() == 0)


def _drag_along_x(seat: Seat) -> None:
    tip = "s => s.gizmo.group.localToWorld(s.gizmo.group.position.clone().set(0.95, 0, 0))"
    x, y = seat.settled(tip)
    seat.page.mouse.move(x, y)
    seat.frames(2)
    seat.page.mouse.down()
    for way in (0.5, 1.0):
        seat.page.mouse.move(x + 60 * way, y + 25 * way, steps=4)
        seat.frames(2)
    seat.page.mouse.up()


def test_the_stick_on_the_screen_drives(seat: Seat) -> None:
    seat.rests()
    start = seat.state()["pose"]
    moved = f"s => Math.hypot(s.pose[0] - {start[0]}, s.pose[1] - {start[1]}) > 0.2"
    seat.insist(lambda: _pull_the_stick(seat), lambda: seat.shows(moved))
    seat.page.mouse.up()
    seat.rests()
    assert seat.state()["pose"][0] < start[0] - 0.15  # backward


def _pull_the_stick(seat: Seat) -> None:
    box = seat.page.locator(".or-stick").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    seat.page.mouse.up()
    seat.page.mouse.move(x, y)
    seat.page.mouse.down()
    seat.page.mouse.move(x, y + 40, steps=3)  # backward: a wall is ahead


def test_a_gamepad_drives_within_the_limit(seat: Seat) -> None:
    start = seat.state()["pose"]
    seat.page.evaluate("navigator.getGamepads = () => [null, { axes: [0, 1] }]")
    # a page that learns of another robot sets the limit to its slider's
    seat.insist(
        lambda: seat.page.evaluate("window.outriderStage.setLimit(0.25)"),
        lambda: seat.page.evaluate("window.outriderStage.keys.sent") == "-0.25,0",
    )
    seat.until(f"s => Math.hypot(s.pose[0] - {start[0]}, s.pose[1] - {start[1]}) > 0.1")
    seat.page.evaluate("navigator.getGamepads = () => [{ axes: [0, 0] }]")
    seat.rests()
    seat.page.evaluate("navigator.getGamepads = () => []; window.outriderStage.setLimit(1)")


def test_a_robot_stops_at_a_collision_if_told_to(seat: Seat) -> None:
    seat.act("reset")
    seat.until("s => s.time < 5 && Math.hypot(s.pose[0], s.pose[1]) < 0.05")
    seat.command("spawn box 1.2 0", "box is there")
    seat.pick("jackal")
    switch = seat.page.locator('[data-field="stop at a collision"]')
    seat.insist(switch.check, lambda: seat.log("jackal: stops at a collision").count() > 0)
    seat.page.locator("canvas").first.click(position={"x": 60, "y": 250})
    hit = seat.log("jackal hit box")
    seat.insist(lambda: seat.page.keyboard.down("ArrowUp"), lambda: hit.count() > 0)
    seat.rests()  # the key is still held
    stopped = seat.state()["pose"]
    seat.page.keyboard.up("ArrowUp")
    assert 0.4 < stopped[0] < 0.9  # before the box, whose near side is at 0.95 m
    seat.pick("jackal")
    seat.insist(switch.uncheck, lambda: seat.log("jackal: goes on at a collision").count() > 0)
    seat.page.locator("canvas").first.click(position={"x": 60, "y": 250})
    free = f"s => s.pose[0] < {stopped[0] - 0.1}"
    seat.insist(lambda: seat.page.keyboard.down("ArrowDown"), lambda: seat.shows(free))
    seat.page.keyboard.up("ArrowDown")
    seat.command("remove box", "box is gone")


def test_brought_files_are_imported_or_refused_with_a_sentence(seat: Seat, folder: Path) -> None:
    (folder / "tetra.obj").write_bytes(CUBE)
    (folder / "broken.stl").write_bytes(b"solid nothing of the kind")
    with (folder / "huge.obj").open("wb") as huge:
        huge.truncate(201 * 1024 * 1024)
    seat.menu("File", "Import a file ...")
    chooser = seat.page.locator(".or-upload input[type=file]")
    said = seat.page.locator(".or-report")
    chooser.set_input_files(folder / "broken.stl")
    said.locator(".or-error", has_text="broken.stl").wait_for()
    chooser.set_input_files(folder / "huge.obj")
    said.locator(".or-error", has_text="at most 210 MB").wait_for()
    chooser.set_input_files(folder / "tetra.obj")
    said.locator(".or-good", has_text="tetra.obj is in the world").wait_for()
    seat.close()
    seat.node("tetra").wait_for()


def test_files_dropped_on_the_scene_are_imported_with_their_report(seat: Seat) -> None:
    drop = (
        "text => { const data = new DataTransfer();"
        "data.items.add(new File([text], 'wedge.obj'));"
        "const area = document.querySelector('.or-stage');"
        "area.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true })); }"
    )
    seat.page.evaluate(drop, CUBE.decode())
    seat.page.locator(".or-report", has_text="wedge.obj is in the world").wait_for()
    seat.close()
    seat.page.evaluate(drop, "this is no mesh")
    seat.page.locator(".or-report .or-error", has_text="wedge.obj").wait_for()
    seat.close()


def test_a_recording_of_the_button_can_be_read(seat: Seat, folder: Path) -> None:
    seat.act("record")
    seat.logged("recording into")
    seat.page.locator('[data-live="recorded"]', has_text="MB").wait_for()
    time_s = seat.state()["time"]
    seat.until(f"s => s.time > {time_s + 0.5}")
    seat.act("record")
    seat.logged("messages: ")
    file = max((folder / "recordings").glob("*.mcap"))
    counts = Counter(entry.track.topic for entry in replay(file).entries())
    assert counts["/clock"] > 150
    assert counts["/imu/data"] > 10
    assert "/eye/image_raw" not in counts  # without Shift cameras are left out


def test_topics_have_their_size_and_last_value(seat: Seat) -> None:
    seat.tab("Topics")
    row = seat.page.locator(".or-table tr", has_text="/imu/data").first
    row.locator("td", has_text="324 B").wait_for()
    value = seat.page.locator(".or-value", has_text="linear_acceleration.z")
    seat.insist(row.click, lambda: value.count() > 0)


def test_gnss_is_seen_on_a_map_in_the_scene_and_as_nmea(seat: Seat) -> None:
    seat.tab("Views")
    text = seat.page.locator('pre[data-view="/navsat/fix"]')
    seat.choose("add view", "/navsat/fix", lambda: text.count() > 0)
    sentence = r"\$GPGGA,\d{6}\.\d{3},495[34]\.\d+,N,0085[34]\.\d+,E,1"
    seat.poll(lambda: re.search(sentence, text.inner_text()) is not None)
    seat.page.wait_for_function(
        "Number(document.querySelector('img[data-view=\"/navsat/fix\"]').dataset.count) > 1"
    )
    seat.pick("jackal")
    drawn = seat.page.locator('[data-field="draw /navsat/fix"]')
    seat.open_item("navsat", drawn)
    seat.insist(drawn.check, lambda: seat.shows("s => '/navsat/fix' in s.overlays"))
    seat.until("s => (s.overlays['/navsat/fix']?.n ?? 0) > 2")


def test_a_map_a_path_and_a_pose_that_others_publish_are_drawn(
    seat: Seat, bridge_port: int
) -> None:
    pose = {"position": {"x": 2.0, "y": 1.0}, "orientation": {"w": 1.0}}
    head = {"frame_id": "map"}
    grid = {"header": head, "data": [0, 100, -1, 50], "info": _info(2, 2)}
    path = {"header": head, "poses": [{"pose": pose}, {"pose": pose}]}
    with connect(f"ws://127.0.0.1:{bridge_port}/") as socket_:
        for topic, kind, message in (
            ("/map", "nav_msgs/OccupancyGrid", grid),
            ("/plan", "nav_msgs/Path", path),
            ("/goal_pose", "geometry_msgs/PoseStamped", {"header": head, "pose": pose}),
        ):
            socket_.send(json.dumps({"op": "advertise", "topic": topic, "type": kind}))
            said = json.dumps({"op": "publish", "topic": topic, "msg": message})
            seat.poll(partial(_said_and_drawn, seat, topic, partial(socket_.send, said)))
        shown = seat.state()["overlays"]
    assert shown["/map"] == {"k": "map", "n": 3}
    assert shown["/plan"] == {"k": "path", "n": 2}


def test_a_click_sends_the_robot_and_its_route_is_edited_and_saved(
    seat: Seat, folder: Path
) -> None:
    seat.rests()
    seat.page.evaluate("window.outriderStage.setCamera('top')")
    seat.insist(lambda: _send_aside(seat), lambda: seat.log("jackal: go to").count() > 0)
    seat.until("s => s.overlays['route jackal points']?.n === 1")
    seat.pick("jackal")
    seat.change("y 1", "0.25", "point 1 moved")
    seat.insist(lambda: seat.act("save route"), seat.field("route name").is_visible)
    saved = folder / "projects" / "routes" / "round.yaml"
    seat.field("route name").fill("round")
    seat.field("route name").press("Enter")
    seat.poll(saved.is_file)
    assert "y: 0.25" in saved.read_text()
    gone = "s => !('route jackal points' in s.overlays)"
    seat.insist(lambda: seat.act("drop point 1"), lambda: seat.shows(gone))
    seat.page.evaluate("window.outriderStage.setCamera('follow')")


def _send_aside(seat: Seat) -> None:
    """Press the flag and click on the ground, left of the robot and behind it."""
    x, y, z = seat.state()["pose"]
    seat.act("goal")
    seat.page.wait_for_function("window.outriderStage.placing === 'goal'")
    place = f"s => s.scene.position.clone().set({x - 0.6}, {y + 0.8}, {z})"
    seat.page.mouse.click(*seat.settled(place))


def test_light_friction_and_things_can_be_changed_and_stop_leads_to_the_start(seat: Seat) -> None:
    seat.unfold("Lights")
    seat.pick("sun")
    wrong = seat.page.locator(".q-field__messages", has_text="between -90 and 90")
    seat.enter("elevation", "95", wrong)
    seat.change("elevation", "20", "sun: from")
    seat.pick("wall")
    seat.change("friction", "0.2", "wall: friction 0.2")
    seat.menu("Add", "Thing", "rock")
    seat.logged("added a rock")
    seat.act("stop")
    seat.until("s => s.time === 0 && Math.hypot(s.pose[0], s.pose[1]) < 0.05")
    seat.act("resume")
    seat.until("s => s.time > 0")


def test_a_project_is_downloaded_as_a_zip_that_opens(seat: Seat, tmp_path: Path) -> None:
    with seat.page.expect_download() as download:
        seat.menu("File", "Download as zip")
    file = tmp_path / "project.zip"
    download.value.save_as(file)
    assert "project.yaml" in zipfile.ZipFile(file).namelist()
    open_project(file, tmp_path / "opened")
    scenario = load(tmp_path / "opened" / "scenarios" / "main.yaml")
    assert scenario.robots[0].name == "jackal"
    with seat.page.expect_download() as text:
        seat.menu("File", "Download the scenario")
    assert "robots:" in Path(text.value.path()).read_text()


def test_a_new_robot_is_put_together_and_saved(seat: Seat, folder: Path) -> None:
    seat.menu("File", "Workshop", "New robot ...")
    seat.enter("robot name", "rover", seat.page.locator('[data-act="yes"]'))  # unsaved changes
    seat.act("yes")
    seat.logged("opened rover")
    seat.pick("rover")
    seat.unfold("rover")
    seat.pick("base_link")
    seat.insist(lambda: seat.act("add part"), seat.field("new mass").is_visible)
    wrong = seat.page.locator(".or-dialog .or-error", has_text="mass: expected a number")
    seat.enter("new mass", "heavy", wrong)
    seat.change("new mass", "0.5", "rover: added part")
    seat.unfold("base_link")
    seat.pick("part")
    seat.change("size z", "0.4", "rover/part: size z 0.4 m")
    seat.pick("rover")
    seat.insist(lambda: seat.act("save part"), seat.field("robot name").is_visible)
    seat.field("robot name").fill("rover")
    seat.field("robot name").press("Enter")
    seat.poll((folder / "projects" / "robots" / "rover" / "rover.yaml").is_file)
    seat.tidy()
    seat.menu("Edit", "Undo (Ctrl+Z)")
    seat.logged("undone")
    assert not seat.errors


def _said_and_drawn(seat: Seat, topic: str, say: Callable[[], None]) -> bool:
    """Say it again, for nobody may have listened yet, and look."""
    say()
    return seat.shows(f"s => '{topic}' in s.overlays")


def _info(width: int, height: int) -> dict[str, Any]:
    origin = {"position": {"x": 3.0, "y": 3.0}, "orientation": {"w": 1.0}}
    return {"width": width, "height": height, "resolution": 0.5, "origin": origin}


def test_a_component_is_attached_and_removed_in_the_inspector(seat: Seat) -> None:
    seat.command("spawn cylinder 1.6 0.8", "cylinder is there")
    seat.pick("cylinder")
    shown = seat.page.locator('[data-act="remove component"]')
    fold = seat.page.locator('[data-section="Components"]')
    attach = seat.page.locator('[data-act="attach component"]')
    seat.insist(fold.click, attach.is_visible)
    seat.act("attach component")
    seat.page.locator('[data-act="attach now"]').click()
    seat.logged("cylinder: conveyor")
    seat.poll(lambda: shown.count() == 1)
    shown.click()
    seat.poll(lambda: shown.count() == 0)
    seat.pick("cylinder")
    seat.insist(lambda: seat.act("delete"), lambda: seat.node("cylinder").count() == 0)
