"""Rules for the whole suite."""

import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

_TALKING = (
    "bridges",
    "cli",
    "devices",
    "recording",
    "ui",
    "user_code",
)  # folders whose tests talk to other programs
SHARED = (Path(__file__).resolve().parents[2] / "shared" / "data").resolve()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of third-party files, which lies beside the project, not in it."""
    if not SHARED.is_dir():
        pytest.skip("the folder of third-party test files is not beside the project")
    return SHARED


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep run files and saved states of tests out of the user's cache."""
    os.environ["OUTRIDER_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(autouse=True, scope="module")
def _tidy() -> Iterator[None]:
    """Let go of the worlds and pictures of one file before the next begins.

    glibc keeps what threads have freed in up to eight arenas a core: over the whole suite that
    would be gigabytes.
    """
    yield
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let tests that wait for other programs try again: the summary names those that did."""
    for item in items:
        if item.path.relative_to(Path(__file__).parent).parts[0] in _TALKING:
            item.add_marker(pytest.mark.flaky(reruns=2))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where all peers are installed, a skipped test is a failed run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("OUTRIDER_NO_SKIPS") and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
