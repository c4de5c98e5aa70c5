"""Open the example page in a real browser beside a running simulation, and take a picture of it.

    python tools/web_page_picture.py docs/images/web_drive.png

Needs the programs of tools/peers. Software OpenGL is enough.
"""

import shutil
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "bridges"))  # the browser is the tests' own

from chromium_page import hosted, page  # noqa: E402
from waiting import wait_until  # noqa: E402

from outrider.scenarios.run import Run  # noqa: E402
from outrider.scenarios.scenario import RobotEntry, Scenario  # noqa: E402
from outrider.specs.world import PoseSpec  # noqa: E402

LIBRARY = Path(sys.prefix) / "share" / "peers" / "node_modules" / "roslib1" / "build"


def main(path: Path) -> None:
    """Drive for a moment, and take the picture."""
    scenario = Scenario(
        world="autominy-lab-detailed",
        duration_s=None,
        robots=(RobotEntry("autominy", pose=PoseSpec(0.5, 1.0)),),
        bridges=("rosbridge:port=0",),
    )
    run = Run(scenario, speed=1.0)
    thread = threading.Thread(target=run.go, daemon=True)
    thread.start()
    wait_until(lambda: run.bridges and run.simulation.time_s > 0.1, "the simulation", 120)
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        site.mkdir()
        shutil.copy(ROOT / "examples" / "web" / "drive.html", site)
        shutil.copy(LIBRARY / "roslib.min.js", site)
        place = f"ws://localhost:{run.bridges[0].port}"
        with (
            hosted(site) as address,
            page(f"{address}/drive.html?ros={place}", Path(folder) / "home") as web,
        ):
            wait_until(lambda: (web.text("nearest") or "").endswith(" m"), "the scan", 120)
            width = "document.getElementById('camera').naturalWidth"
            wait_until(lambda: web.value(width), "the camera", 120)
            web.key("ArrowUp", down=True)
            began = run.simulation.time_s
            wait_until(lambda: run.simulation.time_s > began + 1.5, "the car to drive", 120)
            web.picture(path)
    run.runner.stop()
    thread.join(30)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
