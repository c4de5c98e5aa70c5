"""How long a user waits: from ``outrider run`` to the address, the scene and the first picture."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from outrider.bench.measurement import Measurement, middle
from outrider.core.structure import Data

_REPEATS = 3
_LIMIT_S = 4.0
_CHROMIUM = Path("/usr/bin/chromium")
_FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
_DRAWN = "window.outriderStage && outriderStage.state().loaded && outriderStage.state().seen > 0"


def first_picture() -> Iterator[Measurement]:
    """Measure the demo; in a browser only where Debian's Chromium and Playwright are installed."""
    with _browser() as browser:
        rounds = [_round(browser) for _ in range(_REPEATS + 1)][1:]  # the first one warms up
    address, _ = middle([row[0] for row in rounds])
    served, spread = middle([row[1] for row in rounds])
    yield Measurement(
        "from the command to the whole scene served", served, "s", "lower", spread, limit=_LIMIT_S
    )
    yield Measurement("from the command to the address", address, "s", "lower", limit=_LIMIT_S)
    if browser is not None:
        drawn, spread = middle([row[2] for row in rounds])
        yield Measurement(
            "from the command to the first picture", drawn, "s", "lower", spread, limit=_LIMIT_S
        )


def _round(browser: Any) -> tuple[float, float, float]:
    """Return seconds until the address is told, the scene is served and a picture is drawn."""
    page = None if browser is None else browser.new_page()  # an open browser's empty window
    began_s = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, _run(Path(folder)) as address:
        told_s = time.perf_counter() - began_s
        drawn_s = 0.0
        if page is not None:
            page.goto(address)
            page.wait_for_function(_DRAWN, timeout=120_000)
            drawn_s = time.perf_counter() - began_s
            page.close()
        since_s = time.perf_counter()
        _fetch(address)
        return told_s, told_s + time.perf_counter() - since_s, drawn_s


def as_installed() -> dict[str, str]:
    """Return the environment, in which Python keeps what it has compiled, as it usually does."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


@contextmanager
def _run(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "outrider", "run", "--port", "0"]
    process = subprocess.Popen(
        command, cwd=folder, env=as_installed(), stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        lines = (re.search(r"editor: (http[^\s?]+)", line) for line in process.stderr)
        yield next(found[1] for found in lines if found)
    finally:
        process.terminate()
        process.communicate()


def _fetch(address: str) -> None:
    """Fetch what a browser needs before it can draw."""
    urlopen(address).read()
    manifest = json.load(urlopen(f"{address}outrider/stage.json"))
    for group in manifest["groups"]:
        for part in group["parts"]:
            for key in [part["mesh"]] if "mesh" in part else _coarse(part):
                urlopen(f"{address}outrider/mesh/{key}").read()


def _coarse(part: Data) -> list[str]:
    return [f"{part['tiles']}.{number}.coarse" for number in range(len(part["boxes"]))]


@contextmanager
def _browser() -> Iterator[Any]:
    """Open a browser without a window, or none where there is no such thing."""
    if find_spec("playwright") is None or not _CHROMIUM.exists():
        yield None
        return
    with import_module("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(_CHROMIUM), args=_FLAGS)
        yield browser
        browser.close()
