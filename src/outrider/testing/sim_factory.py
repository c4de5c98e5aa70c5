"""Simulations for one test, with what remains of them if it fails."""

import re
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from outrider.core.errors import OutriderError
from outrider.core.files.atomic_file import write_whole
from outrider.evaluation.runs.folder import recording_in, write_measured
from outrider.evaluation.runs.measured_run import measured_run
from outrider.scenarios.api import scenario as find
from outrider.scenarios.load import dump
from outrider.scenarios.recording import record
from outrider.scenarios.result import Result
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session.session import Session
from outrider.sim.simulation import Simulation

_HEAVY = ("Image", "PointCloud2")  # only made for listeners: recording them would slow a test down


@dataclass(slots=True, eq=False)
class _Opened:
    """One simulation of a test."""

    scenario: Scenario
    folder: Path
    session: Session | None = None


class OutriderSim:
    """Opens simulations for one test; ``outrider_sim`` is one."""

    def __init__(self, test: str, results: Path, seed: int | None = None) -> None:
        """``test`` is its name in pytest; ``results`` the folder for what failed tests leave."""
        self._test = test
        self._kept = results / re.sub(r"[^\w.-]+", "-", test).strip("-")[-120:]
        self._seed = seed
        self._working = Path(tempfile.mkdtemp(prefix="outrider-test-"))
        self._recordings = ExitStack()
        self._opened: list[_Opened] = []

    def __call__(
        self,
        what: str | Path = "demo",
        *overrides: str,
        robot: str | None = None,
        seed: int | None = None,
        topics: Iterable[str] | None = None,
    ) -> Simulation:
        """Return the simulation of a scenario, robot or world, before its first step.

        ``overrides`` are ``dotted.path=value`` of the scenario. ``topics`` are recorded for the
        case of a failure: names or patterns; without any, all but images and point clouds.
        """
        opened = self._open(what, overrides, robot, seed)
        opened.session = session = Session(opened.scenario)
        chosen = _light_topics(session) if topics is None else tuple(topics)
        if chosen:
            self._recordings.enter_context(
                record(session, opened.folder / "run.mcap", chosen, overwrite=True)
            )
        return session.simulation

    def check(
        self,
        what: str | Path,
        *overrides: str,
        robot: str | None = None,
        seed: int | None = None,
        topics: Iterable[str] = (),
    ) -> Result:
        """Run a scenario to its end; fail the test if it does not meet its expectations.

        Returns the result, as ``outrider scenario run --json`` prints it. ``topics`` are recorded.
        """
        opened = self._open(what, overrides, robot, seed)
        chosen, recording = tuple(topics), recording_in(opened.folder)
        if recording is not None:
            recording = replace(recording, topics=chosen) if chosen else None
        measured = measured_run(opened.scenario, speed=0.0, recording=recording)
        write_measured(opened.folder, measured)
        if not measured.result["completed"]:
            name, seed = opened.scenario.name, opened.scenario.seed
            pytest.fail(f"{name}, seed {seed}: {measured.result['reason']}", pytrace=False)
        return measured.result

    def story(self) -> str:
        """Say with which seeds it ran, where its files are, and how to repeat it."""
        seeds = {opened.scenario.seed for opened in self._opened}
        lines = [
            f"{opened.scenario.name}: seed {opened.scenario.seed}, files in "
            f"{self._kept / opened.folder.name}"
            for opened in self._opened
        ]
        again = f"pytest '{self._test}'"
        if len(seeds) == 1:
            again += f" --outrider-seed {min(seeds)}"
        return "\n".join([*lines, f"again: {again}"])

    def close(self, *, keep: bool) -> None:
        """End all simulations; ``keep`` their files in the results folder."""
        for opened in self._opened:
            if keep:
                self._save(opened)
        self._recordings.close()
        shutil.rmtree(self._kept, ignore_errors=True)  # of an earlier run
        if keep and self._opened:
            self._kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(self._working, self._kept)
        shutil.rmtree(self._working, ignore_errors=True)

    def _open(
        self, what: str | Path, overrides: tuple[str, ...], robot: str | None, seed: int | None
    ) -> _Opened:
        found = find(what, *overrides, robot=robot)
        chosen = seed if seed is not None else self._seed
        found = found if chosen is None else replace(found, seed=chosen)
        folder = self._working / f"{len(self._opened) + 1}-{found.name}"
        folder.mkdir(parents=True)
        self._opened.append(_Opened(found, folder))
        return self._opened[-1]

    def _save(self, opened: _Opened) -> None:
        """Write what ran and how it stood at the end; a test has its own failure to tell of."""
        with suppress(OutriderError):
            write_whole(opened.folder / "scenario.yaml", dump(opened.scenario).encode())
            if opened.session is not None:
                opened.session.save(opened.folder / "end.state")


def _light_topics(session: Session) -> tuple[str, ...]:
    return tuple(t.name for t in session.bus.topics() if not t.type.endswith(_HEAVY))
