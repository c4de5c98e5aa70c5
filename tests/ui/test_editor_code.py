"""A robot's program in a real browser: written, run, wrong, stuck, stopped, saved."""

from pathlib import Path
from typing import Any

import pytest
from editor_bench import Editor, Seat, running

pytestmark = [pytest.mark.peer, pytest.mark.timeout(600)]

DRIVE = "def loop(robot):\n    robot.drive(-0.5)\n    print('on my way')\n"
WRONG = "def loop(robot):\n    robot.drive(0.0)\n    speed = 1 / 0\n"
STUCK = "def loop(robot):\n    robot.drive(0.3)\n    while True:\n        pass\n"


def write(seat: Seat, text: str) -> None:
    """Write a program, and wait until it is all there."""
    seat.tab("Code")
    area = seat.page.locator(".or-code-editor .cm-content")
    seat.insist(lambda: area.fill(text), lambda: seat.page.evaluate(_SHOWN) == text.rstrip())


_SHOWN = (
    "[...document.querySelectorAll('.or-code-editor .cm-line')]"
    ".map(line => line.textContent).join('\\n').trimEnd()"
)


def run(seat: Seat, said: str) -> None:
    """Press Run once, and wait until the program says something."""
    seat.act("run code")
    seat.page.locator(".or-code-log", has_text=said).wait_for()


def test_a_loop_drives_the_robot_until_it_is_stopped(seat: Seat) -> None:
    seat.rests()
    x = seat.state()["pose"][0]
    write(seat, DRIVE)
    run(seat, "on my way")
    seat.until(f"s => s.pose[0] < {x} - 0.3")
    seat.act("stop code")
    seat.page.locator('[data-live="code"]', has_text="not running").wait_for()
    seat.rests()


def test_an_error_is_shown_with_its_line(seat: Seat) -> None:
    write(seat, WRONG)
    run(seat, "jackal.py, line 3, in loop: speed = 1 / 0")
    seat.page.locator(".or-code-log", has_text="ZeroDivisionError: division by zero").wait_for()
    marked = seat.page.locator(".cm-line.or-wrong-line")
    seat.poll(lambda: marked.all_inner_texts() == ["    speed = 1 / 0"])
    seat.tab("Console")  # which has it, too
    seat.page.locator(".or-console .or-log", has_text="jackal.py, line 3, in loop").wait_for()


def test_a_long_line_of_output_is_wrapped(seat: Seat) -> None:
    write(seat, "def setup(robot):\n    print('a long line', 'of words ' * 40, 'to the end')\n")
    run(seat, "to the end")
    seat.tab("Code")
    width = "e => [e.scrollWidth, e.clientWidth]"
    lines = seat.page.locator(".or-code-log .q-scrollarea__container")
    wide, shown = lines.evaluate(width)
    assert wide <= shown


def test_a_stuck_loop_is_told_and_the_simulation_goes_on(seat: Seat) -> None:
    write(seat, STUCK)
    run(seat, "loop() in jackal.py has not returned for 5 s, it is at line")
    seat.rests()
    time_s = seat.state()["time"]
    seat.until(f"s => s.time > {time_s + 0.5}")
    seat.act("stop code")
    seat.page.locator('[data-live="code"]', has_text="not running").wait_for()


@pytest.mark.slow
def test_a_program_is_saved_with_its_project_and_not_started_by_itself(
    browser: Any, seat: Seat, folder: Path
) -> None:
    write(seat, DRIVE)
    seat.tab("Console")
    seat.menu("File", "Save as ...")
    seat.change("project name", "coded", "saved in")
    assert (folder / "projects" / "coded" / "code" / "jackal.py").read_text() == DRIVE
    write(seat, WRONG)
    seat.tab("Console")
    seat.menu("File", "Open ...")
    seat.page.locator('[data-open="coded"]').click()
    seat.act("yes")  # what was written since is given up
    seat.logged("opened coded")
    seat.tab("Code")
    seat.poll(lambda: seat.page.evaluate(_SHOWN) == DRIVE.rstrip())
    with running("projects/coded", "--host", "127.0.0.2", cwd=folder) as again:
        visitor = Seat(browser, again.address)
        visitor.tab("Code")
        visitor.poll(lambda: visitor.page.evaluate(_SHOWN) == DRIVE.rstrip())
        told = visitor.page.locator('[data-live="code"]', has_text="--allow-code")
        told.wait_for()
        visitor.poll(visitor.page.locator('[data-act="run code"]').is_disabled)
        visitor.page.close()


def test_who_has_not_the_token_may_look_but_not_run(browser: Any, editor: Editor) -> None:
    stranger = Seat(browser, editor.address.partition("?")[0])
    stranger.tab("Code")
    told = stranger.page.locator('[data-live="code"]', has_text="its token allows code")
    told.wait_for()
    stranger.poll(stranger.page.locator('[data-act="run code"]').is_disabled)
    stranger.page.close()
