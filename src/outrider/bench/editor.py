"""What an open editor costs the simulation: flat out, in the HRATC world, with a VLP-16 drawn."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from outrider.bench.first_picture import as_installed, first_picture
from outrider.bench.measurement import Measurement, middle
from outrider.scenarios.load import load
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import Scenario
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec
from outrider.ui.open import editor
from outrider.ui.options import EditorOptions

_SEGMENT_S = 40.0  # of simulated time
_REPEATS = 7
_CLOUD = "/mid/points"

# a browser's part, without drawing: it fetches the scene and takes all that comes
_VIEWER = """
import sys, urllib.request
from websockets.sync.client import connect
address = sys.argv[1]
urllib.request.urlopen(address + "outrider/stage.json").read()
with connect(address.replace("http", "ws", 1) + "outrider/stream", max_size=None) as stream:
    while True:
        stream.recv()
"""


class EditorCost:
    """Two runs of one scenario take turns: one alone, one with an editor that is looked at."""

    def __call__(self) -> Iterator[Measurement]:
        """Measure how much slower the watched one is, and whether both did the same."""
        alone, watched = Run(_scenario(), speed=0.0), Run(_scenario(), speed=0.0)
        boxes = [run.session.bus.subscribe(_CLOUD, kept="latest") for run in (alone, watched)]
        options = EditorOptions(port=0, browser=False)
        factors: dict[int, list[float]] = {id(alone): [], id(watched): []}
        with editor(watched, options) as opened, _viewer(opened.base):
            opened.draw(_CLOUD)
            for turn in range(_REPEATS + 1):
                for run in (alone, watched):
                    factor = _segment(run, (turn + 1) * _SEGMENT_S)
                    if turn:  # the first one warms up
                        factors[id(run)].append(factor)
        for box in boxes:
            box.close()
        plain, _ = middle(factors[id(alone)])
        with_editor, spread = middle(factors[id(watched)])
        yield Measurement(
            "real-time factor, HRATC, VLP-16, editor open",
            with_editor,
            "x",
            "higher",
            spread,
            {"no editor": plain},
            limit=0.85 * plain,
        )
        alike = alone.simulation.state_hash == watched.simulation.state_hash
        yield Measurement("same state_hash with a viewer", float(alike), "", "higher", limit=1.0)
        yield _start()
        yield from first_picture()


def _start() -> Measurement:
    """Measure what the editor's libraries add to the start of a run."""
    with_editor, spread = middle([_imports("outrider.ui.web_app") for _ in range(4)][1:])
    alone, _ = middle([_imports("outrider.scenarios.run") for _ in range(4)][1:])
    return Measurement("start of the editor", with_editor - alone, "s", "lower", spread)


def _imports(module: str) -> float:
    began_s = time.perf_counter()
    subprocess.run([sys.executable, "-c", f"import {module}"], env=as_installed(), check=True)
    return time.perf_counter() - began_s


def _scenario() -> Scenario:
    demo = load("demo")
    scanner = SensorEntry("mid", "velodyne-vlp16", pose=PoseSpec(z=0.4), topics={"points": _CLOUD})
    return replace(demo, robots=(replace(demo.robots[0], sensors=(scanner,)),))


def _segment(run: Run, until_s: float) -> float:
    began_s, from_s = time.perf_counter(), run.simulation.time_s
    run.runner.run(until_s)
    return (run.simulation.time_s - from_s) / (time.perf_counter() - began_s)


@contextmanager
def _viewer(address: str) -> Iterator[None]:
    process = subprocess.Popen([sys.executable, "-c", _VIEWER, address])
    try:
        yield
    finally:
        process.terminate()
        process.wait()
