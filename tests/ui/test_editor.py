"""The editor in a real browser: see it, drive it, change it, save it."""

import math
import re
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from editor_bench import Editor, Seat, running

from outrider.bridges.local.client import connect

pytestmark = [pytest.mark.peer, pytest.mark.timeout(600)]

_PAUSED = "document.body.classList.contains('or-paused')"


@pytest.fixture(autouse=True)
def clean(seat: Seat) -> None:
    """Begin each test as the first one does, whatever the one before left open."""
    seat.tidy()


def test_time_moves_stops_and_goes_on_in_steps(seat: Seat) -> None:
    seat.insist(lambda: seat.act("pause"), lambda: seat.page.evaluate(_PAUSED))
    stopped = seat.state()["time"]
    seat.page.wait_for_timeout(500)  # in which nothing may happen
    assert seat.state()["time"] == stopped
    seat.field("steps").fill("40")
    seat.act("step")
    seat.until(f"s => Math.abs(s.time - {stopped + 0.1}) < 1e-6")
    seat.act("resume")
    seat.until(f"s => s.time > {stopped + 0.5}")


def test_a_held_key_drives_and_letting_go_stops(seat: Seat) -> None:
    seat.rests()
    x, y, _ = seat.state()["pose"]
    seat.page.locator("canvas").first.click(position={"x": 60, "y": 250})
    moved = f"s => Math.hypot(s.pose[0] - {x}, s.pose[1] - {y}) > 0.5"
    seat.insist(lambda: seat.page.keyboard.down("u"), lambda: seat.shows(moved))
    seat.page.keyboard.up("u")
    seat.rests()
    now = seat.state()["pose"]
    assert now[0] - x > 0.45
    assert abs(now[1] - y) < 0.1


def test_a_sensor_of_the_robot_takes_another_rate(seat: Seat) -> None:
    seat.pick("jackal")
    seat.open_item("imu", seat.field("rate"))
    seat.change("rate", "20", "jackal/imu: rate_hz 20 Hz")
    seat.tab("Topics")
    row = seat.page.locator(".or-table tr", has_text="/imu/data")
    row.locator("td", has_text=re.compile(r"^(19\.[0-9]|20\.[0-9])$")).first.wait_for()


def test_what_is_no_number_or_no_size_is_refused_beside_the_field(seat: Seat) -> None:
    seat.pick("wall")
    for text, wrong in (
        ("wide", "expected a number, got 'wide'"),
        ("-1", "a size must be above 0, got -1"),
    ):
        seat.enter("size x", text, seat.page.locator(".q-field__messages", has_text=wrong))
        seat.holds("size x", "0.3")


def test_a_box_before_the_robot_is_seen_moved_and_taken_back(seat: Seat, editor: Editor) -> None:
    seat.poll(lambda: _ahead_m(editor) > 4.0)
    build = seat.state()["build"]
    seat.menu("Add", "Box")
    seat.logged("added a box")
    seat.until(f"s => s.build > {build} && s.loaded")
    seat.poll(lambda: 1.4 < _ahead_m(editor) < 2.1)
    seat.pick("box")
    seat.change("y", "3", "box: y 3 m")
    seat.poll(lambda: _ahead_m(editor) > 4.0)
    seat.menu("Edit", "Undo (Ctrl+Z)")
    seat.logged("undone")
    seat.poll(lambda: _ahead_m(editor) < 2.2)


def test_a_camera_shows_what_it_sees(seat: Seat) -> None:
    seat.tab("Views")
    card = seat.page.locator('img[data-view^="/eye"]')
    seat.choose("add view", "/eye/image", lambda: card.count() > 0)
    picture = "document.querySelector('img[data-view^=\"/eye\"]')"
    seat.page.wait_for_function(f"Number({picture}?.dataset.count) > 2")
    seat.page.wait_for_function(f"{picture}.naturalWidth === 160")


def test_the_console_answers_and_says_what_is_wrong(seat: Seat) -> None:
    seat.command("speed 0.5", "speed 0.5")
    seat.command("spwan box", "there is no command 'spwan' (did you mean 'spawn'?)")
    line = seat.field("command")
    line.fill("speed 1")
    line.press("Enter")
    line.press("ArrowUp")  # at once: the command is in the history by then
    seat.holds("command", "speed 1")
    line.press("ArrowUp")
    seat.holds("command", "spwan box")
    line.fill("")
    seat.poll(lambda: seat.page.locator('[data-live="speed"]').inner_text() == "1×")


def test_a_click_selects_and_outlines(seat: Seat) -> None:
    seat.page.keyboard.press("Escape")
    robot = "s => s.motion.pose(s.cameras.root).position.clone().add({x: 0, y: 0, z: 0.1})"
    seat.insist(
        lambda: seat.page.mouse.click(*seat.settled(robot)),
        lambda: seat.shows("s => s.selected === 'jackal'"),
    )
    seat.page.wait_for_function("window.outriderStage.picture.marks.children.length > 3")


