"""Running a scenario to its end."""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from outrider.bridges.bridge import Bridge, Outside
from outrider.bridges.policy import Policy
from outrider.core.errors import ConfigError
from outrider.core.files.atomic_file import write_whole
from outrider.core.process.garbage_collection import freeze_existing
from outrider.recording.recorder import Recorder, RecordingOptions, check_options
from outrider.scenarios.bridging import bridged, chosen_bridges, outside_of
from outrider.scenarios.built_worlds import BuiltWorlds
from outrider.scenarios.expectations import with_run_verdicts
from outrider.scenarios.load import dump
from outrider.scenarios.names import a_scenario
from outrider.scenarios.recording import recorded
from outrider.scenarios.result import Meter, Result, json_ready, make_result
from outrider.scenarios.run_metrics import RunMetrics
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.services.handlers import prepare
from outrider.scenarios.session.session import Session
from outrider.sim.pacing import Pacer
from outrider.sim.runner import Runner
from outrider.sim.simulation import Simulation

if TYPE_CHECKING:
    from outrider.scenarios.movers.autonomy import AutonomyDriver, MakeParts

Watch: TypeAlias = Callable[[Runner], None]


class Run:
    """One run: built at once, started by ``go``."""

    def __init__(
        self,
        scenario: Scenario | Session,
        *,
        speed: float | None = None,
        since_s: float | None = None,
        bridges: Sequence[str] = (),
        files: Path | None = None,
        recording: RecordingOptions | None = None,
        own_parts: "MakeParts" = list,
        worlds: BuiltWorlds | None = None,
    ) -> None:
        """``speed`` of None takes the scenario's; start time counts from ``since_s`` (epoch).

        ``bridges`` are those that the user asks for beside the scenario's own; peers may use
        files of the folder ``files`` only. ``own_parts`` makes components that take the place of
        the autonomy stack's. ``worlds`` are those that earlier runs were built from.
        """
        began_s = time.time() if since_s is None else since_s
        if recording is not None:
            check_options(recording)
        asked = scenario if isinstance(scenario, Scenario) else scenario.scenario
        self._texts = chosen_bridges(asked, bridges)
        self.policy = Policy.of_folder(files)
        self.session = (
            scenario if isinstance(scenario, Session) else Session(scenario, worlds=worlds)
        )
        self.start_time_s = time.time() - began_s  # the first messages are out
        pacing = self.scenario.pacing
        self.runner = Runner(
            self.simulation,
            Pacer(pacing.speed if speed is None else speed, pacing.mode, pacing.max_lag_s),
        )
        self.bridges: list[Bridge] = []
        self.recorder: Recorder | None = None
        self._recording = recording
        self._tally = RunMetrics(self.simulation)
        self._autonomy = _autonomy(self.session, own_parts)
        self._meter = Meter()
        prepare(self.session, self.runner)
        self.session.renewed.append(self._tally.follow)

    @property
    def scenario(self) -> Scenario:
        """The scenario with all changes so far."""
        return self.session.scenario

    @property
    def simulation(self) -> Simulation:
        """The simulation; a change may replace it."""
        return self.session.simulation

    def go(self, watch: Watch | None = None) -> Result:
        """Run to the end, or until the runner is stopped, and return the result."""
        duration_s = self.scenario.duration_s
        with (
            recorded(self.session, self.runner, self._recording) as self.recorder,
            bridged(self._texts, self._outside) as self.bridges,
            freeze_existing(),
        ):
            self._meter.start()
            self.runner.run(1e9 if duration_s is None else duration_s, watch)
        return self.result()

    def _outside(self) -> Outside:
        return outside_of(self.session, self.runner, self.policy)

    def result(self) -> Result:
        """Return the current result."""
        result = make_result(
            self.scenario, self._tally, self.runner, self._meter.read(), self.start_time_s
        )
        return result if self._autonomy is None else {**result, **self._autonomy.figures()}


def _autonomy(session: Session, own_parts: "MakeParts") -> "AutonomyDriver | None":
    if session.scenario.autonomy is None:
        return None
    from outrider.scenarios.movers.autonomy import (
        AutonomyDriver,
    )  # a whole stack that most runs do without

    return AutonomyDriver(session, own_parts)


def run_scenario(
    scenario: Scenario,
    *,
    speed: float = 0.0,
    out: Path | None = None,
    watch: Watch | None = None,
    **options: Any,
) -> Result:
    """Run a scenario to its end, by default flat out; write files if ``out`` is given.

    ``options`` are those of ``Run``.
    """
    scenario = a_scenario(scenario, "run_scenario")
    if scenario.duration_s is None:
        raise ConfigError(f"{scenario.name}: duration_s: the scenario never ends; set a duration")
    run = Run(scenario, speed=speed, **options)
    result = with_run_verdicts(run.scenario, run.go(watch))
    if out is not None:
        write_run(out, run.scenario, result)
    return result


def write_run(folder: Path, scenario: Scenario, result: Result) -> None:
    """Write the scenario and its result into one folder."""
    write_whole(folder / "scenario.yaml", dump(scenario).encode())
    text = json.dumps(json_ready(result), indent=2, allow_nan=False) + "\n"
    write_whole(folder / "result.json", text.encode())
