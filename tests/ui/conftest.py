"""One simulation and one browser for all tests of the editor: both are slow to start."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from editor_bench import CHROMIUM, FLAGS, YARD, Editor, Seat, missing, running


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if why := missing():
        pytest.skip(why)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("editor")
    (place / "yard.yaml").write_text(YARD)
    return place


@pytest.fixture(scope="session")
def editor(folder: Path) -> Iterator[Editor]:
    if why := missing():
        pytest.skip(why)
    with running("yard.yaml", cwd=folder) as found:
        yield found


@pytest.fixture(scope="session")
def seat(browser: Any, editor: Editor) -> Seat:
    return Seat(browser, editor.address)
