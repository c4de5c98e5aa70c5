"""The editor in a real browser: see it, drive it, change it, save it."""

import math
import re
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from editor_bench import Editor, Seat, running

from outrider.bridges.local.client import connect

pytestmark = [pytest.mark.peer, pytest.mark.timeout(600)]


@pytest.fixture(autouse=True)
def clean(seat: Seat) -> None:
    """Begin each test as the first one does, whatever the one before left open."""
    seat.tidy()


def test_time_moves_stops_and_goes_on_in_steps(seat: Seat) -> None:
    seat.act("pause")
    seat.page.wait_for_function("document.body.classList.contains('or-paused')")
    stopped = seat.state()["time"]
    seat.page.wait_for_timeout(500)
    assert seat.state()["time"] == stopped
    seat.enter("steps", "40")
    seat.act("step")
    seat.until(f"s => Math.abs(s.time - {stopped + 0.1}) < 1e-6")
    seat.act("resume")
    seat.until(f"s => s.time > {stopped + 0.5}")


def test_a_held_key_drives_and_letting_go_stops(seat: Seat) -> None:
    x, y, _ = seat.state()["pose"]
    seat.page.locator("canvas").first.click(position={"x": 60, "y": 250})
    seat.page.keyboard.down("u")
    seat.until(f"s => Math.hypot(s.pose[0] - {x}, s.pose[1] - {y}) > 0.5")
    seat.page.keyboard.up("u")
    seat.poll(lambda: _speed(seat) < 0.02)
    moved = seat.state()["pose"]
    assert moved[0] - x > 0.45
    assert abs(moved[1] - y) < 0.1


def test_a_sensor_of_the_robot_takes_another_rate(seat: Seat) -> None:
    seat.pick("jackal")
    seat.page.locator(".or-inspector .or-item", has_text="imu").click()
    seat.field("rate").wait_for()
    seat.enter("rate", "20")
    seat.logged("jackal/imu: rate_hz 20 Hz")
    seat.page.get_by_role("tab", name="Topics").click()
    row = seat.page.locator(".or-table tr", has_text="/imu/data")
    row.locator("td", has_text=re.compile(r"^(19\.[5-9]|20\.[0-5])$")).wait_for()
    seat.page.get_by_role("tab", name="Console").click()


def test_what_is_no_number_or_no_size_is_refused_beside_the_field(seat: Seat) -> None:
    seat.pick("wall")
    seat.field("size x").wait_for()
    seat.enter("size x", "wide")
    seat.page.get_by_text("expected a number, got 'wide'").wait_for()
    seat.holds("size x", "0.3")
    seat.enter("size x", "-1")
    seat.page.locator(".q-field__messages", has_text="a size must be above 0, got -1").wait_for()
    seat.holds("size x", "0.3")


def test_a_box_before_the_robot_is_seen_moved_and_taken_back(seat: Seat, editor: Editor) -> None:
    before = _ahead_m(editor)
    build = seat.state()["build"]
    seat.page.locator('[data-menu="Add"]').click()
    seat.page.locator('[data-item="Box"]').click()
    seat.logged("added a box")
    seat.until(f"s => s.build > {build} && s.loaded")
    near = _ahead_m(editor)
    assert before > 4.0
    assert near == pytest.approx(1.75, abs=0.35)
    seat.pick("box")
    seat.field("mass").wait_for()
    seat.enter("y", "3")
    seat.logged("box: y 3 m")
    seat.poll(lambda: _ahead_m(editor) > 4.0)
    seat.page.locator('[data-menu="Edit"]').click()
    seat.page.locator('[data-item="Undo (Ctrl+Z)"]').click()
    seat.logged("undone")
    seat.poll(lambda: _ahead_m(editor) < 2.2)


def test_a_camera_shows_what_it_sees(seat: Seat) -> None:
    seat.page.get_by_role("tab", name="Views").click()
    seat.choose("add view", "/eye/image")
    picture = seat.page.locator('img[data-view^="/eye"]')
    picture.wait_for()
    seat.page.wait_for_function(
        "Number(document.querySelector('img[data-view^=\"/eye\"]').dataset.count) > 2"
    )
    assert picture.evaluate("image => image.naturalWidth") == 160
    seat.page.get_by_role("tab", name="Console").click()


