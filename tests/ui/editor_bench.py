"""A simulation with its editor in a process of its own, and a browser that looks at it."""

import math
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from outrider.scenarios.run import Run

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--mute-audio",
]
PATIENCE_S = 120.0
PATIENCE_MS = 120_000
TRY_MS = 10_000  # then it is tried again
START_MS = 200_000  # kernels may have to be compiled

YARD = """\
world:
  name: yard
  ground: {type: flat, size: [24, 24], material: concrete}
  objects:
    - {name: wall, shape: {type: box, size: [0.3, 8, 1.2]}, pose: {x: 8}, material: brick}
robots:
  - model: jackal
    sensors:
      - {name: scanner, model: sick-lms111, pose: {z: 0.35}}
      - {name: eye, model: camera, pose: {x: 0.25, z: 0.3}, set: {width: 160, height: 120}}
duration_s: null
"""


def missing() -> str:
    """Return why no browser can be used here, or nothing."""
    if not CHROMIUM.exists():
        return "Debian's chromium is not installed"
    for module in ("playwright", "nicegui"):
        try:
            __import__(module)
        except ImportError:
            return f"{module} is not installed"
    return ""


class Editor:
    """A running simulation with its address."""

    def __init__(self, address: str, process: "subprocess.Popen[str]") -> None:
        self.address = address
        self.process = process


@contextmanager
def running(*arguments: str, cwd: Path) -> Iterator[Editor]:
    """Start ``outrider run`` with the editor on a free port."""
    command = [sys.executable, "-m", "outrider", "run", *arguments, "--port", "0"]
    process = subprocess.Popen(command, cwd=cwd, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    said = []
    try:
        for line in process.stderr:
            said.append(line)
            if found := re.search(r"editor: (http\S+)", line):
                break
        else:
            pytest.fail(f"the editor did not start: {''.join(said)[-2000:]}")
        # a full pipe would hold the simulation up
        Thread(target=process.stderr.read, daemon=True).start()
        yield Editor(found[1], process)
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_S)


@contextmanager
def looping(run: Run) -> Iterator[None]:
    """Let a simulation run in a thread of its own."""
    thread = Thread(target=run.runner.run, args=(1e6,))
    thread.start()
    try:
        yield
    finally:
        run.runner.stop()
        thread.join()


