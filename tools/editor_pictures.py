"""Takes the pictures of the editor in the docs: python tools/editor_pictures.py [NAME...]."""

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "ui"))

from editor_bench import CHROMIUM, FLAGS, START_MS, Seat, running  # noqa: E402

OUT = ROOT / "docs" / "images" / "ui"
SIZE = {"width": 1440, "height": 900}


class Wide(Seat):
    """A window of the size of a laptop's screen, with everything drawn."""

    def __init__(self, browser: Any, address: str) -> None:
        self.page = browser.new_page(viewport=SIZE)
        self.page.set_default_timeout(START_MS)
        self.errors = []
        self.page.add_init_script("window.outriderQuality = 'low'")
        self.page.goto(address)
        self.ready()
        self.rest(2)

    def take(self, path: Path) -> None:
        """Draw everything once more, in full, and take the picture."""
        self.page.mouse.move(700, 300)  # off the buttons, whose hints would cover others
        self.page.evaluate(
            "() => { const s = window.outriderStage; s.picture.scale = 1;"
            " window.outriderQuality = 'high';"
            " s.picture.setView({ shadows: true }); s.resize(); }"
        )
        self.until(f"s => s.frames > {self.state()['frames'] + 2}")
        self.page.screenshot(path=path, type="jpeg", quality=88)

    def rest(self, seconds: float) -> None:
        """Let time pass."""
        self.page.wait_for_timeout(1000 * seconds)

    def card(self, topic: str) -> None:
        """Add the view of a topic, and wait for its first picture."""
        self.tab("Views")
        card = self.page.locator("img[data-view]")
        self.choose("add view", topic, lambda: card.count() > 0)
        self.page.wait_for_function("document.querySelector('img[data-view]')?.dataset.count > 0")

    def look(self, eye: tuple[float, float, float], at: tuple[float, float, float]) -> None:
        """Put the camera somewhere in the world."""
        self.page.evaluate(
            "([eye, at]) => { const s = window.outriderStage; s.setCamera('orbit');"
            " s.cameras.orbit.target.set(...at); s.cameras.perspective.position.set(...eye); }",
            [eye, at],
        )

    def near(self, away: tuple[float, float, float]) -> None:
        """Follow the robot from an offset."""
        self.page.evaluate(
            "away => { const s = window.outriderStage, c = s.cameras; s.setCamera('follow');"
            " const p = s.motion.pose(c.root).position; c.orbit.target.copy(p);"
            " c.perspective.position.set(p.x + away[0], p.y + away[1], p.z + away[2]); }",
            away,
        )

    def from_above(self, height: float) -> None:
        """Look straight down; the height of the picture is twice this many metres."""
        self.page.evaluate(
            "height => { const s = window.outriderStage; s.setCamera('top');"
            " s.cameras.height = height; s.cameras.fitFlat(); }",
            height,
        )


def demo(seat: Wide) -> None:
    """Show the first thing that a user sees."""
    seat.act("pause")
    seat.command("reset", "state_hash")
    seat.command("spawn box 2.6 1.6", "is there")
    seat.command("step 1200", "at 3.0")
    seat.near((-2.6, -1.9, 1.5))
    seat.pick("jackal")
    seat.rest(3)


def agriculture(seat: Wide) -> None:
    """Show the inspector on a sensor."""
    seat.pick("jackal")
    seat.open_item("imu", seat.page.locator('[data-act="plot /imu/data"]'))
    seat.act("plot /imu/data")
    seat.near((4.6, 3.4, 2.3))
    seat.rest(8)


def lidar(seat: Wide) -> None:
    """Show a VLP-16's points in the scene, and rates below."""
    seat.pick("jackal")
    drawn = seat.page.locator('[data-field^="draw"]').first
    seat.open_item("mid", drawn)
    seat.insist(drawn.check, lambda: seat.shows("s => '/velodyne_points' in s.overlays"))
    seat.near((-6.0, -4.5, 4.2))
    seat.tab("Topics")
    rate = seat.page.locator(".or-table tbody tr").first.locator("td").nth(2)
    seat.poll(lambda: rate.inner_text() != "-")


def autominy(seat: Wide) -> None:
    """Look out of the car's own camera."""
    seat.page.evaluate("window.outriderStage.setCamera('first')")
    seat.card("image_raw")
    seat.rest(2)


