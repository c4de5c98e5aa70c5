"""The editor before its run is there, and after it: the page says so."""

import subprocess
import sys

import pytest

# in a process of its own: NiceGUI has one application per process
PROGRAM = """
import json, threading
from urllib.request import urlopen
from outrider.scenarios.load import load
from outrider.scenarios.run import Run
from outrider.ui.open import EditorServer
from outrider.ui.options import EditorOptions

server = EditorServer(EditorOptions(port=0, browser=False))
page = urlopen(server.base).read().decode()
assert "The world is being built" in page
assert "outrider-stage" in page
found = []
asking = threading.Thread(
    target=lambda: found.append(json.load(urlopen(server.base + "outrider/stage.json")))
)
asking.start()
asking.join(0.3)
assert asking.is_alive() and not found
run = Run(load("drive-10s"), speed=0.0)
with server.edited(run):
    while asking.is_alive():
        run.runner.run(run.simulation.time_s + 0.1)
    assert found[0]["groups"]
    assert "the simulation has ended" in urlopen(server.base).read().decode()
server.close()
print("all is well")
"""


def test_a_page_and_its_data_wait_for_the_world_and_are_told_of_its_end():
    pytest.importorskip("nicegui", reason="the extra 'ui' is not installed")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=250, check=False
    )
    assert done.stdout.strip() == "all is well", done.stderr[-2000:]
