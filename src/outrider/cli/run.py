"""outrider run: a simulation that other programs can watch and drive while it runs."""

import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from outrider.cli.options.recording import (
    Lossless,
    Overwrite,
    RecordFile,
    RecordFormat,
    RecordTopics,
    recording_options,
)
from outrider.cli.options.running import (
    AllowCode,
    Controller,
    Duration,
    Engine,
    Headless,
    Host,
    Port,
    Profile,
    Projects,
    ReadOnly,
    RobotName,
    Speed,
    StateFile,
    StepLength,
    Ui,
    UserCode,
    What,
)
from outrider.cli.options.shared import (
    Arguments,
    Bridges,
    Files,
    HeightSize,
    Json,
    SearchPaths,
    Seed,
    Settings,
    Trust,
    height_size,
    xacro_arguments,
)
from outrider.cli.output.table import print_json
from outrider.cli.startup.editor import EditorLauncher, editor_options
from outrider.cli.startup.kernels import announce_compiling, compile_first_uses
from outrider.cli.startup.process_age import process_start_s
from outrider.cli.startup.quick_start import starting
from outrider.core.structure import Data

if TYPE_CHECKING:
    from outrider.scenarios.run import Run
    from outrider.scenarios.scenario import Scenario
    from outrider.scenarios.session.session import Session
    from outrider.sim.profile import StepProfile

_NOTICED = 0.001  # of a step
_HINT = "inspect it from another terminal: outrider topics | echo TOPIC | hz TOPIC | call pause"


def run(
    what: What = None,
    robot: RobotName = None,
    headless: Headless = False,
    ui: Ui = None,
    speed: Speed = None,
    duration: Duration = None,
    seed: Seed = None,
    engine: Engine = None,
    step: StepLength = None,
    bridge: Bridges = None,
    files: Files = None,
    settings: Settings = None,
    arg: Arguments = None,
    path: SearchPaths = None,
    size: HeightSize = None,
    trust: Trust = False,
    state: StateFile = None,
    record: RecordFile = None,
    topics: RecordTopics = None,
    format_: RecordFormat = "",
    overwrite: Overwrite = False,
    lossless: Lossless = None,
    host: Host = "127.0.0.1",
    port: Port = 8130,
    read_only: ReadOnly = False,
    allow_code: AllowCode = False,
    projects: Projects = Path("projects"),
    user_code: UserCode = None,
    controller: Controller = None,
    profile: Profile = False,
    as_json: Json = False,
) -> None:
    """Run a scenario, a world or a robot; without a name, the demo."""
    likely = not headless and (not as_json if ui is None else ui)
    wanted = Wanted(
        what=what,
        robot=robot,
        seed=seed,
        engine=engine,
        step=step,
        settings=settings,
        arg=arg,
        path=path,
        size=size,
    )
    with closing(EditorLauncher(likely=likely)) as door:
        with starting():
            cold = announce_compiling()
            from outrider.scenarios.run import Run

            recording = recording_options(record, topics, format_, overwrite, lossless)
            session = None if state is None else wanted.resumed(state, duration, trust=trust)
            scenario = session.scenario if session else wanted.found(speed, duration, trust=trust)
            options = None
            if likely and (ui or not _races(scenario, speed)):
                options = editor_options(
                    what,
                    host,
                    port,
                    projects,
                    read_only=read_only,
                    allow_code=allow_code,
                    program=user_code,
                )
            early = wanted.is_plain and not any((bridge, files, state, record))
            if early:
                door.open(options)
            prepared = Run(
                session or scenario,
                speed=speed,
                since_s=None if session else process_start_s(),
                bridges=bridge or (),
                files=files,
                recording=recording,
            )
            if session is None:
                compile_first_uses(prepared.simulation, cold=cold)
        if not early:
            door.open(options)
        profiled = _profile(prepared) if profile else None
        _report(_serve(prepared, door, Programs(user_code, controller)), as_json)
        if prepared.recorder is not None and prepared.recorder.report.failure:
            raise typer.Exit(2)  # what was asked for is not there; the sentence is written
    if profiled is not None:
        _print_profile(profiled)
    if state is None and prepared.simulation.finished is False:
        raise typer.Exit(1)