def lunar(seat: Wide) -> None:
    """See a large world as a whole."""
    x, y, z = seat.state()["pose"]
    seat.look((x - 4, y - 6, z + 2.6), (x + 3, y + 8, z))
    seat.rest(15)


def route(seat: Wide) -> None:
    """See a scenario from above, with its route, its trail and what GNSS tells."""
    seat.page.locator('[data-view="trail"]').click()
    seat.from_above(8)
    seat.card("fix")
    seat.rest(20)


def mapping(seat: Wide) -> None:
    """See a robot find its way: the map that it makes, its plan and its trail, from above."""
    seat.page.locator('[data-view="trail"]').click()
    seat.from_above(6)
    seat.tab("Topics")
    seat.until(
        "s => s.time > 14 && '/map' in s.overlays && Object.keys(s.overlays).some("
        "k => k.endsWith('plan'))",
        START_MS,
    )
    seat.act("pause")
    seat.rest(3)


def workshop(seat: Wide) -> None:
    """Show a robot that is put together."""
    seat.menu("File", "Workshop", "New robot ...")
    seat.change("robot name", "rover", "opened rover")
    seat.unfold("rover")
    seat.pick("base_link")
    for name, z, kind in (("mast", "0.2", "cylinder"), ("head", "0.16", "box")):
        seat.insist(partial(seat.act, "add part"), seat.field("part name").is_visible)
        seat.field("part name").fill(name)
        chosen = seat.page.locator('[data-field="shape"]', has_text=kind)
        seat.choose("shape", kind, partial(_there, chosen))
        seat.change("new z", z, f"rover: added {name}")
        seat.unfold("base_link" if name == "mast" else "mast")
        seat.pick(name)
    seat.near((-1.5, -1.1, 0.75))
    seat.rest(3)


def code(seat: Wide) -> None:
    """Show a robot's own program while it runs."""
    seat.tab("Code")
    area = seat.page.locator(".or-code-editor .cm-content")
    area.fill(PROGRAM)
    seat.act("run code")
    seat.page.locator(".or-code-log", has_text="turning away").wait_for()
    seat.page.locator('[data-view="trail"]').click()
    seat.near((-1.5, -1.2, 1.3))
    seat.rest(6)


def _there(locator: Any) -> bool:
    return bool(locator.count())


PROGRAM = """\
def loop(robot):
    if robot.bumped() or robot.distance("ping") < 0.4:
        print("turning away")
        robot.drive(0, 90)  # m/s, degrees/s
        robot.sleep(1)
    else:
        robot.drive(0.2)
"""

ROOM = """\
world: roomba-room
robots:
  - model: create
    sensors: [{name: ping, model: ping, pose: {z: 0.08}}]
duration_s: null
"""

VLP16 = """\
include: demo
robots:
  - model: jackal
    sensors: [{name: mid, model: velodyne-vlp16, pose: {z: 0.35}}]
"""

PICTURES: dict[str, tuple[tuple[str, ...], Callable[[Wide], None]]] = {
    "demo": ((), demo),
    "agriculture": (("agriculture-path",), agriculture),
    "lidar": (("lidar.yaml",), lidar),
    "autominy": (("autominy-lab", "--robot", "autominy"), autominy),
    "lunar": (("lunar",), lunar),
    "route": (("demo",), route),
    "mapping": (("hratc-lidar",), mapping),
    "code": (("room.yaml",), code),
    "workshop": (("smoke", "--duration", "100000"), workshop),
}


def main() -> None:
    """Take all pictures, or those that are named."""
    from tempfile import TemporaryDirectory

    from playwright.sync_api import sync_playwright

    OUT.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        (Path(folder) / "lidar.yaml").write_text(VLP16)
        (Path(folder) / "room.yaml").write_text(ROOM)
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        for name in sys.argv[1:] or PICTURES:
            arguments, act = PICTURES[name]
            began = time.monotonic()
            with running(*arguments, cwd=Path(folder)) as editor:
                seat = Wide(browser, editor.address)
                act(seat)
                seat.take(OUT / f"{name}.jpg")
                seat.page.close()
            print(f"{name}: {time.monotonic() - began:.0f} s")
        browser.close()


if __name__ == "__main__":
    main()
