"""The pytest plugin: imports nothing heavy until a test asks for a simulation."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from outrider.testing.sim_factory import OutriderSim

_FACTORY: pytest.StashKey[OutriderSim] = pytest.StashKey()
_FAILED: pytest.StashKey[bool] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("outrider", "tests of robots in Outrider")
    group.addoption(
        "--outrider-results",
        metavar="DIR",
        default="outrider-results",
        help="where failed tests leave their recordings and results (default: %(default)s)",
    )
    group.addoption(
        "--outrider-seed",
        metavar="N",
        type=int,
        help="seed of all simulations whose test does not choose one",
    )


@pytest.fixture
def outrider_sim(request: pytest.FixtureRequest) -> Iterator[OutriderSim]:
    """Open simulations without a window, as fast as they go; close them after the test.

    ``sim = outrider_sim("my_robot.yaml")`` returns an ``outrider.Simulation`` of anything that
    ``outrider run`` opens; ``outrider_sim.check("scenario.yaml")`` runs a scenario to its end and
    fails the test with the reason if it does not meet its expectations. A test that fails leaves
    what was recorded in a folder, and says how to repeat it.
    """
    from outrider.testing.sim_factory import OutriderSim

    config = request.config
    results = Path(config.getoption("--outrider-results"))
    made = OutriderSim(
        request.node.nodeid,
        results if results.is_absolute() else config.invocation_params.dir / results,
        config.getoption("--outrider-seed"),
    )
    request.node.stash[_FACTORY] = made
    yield made
    made.close(keep=request.node.stash.get(_FAILED, False))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to the report of a failed test where its files are and how to repeat it."""
    report = yield
    made = item.stash.get(_FACTORY, None)
    if made is not None and report.failed and report.when != "teardown":
        item.stash[_FAILED] = True
        report.sections.append(("outrider", made.story()))
        item.user_properties.append(("outrider", made.story()))  # for JUnit XML
    return report