def test_two_browsers_see_the_same_and_a_reload_goes_on(
    browser: Any, editor: Editor, seat: Seat
) -> None:
    other = Seat(browser, editor.address)
    other.until(f"s => s.time > {seat.state()['time']}")
    other.poll(lambda: math.dist(other.state()["pose"], seat.state()["pose"]) < 0.3)
    time_s = other.state()["time"]
    other.page.reload()
    other.ready()
    other.until(f"s => s.time > {time_s}")
    other.page.close()


def test_what_was_changed_survives_saving_and_a_restart(
    browser: Any, seat: Seat, folder: Path
) -> None:
    eye = _arranged(seat)
    seat.menu("File", "Save as ...")
    wrong = seat.page.locator(".or-dialog .or-error", has_text="is no project's name")
    seat.enter("project name", "../away", wrong)
    seat.enter("project name", "kept", seat.page.locator(".q-notification", has_text="Saved in"))
    seat.poll((folder / "projects" / "kept" / "project.yaml").is_file)
    assert not (folder / "away").exists()
    assert not seat.errors
    # an address of this computer that counts as another one: it asks for the token
    with running("projects/kept", "--host", "127.0.0.2", "--read-only", cwd=folder) as again:
        plain = _refuses_strangers(again.address)
        visitor = Seat(browser, again.address)
        visitor.poll(visitor.page.locator('[data-act="pause"]').is_disabled)
        visitor.page.goto(plain)  # the token was kept as a cookie
        visitor.ready()
        _is_arranged(visitor, eye)
        visitor.node("box").wait_for()
        visitor.pick("jackal")
        row = visitor.page.locator(".or-inspector .or-item", has_text="imu-platt")
        visitor.poll(lambda: "20 Hz" in row.inner_text())
        _may_only_look(visitor)
        visitor.tab("Code")
        visitor.poll(visitor.page.locator('[data-act="run code"]').is_disabled)
        visitor.page.close()


def _arranged(seat: Seat) -> list[float]:
    """Change what is seen, and from where; return the camera's place."""
    seat.insist(lambda: seat.act("pause"), lambda: seat.page.evaluate(_PAUSED))
    seat.pick("jackal")
    drawn = seat.page.locator('[data-field="draw /front/scan"]')
    seat.open_item("scanner", drawn)
    seat.insist(drawn.check, drawn.is_checked)
    seat.pick("jackal")
    seat.open_item("imu", seat.page.locator('[data-act="plot /imu/data"]'))
    plots = seat.page.locator(".or-plot")
    seat.insist(lambda: seat.act("plot /imu/data"), lambda: plots.count() == 3)
    seat.page.locator('[data-panel="tree"]').click()
    seat.page.locator('[data-camera="orbit"]').click()
    seat.page.locator('[data-view="wireframe"]').click()
    seat.until("s => s.camera === 'orbit'")
    place = "{ const c = window.outriderStage.cameras; c.perspective.position.set(-3, 5, 4); }"
    seat.page.evaluate(place)
    seat.frames(2)
    eye: list[float] = seat.state()["position"]
    return eye


def _is_arranged(visitor: Seat, eye: list[float]) -> None:
    """Check that all of it came back."""
    page = visitor.page
    visitor.until("s => s.camera === 'orbit' && '/front/scan' in s.overlays")
    assert visitor.state()["position"] == pytest.approx(eye, abs=1e-3)
    assert page.evaluate("window.outriderStage.picture.wireframe")
    assert page.get_by_role("tab", name="Plots").get_attribute("aria-selected") == "true"
    assert page.locator(".or-plot").count() == 3
    visitor.poll(lambda: page.locator(".or-tree-panel").bounding_box()["width"] < 2)
    visitor.tab("Views")
    page.locator('img[data-view^="/eye"]').wait_for()
    page.locator('[data-panel="tree"]').click()  # as others need it


def _refuses_strangers(address: str) -> str:
    """Check that nothing is to be had without the token; return the address without it."""
    plain, _, token = address.partition("?token=")
    assert len(token) > 20
    for asked in (plain, f"{plain}?token=wrong", f"{plain}outrider/stage.json"):
        with pytest.raises(HTTPError, match="403"):
            urlopen(asked, timeout=60.0)
    return plain


def _may_only_look(visitor: Seat) -> None:
    start, time_s = visitor.state()["pose"], visitor.state()["time"]
    visitor.page.keyboard.down("ArrowUp")
    visitor.page.evaluate("window.outriderStage.drive(1, 0)")
    brought = visitor.page.evaluate(
        "fetch('/outrider/bring', { method: 'POST', body: new FormData() }).then(a => a.status)"
    )
    assert brought == 403
    visitor.until(f"s => s.time > {time_s + 1.0}")
    visitor.page.keyboard.up("ArrowUp")
    assert math.dist(visitor.state()["pose"], start) < 0.05


def _ahead_m(editor: Editor) -> float:
    """What the scanner measures straight ahead, as another program reads it."""
    with connect(editor.process.pid) as client:
        scan = next(iter(client.messages("/front/scan", timeout_s=60.0))).message
    middle = round(-scan["angle_min"] / scan["angle_increment"])
    return float(scan["ranges"][middle])
