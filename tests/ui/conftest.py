"""One simulation and one browser for all tests of a file: both are slow to start."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from editor_bench import CHROMIUM, FLAGS, YARD, Editor, Seat, missing, running


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if why := missing():
        pytest.skip(why)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("editor")
    (place / "yard.yaml").write_text(YARD)
    return place


@pytest.fixture(scope="module")
def bridge_port() -> int:
    """Return a port that nobody listened on a moment ago."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture(scope="module")
def editor(folder: Path, bridge_port: int) -> Iterator[Editor]:
    if why := missing():
        pytest.skip(why)
    bridge = f"rosbridge:port={bridge_port}"
    with running("yard.yaml", "--bridge", bridge, cwd=folder) as found:
        yield found


@pytest.fixture(scope="module")
def seat(browser: Any, editor: Editor) -> Seat:
    return Seat(browser, editor.address)