def test_the_console_answers_and_says_what_is_wrong(seat: Seat) -> None:
    seat.command("speed 0.5")
    seat.logged("speed 0.5")
    seat.command("spwan box")
    seat.logged("there is no command 'spwan' (did you mean 'spawn'?)")
    seat.command("speed 1")
    seat.field("command").press("ArrowUp")
    seat.holds("command", "speed 1")
    seat.field("command").fill("")


def test_a_click_selects_and_outlines(seat: Seat) -> None:
    seat.page.keyboard.press("Escape")
    at = seat.page.evaluate(
        "(() => { const s = window.outriderStage;"
        "const p = s.motion.pose(s.cameras.root).position.clone();"
        "p.z += 0.1; p.project(s.cameras.camera); const b = s.canvas.getBoundingClientRect();"
        "return [b.left + (p.x + 1) / 2 * b.width, b.top + (1 - p.y) / 2 * b.height]; })()"
    )
    seat.page.mouse.click(*at)
    seat.until("s => s.selected === 'jackal'")
    assert seat.page.evaluate("window.outriderStage.picture.marks.children.length") > 3


def test_two_browsers_see_the_same_and_a_reload_goes_on(
    browser: Any, editor: Editor, seat: Seat
) -> None:
    other = Seat(browser, editor.address)
    other.until(f"s => s.time > {seat.state()['time']}")
    assert math.dist(other.state()["pose"], seat.state()["pose"]) < 0.3
    time_s = other.state()["time"]
    other.page.reload()
    other.ready()
    assert other.state()["time"] > time_s
    other.page.close()


def test_what_was_changed_survives_saving_and_a_restart(
    browser: Any, seat: Seat, folder: Path
) -> None:
    seat.page.locator('[data-menu="File"]').click()
    seat.page.locator('[data-item="Save as ..."]').click()
    seat.enter("project name", "../away")
    seat.page.locator(".or-dialog .or-error", has_text="is no project's name").wait_for()
    seat.enter("project name", "kept")
    seat.logged("saved in")
    seat.poll((folder / "projects" / "kept" / "project.yaml").is_file)
    assert not (folder / "away").exists()
    assert not seat.errors
    # an address of this computer that counts as another one: it asks for the token
    with running("projects/kept", "--host", "127.0.0.2", "--read-only", cwd=folder) as again:
        plain = _refuses_strangers(again.address)
        visitor = Seat(browser, again.address)
        assert visitor.page.locator('[data-act="pause"]').is_disabled()
        visitor.page.goto(plain)  # the token was kept as a cookie
        visitor.ready()
        visitor.page.locator(".or-tree").get_by_text("box", exact=True).first.wait_for()
        visitor.pick("jackal")
        row = visitor.page.locator(".or-inspector .or-item", has_text="imu-platt")
        assert "20 Hz" in row.inner_text()
        _may_only_look(visitor)
        visitor.page.close()


def _refuses_strangers(address: str) -> str:
    """Check that nothing is to be had without the token; return the address without it."""
    plain, _, token = address.partition("?token=")
    assert len(token) > 20
    for asked in (plain, f"{plain}?token=wrong", f"{plain}outrider/stage.json"):
        with pytest.raises(HTTPError, match="403"):
            urlopen(asked)
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


def _speed(seat: Seat) -> float:
    before, at = seat.state()["pose"], time.monotonic()
    seat.page.wait_for_timeout(300)
    return math.dist(seat.state()["pose"], before) / (time.monotonic() - at)


def _ahead_m(editor: Editor) -> float:
    """What the scanner measures straight ahead, as another program reads it."""
    with connect(editor.process.pid) as client:
        scan = next(iter(client.messages("/front/scan", timeout_s=20.0))).message
    middle = round(-scan["angle_min"] / scan["angle_increment"])
    return float(scan["ranges"][middle])
