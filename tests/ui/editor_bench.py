"""A simulation with its editor in a process of its own, and a browser that looks at it."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

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
PATIENCE_MS = 60_000
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
        process.wait(timeout=30)


class Seat:
    """One browser window: small and plain, so that a processor can draw it."""

    def __init__(self, browser: Any, address: str) -> None:
        self.page = browser.new_page(viewport={"width": 1100, "height": 640})
        self.page.set_default_timeout(PATIENCE_MS)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.add_init_script("window.outriderQuality = 'low'")
        self.page.goto(address)
        self.ready()

    def ready(self) -> None:
        """Wait until the scene is drawn."""
        self.until("s => s.loaded && s.bodies > 0 && s.pose !== null", START_MS)

    def tidy(self) -> None:
        """Close menus and dialogs, and open the console."""
        self.page.keyboard.press("Escape")
        self.page.locator(".q-menu, .q-dialog").first.wait_for(state="detached")
        self.page.get_by_role("tab", name="Console").click()

    def until(self, condition: str, patience_ms: int = PATIENCE_MS) -> None:
        """Wait until the scene's state fulfils a condition, as JavaScript."""
        self.page.wait_for_function(
            f"window.outriderStage && ({condition})(window.outriderStage.state())",
            timeout=patience_ms,
        )

    def state(self) -> dict[str, Any]:
        """Return what the scene shows."""
        found: dict[str, Any] = self.page.evaluate("window.outriderStage.state()")
        return found

    def act(self, name: str) -> None:
        """Press one of the buttons."""
        self.page.locator(f'[data-act="{name}"]').first.click()

    def field(self, label: str) -> Any:
        """Return the box of a field."""
        return self.page.locator(f'input[data-field="{label}"], [data-field="{label}"] input').first

    def enter(self, label: str, text: str) -> None:
        """Write into a field and press Enter."""
        box = self.field(label)
        box.click()
        box.fill(text)
        box.press("Enter")

    def holds(self, label: str, text: str) -> None:
        """Wait until a field holds a text."""
        from playwright.sync_api import expect

        expect(self.field(label)).to_have_value(text, timeout=PATIENCE_MS)

    def choose(self, label: str, option: str) -> None:
        """Choose from a list; one that was filled while it opened is opened again."""
        row = self.page.locator(".q-menu .q-item", has_text=option).first

        def chosen() -> bool:
            self.field(label).click()
            self.page.wait_for_timeout(500)
            if not row.is_visible():
                return False
            row.click()
            return True

        self.poll(chosen)

    def command(self, text: str) -> None:
        """Write a command into the console."""
        self.enter("command", text)

    def logged(self, text: str) -> None:
        """Wait until the log has a text."""
        self.page.locator(".or-log", has_text=text).wait_for()

    def pick(self, name: str) -> None:
        """Select something in the tree, and wait until the inspector shows it."""
        self.page.locator(".or-tree").get_by_text(name, exact=True).first.click()
        title = self.page.locator(".or-inspector .or-title").get_by_text(name, exact=True)
        title.first.wait_for()

    def unfold(self, name: str) -> None:
        """Open a branch of the tree."""
        head = self.page.locator(".or-tree .q-tree__node-header", has_text=name).first
        head.locator(".q-tree__arrow").click()

    def menu(self, *rows: str) -> None:
        """Go through a menu, and menus inside it, to a row."""
        self.page.locator(f'[data-menu="{rows[0]}"]').click()
        for row in rows[1:]:
            self.page.locator(f'[data-item="{row}"]').last.click()

    def poll(self, question: Callable[[], bool], seconds: float = 30.0) -> None:
        """Wait until something outside the page is so."""
        waited = 0.0
        while not question():
            assert waited < seconds, "it did not happen in time"
            self.page.wait_for_timeout(100)
            waited += 0.1