class Wanted(NamedTuple):
    """What is to be run, as the command line names it."""

    what: str | None
    robot: str | None
    seed: int | None
    engine: str | None
    step: float | None
    settings: list[str] | None
    arg: list[str] | None
    path: list[Path] | None
    size: str | None

    def resumed(self, state: Path, duration: float | None, *, trust: bool) -> "Session":
        """Return the session of a saved state, which says itself what is run."""
        from outrider.scenarios.opening import resumed

        return resumed(state, duration, tuple(self), trust=trust)

    def found(self, speed: float | None, duration: float | None, *, trust: bool) -> "Scenario":
        """Return the scenario of these names and flags."""
        from outrider.scenarios.code_trust import trust_scenario
        from outrider.scenarios.opening import Foreign, find_scenario, with_flags

        foreign = Foreign(xacro_arguments(self.arg), tuple(self.path or ()), height_size(self.size))
        scenario = with_flags(
            find_scenario(self.what, self.robot, self.settings or [], foreign),
            {
                "--speed": ("pacing.speed", speed),
                "--duration": ("duration_s", duration),
                "--seed": ("seed", self.seed),
                "--engine": ("physics.engine", self.engine),
                "--step": ("physics.step_s", self.step),
            },
        )
        if trust:
            trust_scenario(scenario)
        return scenario

    @property
    def is_plain(self) -> bool:
        """Whether it is of the library as it is: it will be built, so pages may wait for it."""
        from outrider.loader.library import in_library

        if any(self._replace(what=None, seed=None)):
            return False
        what = self.what
        return what is None or in_library("scenarios", what) or in_library("worlds", what)


def _races(scenario: "Scenario", speed: float | None) -> bool:
    """Return whether a run goes as fast as it can, to an end."""
    pace = scenario.pacing.speed if speed is None else speed
    return pace == 0 and scenario.duration_s is not None


def _profile(run: "Run") -> "StepProfile":
    from outrider.sim.profile import StepProfile

    profile = StepProfile(run.simulation)
    run.session.renewed.append(profile.follow)
    return profile


def _print_profile(profile: "StepProfile") -> None:
    """Print the parts of a step that took a noticeable time; standard output is for results."""
    typer.echo("a step, in us of wall time:", err=True)
    for part, us, share in profile.shares():
        if share >= _NOTICED:
            typer.echo(f"{us:10.2f}  {share:4.0%}  {part}", err=True)


class Programs(NamedTuple):
    """Files of the user that run beside the simulation."""

    program: Path | None = None
    controller: Path | None = None


def _serve(run: "Run", door: EditorLauncher, programs: Programs) -> Data:
    """Run with the local port open, until the end or until the user has seen enough."""
    from outrider.bridges.local.server import LocalServer
    from outrider.cli.output.status import Status
    from outrider.devices.ports.pseudo_terminal import ports_folder
    from outrider.scenarios.recording import RecordingControl
    from outrider.user_code.process import user_code

    link = str(ports_folder() / "controller")
    runner = run.runner
    control = RecordingControl(run.session, runner)
    server = LocalServer(
        run.simulation.bus,
        {**runner.services(), **control.services()},
        scenario=run.scenario.name,
        now_ns=lambda: run.simulation.time_ns,
    )
    typer.echo(_HINT, err=True)
    try:
        with (
            stopped_by_signals(runner.stop),
            door.edited(run, control) as opened,
            user_code(None if opened else programs.program),
            user_code(programs.controller, link, kind="controller"),
            Status(run.scenario.name, run.scenario.duration_s) as status,
        ):
            runner.notice = status.say
            return run.go(status)
    finally:
        server.close()
        control.close()
        if run.recorder is not None:
            typer.echo(run.recorder.report.sentence(), err=True)


@contextmanager
def stopped_by_signals(stop_it: Callable[[], None]) -> Iterator[None]:
    """Let the first Ctrl-C end the run between two steps; a second one aborts.

    A closed terminal ends it as well, unless it was started with nohup.
    """

    def stop(number: int, _frame: object) -> None:
        signal.signal(number, signal.default_int_handler)
        stop_it()

    ending = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        ending.append(signal.SIGHUP)
    before = {number: signal.signal(number, stop) for number in ending}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _report(result: Data, as_json: bool) -> None:
    from outrider.cli.output.status import ending_line

    if as_json:
        print_json(result)
    else:
        typer.echo(ending_line(result))