class Seat:
    """One browser window: small and plain, so that a processor can draw it.

    A page that is being built anew misses clicks and keys, all the more on a busy machine. So what
    can be done twice is done until its effect is seen; what cannot is done when the page is ready
    for it, and then waited for.
    """

    def __init__(self, browser: Any, address: str) -> None:
        self.page = browser.new_page(viewport={"width": 1100, "height": 640})
        self.page.set_default_timeout(PATIENCE_MS)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.add_init_script("window.outriderQuality = 'low'")
        self.page.goto(address)
        self.ready()

    # ------------------------------------------------------------ waiting
    def ready(self) -> None:
        """Wait until the scene is drawn."""
        self.until("s => s.loaded && s.bodies > 0 && s.pose !== null", START_MS)

    def until(self, condition: str, patience_ms: int = PATIENCE_MS) -> None:
        """Wait until the scene's state fulfils a condition, as JavaScript."""
        self.page.wait_for_function(_asked(condition), timeout=patience_ms)

    def shows(self, condition: str) -> bool:
        """Tell whether the scene's state fulfils a condition now."""
        return bool(self.page.evaluate(_asked(condition)))

    def poll(self, question: Callable[[], bool], seconds: float = PATIENCE_S) -> None:
        """Wait until something is so, on the page or outside."""
        assert self.comes(question, seconds), f"it did not happen in {seconds:g} s"

    def comes(self, question: Callable[[], bool], seconds: float) -> bool:
        """Tell whether something becomes so within a time."""
        end = time.monotonic() + seconds
        while not question():
            if time.monotonic() > end:
                return False
            self.page.wait_for_timeout(100)
        return True

    def insist(self, act: Callable[[], object], seen: Callable[[], bool]) -> None:
        """Do something that can be done twice, until its effect is seen."""
        end = time.monotonic() + PATIENCE_S
        while not self._tried(act, seen):
            assert time.monotonic() < end, f"{PATIENCE_S:g} s of trying had no effect"

    def _tried(self, act: Callable[[], object], seen: Callable[[], bool]) -> bool:
        from playwright.sync_api import Error

        self.page.set_default_timeout(TRY_MS)
        with suppress(Error):  # it was built anew in that moment
            act()
        self.page.set_default_timeout(PATIENCE_MS)
        return self.comes(seen, TRY_MS / 1000.0)

    def rests(self) -> None:
        """Wait until the robot stands still for 0.3 s of simulated time."""

        def still() -> bool:
            before = self.state()
            self.until(f"s => s.time > {before['time'] + 0.3} || s.time < {before['time']}")
            return math.dist(before["pose"], self.state()["pose"]) < 0.005

        self.poll(still)

    def settled(self, place: str) -> tuple[float, float]:
        """Return where in the window a point is (as JavaScript), once the camera is at rest."""
        last = self._on_screen(place)
        while True:
            self.frames(2)
            now = self._on_screen(place)
            if math.dist(now, last) < 0.5:
                return now
            last = now

    def frames(self, count: int) -> None:
        """Wait until the scene was drawn again."""
        self.until(f"s => s.frames > {self.state()['frames'] + count}")

    def _on_screen(self, place: str) -> tuple[float, float]:
        x, y = self.page.evaluate(
            f"(() => {{ const s = window.outriderStage, p = ({place})(s);"
            "p.project(s.cameras.camera); const b = s.canvas.getBoundingClientRect();"
            "return [b.left + (p.x + 1) / 2 * b.width, b.top + (1 - p.y) / 2 * b.height]; })()"
        )
        return x, y

    # ------------------------------------------------------------ looking
    def state(self) -> dict[str, Any]:
        """Return what the scene shows."""
        found: dict[str, Any] = self.page.evaluate("window.outriderStage.state()")
        return found

    def field(self, label: str) -> Any:
        """Return the box of a field."""
        return self.page.locator(f'input[data-field="{label}"], [data-field="{label}"] input').first

    def holds(self, label: str, text: str) -> None:
        """Wait until a field holds a text."""
        from playwright.sync_api import expect

        expect(self.field(label)).to_have_value(text, timeout=PATIENCE_MS)

    def log(self, text: str) -> Any:
        """Return the log if it has a text."""
        return self.page.locator(".or-log", has_text=text)

    def logged(self, text: str) -> None:
        """Wait until the log has a text."""
        self.log(text).first.wait_for(state="attached")

    def node(self, name: str) -> Any:
        """Return a row of the tree."""
        return self.page.locator(".or-tree").get_by_text(name, exact=True).first

    # ------------------------------------------------------------ doing
    def tidy(self) -> None:
        """Close menus and dialogs, let go of the selection, and open the console."""
        covers = self.page.locator(".q-menu, .q-dialog")
        self.insist(lambda: self.page.keyboard.press("Escape"), lambda: covers.count() == 0)
        self.tab("Console")

    def tab(self, name: str) -> None:
        """Open one of the panels below."""
        tab = self.page.get_by_role("tab", name=name)
        self.insist(tab.click, lambda: tab.get_attribute("aria-selected") == "true")

    def act(self, name: str) -> None:
        """Press one of the buttons."""
        self.page.locator(f'[data-act="{name}"]').first.click()

    def enter(self, label: str, text: str, seen: Any) -> None:
        """Write into a field and press Enter, until something is seen."""

        def write() -> None:
            box = self.field(label)
            box.click()
            box.fill(text)
            box.press("Enter")

        self.insist(write, lambda: seen.count() > 0)

    def change(self, label: str, text: str, said: str) -> None:
        """Write into a field of the inspector, until the log says so."""
        self.enter(label, text, self.log(said))

    def command(self, text: str, answer: str) -> None:
        """Write a command into the console, once, and wait for its answer."""
        line = self.field("command")
        self.insist(lambda: line.fill(text), lambda: line.input_value() == text)
        line.press("Enter")
        self.logged(answer)
        self.holds("command", "")

    def choose(self, label: str, option: str, seen: Callable[[], bool]) -> None:
        """Choose from a list, until something is so: a list that is filled anew closes itself."""
        row = self.page.locator(".q-menu .q-item", has_text=option).first

        def pick() -> None:
            if not row.is_visible():
                self.field(label).click()
            row.click()

        self.insist(pick, seen)

    def pick(self, name: str) -> None:
        """Select something in the tree, and wait until the inspector shows it."""
        title = self.page.locator(".or-inspector .or-title").get_by_text(name, exact=True)
        self.insist(self.node(name).click, lambda: title.count() > 0)

    def open_item(self, name: str, seen: Any) -> None:
        """Go to what the inspector lists, until something of it is seen."""
        item = self.page.locator(".or-inspector .or-item", has_text=name).first
        self.insist(item.click, lambda: seen.count() > 0)

    def unfold(self, name: str) -> None:
        """Open a branch of the tree."""
        head = self.page.locator(".or-tree .q-tree__node-header", has_text=name).first
        arrow = head.locator(".q-tree__arrow")
        opened = head.locator(".q-tree__arrow--rotate")
        self.insist(lambda: opened.count() or arrow.click(), lambda: opened.count() > 0)

    def menu(self, *rows: str) -> None:
        """Go through a menu, and menus inside it, to a row, and press that once."""
        opener = self.page.locator(f'[data-menu="{rows[0]}"]')
        for name in rows[1:]:
            row = self.page.locator(f'[data-item="{name}"]').last
            self.insist(opener.click, row.is_visible)
            opener = row
        opener.click()

    def close(self) -> None:
        """Close the dialog that is open."""
        button = self.page.locator(".q-dialog").get_by_role("button", name="Close")
        self.insist(button.last.click, lambda: button.count() == 0)


def _asked(condition: str) -> str:
    return f"window.outriderStage && ({condition})(window.outriderStage.state())"
