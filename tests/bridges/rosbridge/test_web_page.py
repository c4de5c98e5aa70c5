"""The example page in a real browser: it shows the AutoMiny's camera and drives it."""

import shutil
import sys
from pathlib import Path

import pytest
from chromium_page import hosted, page
from PIL import Image
from rosbridge_bench import running
from waiting import wait_until

from outrider.scenarios.scenario import RobotEntry
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "web" / "drive.html"
LIBRARY = Path(sys.prefix) / "share" / "peers" / "node_modules" / "roslib1" / "build"
WALL = ObjectSpec("wall", pose=PoseSpec(3.0), shape=BoxSpec(size=(0.2, 6.0, 1.0)))

pytestmark = [
    pytest.mark.peer,
    pytest.mark.skipif(
        shutil.which("chromium") is None or not (LIBRARY / "roslib.min.js").exists(),
        reason="chromium and roslib are not installed (tools/peers/install)",
    ),
]


def test_the_page_shows_the_camera_and_drives(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    shutil.copy(EXAMPLE, site)
    shutil.copy(LIBRARY / "roslib.min.js", site)
    with (
        running("rosbridge:port=0", robots=(RobotEntry("autominy"),), obstacles=(WALL,)) as sim,
        hosted(site) as address,
        page(
            f"{address}/drive.html?ros=ws://localhost:{sim.bridge.port}", tmp_path / "home"
        ) as web,
    ):
        wait_until(lambda: web.text("state") == "connected", "the connection")
        width = "document.getElementById('camera').naturalWidth"
        wait_until(lambda: web.value(width) == 640, "a picture of the camera")
        wait_until(lambda: web.text("nearest").endswith(" m"), "the scan")
        web.key("ArrowUp", down=True)
        wait_until(lambda: sim.pose("autominy").position[0] > 0.5, "the car to drive")
        assert "m/s" in web.text("speed")
        web.picture(tmp_path / "page.png")
        web.key("ArrowUp", down=False)
        web.value("document.getElementById('pause').click()")
        wait_until(lambda: web.text("pause") == "go on", "the pause")
        assert sim.stands_still()
        web.value("document.getElementById('pause').click()")
        wait_until(sim.goes_on, "the simulation to go on")
        assert sim.bridge.counts() == {"dropped": sim.bridge.counts()["dropped"]}
    shown = Image.open(tmp_path / "page.png").convert("RGB").crop((40, 120, 600, 480))
    assert len(shown.getcolors(1_000_000)) > 100  # the camera's picture, not a grey field
