"""outrider run: a simulation that other programs can watch and drive while it runs."""

import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from outrider.cli.options.recording import (
    Lossless,
    Overwrite,
    RecordFile,
    RecordFormat,
    RecordTopics,
    recording_options,
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
from outrider.cli.startup.editor import EditorDoor, editor_options
from outrider.cli.startup.kernels import announce_compiling
from outrider.cli.startup.process_age import process_start_s
from outrider.cli.startup.quick_start import starting
from outrider.core.structure import Data

if TYPE_CHECKING:
    from outrider.scenarios.run import Run
    from outrider.sim.profile import StepProfile

_NOTICED = 0.001  # of a step
_HINT = "look into it from another terminal: outrider topics | echo TOPIC | hz TOPIC | call pause"


def run(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="SCENARIO|WORLD|FILE",
            help="A library name, or any file that can be run; the demo if left out.",
        ),
    ] = None,
    robot: Annotated[
        str | None, typer.Option(metavar="NAME", help="Robot to drive: a library name or a file.")
    ] = None,
    headless: Annotated[bool, typer.Option("--headless", help="Open no editor.")] = False,
    ui: Annotated[
        bool | None,
        typer.Option("--ui/--no-ui", help="Open the editor; default unless --json or --speed 0."),
    ] = None,
    speed: Annotated[
        float | None, typer.Option(metavar="X", help="1: real time; 0: as fast as possible.")
    ] = None,
    duration: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Stop after this much simulated time.")
    ] = None,
    seed: Seed = None,
    engine: Annotated[
        str | None, typer.Option(metavar="NAME", help="Physics: mujoco, bullet or kinematic.")
    ] = None,
    step: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Length of a physics step.")
    ] = None,
    bridge: Bridges = None,
    files: Files = None,
    settings: Settings = None,
    arg: Arguments = None,
    path: SearchPaths = None,
    size: HeightSize = None,
    trust: Trust = False,
    state: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Resume a state that 'call save_state' saved."),
    ] = None,
    record: RecordFile = None,
    topics: RecordTopics = None,
    format_: RecordFormat = "",
    overwrite: Overwrite = False,
    lossless: Lossless = None,
    host: Annotated[
        str, typer.Option(help="Address for the editor; other than this computer requires a token.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port for the editor; 0 picks a free one.")
    ] = 8130,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Visitors can watch but not change anything.")
    ] = False,
    allow_code: Annotated[
        bool,
        typer.Option("--allow-code", help="Let other computers run code in the editor as well."),
    ] = False,
    projects: Annotated[
        Path, typer.Option(help="Folder where the editor keeps its projects.")
    ] = Path("projects"),
    user_code: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Python file with setup(robot) and loop(robot)."),
    ] = None,
    controller: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Python file that plays a microcontroller on a serial port."
        ),
    ] = None,
    profile: Annotated[
        bool, typer.Option("--profile", help="At the end, say where the time of a step went.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Run a scenario, a world or a robot; without a name, the demo."""
    likely = not headless and (not as_json if ui is None else ui)
    with closing(EditorDoor(likely=likely)) as door:
        with starting():
            cold = announce_compiling()
            from outrider.scenarios.opening import Foreign, find_scenario, resumed, with_flags
            from outrider.scenarios.run import Run
            from outrider.scenarios.trusting import trust_scenario

            recording = recording_options(record, topics, format_, overwrite, lossless)
            session = None
            if state is not None:
                refused = (what, robot, seed, engine, step, settings, arg, path, size)
                session = resumed(state, duration, refused, trust=trust)
                scenario = session.scenario
            else:
                foreign = Foreign(xacro_arguments(arg), tuple(path or ()), height_size(size))
                scenario = with_flags(
                    find_scenario(what, robot, settings or [], foreign),
                    {
                        "--speed": ("pacing.speed", speed),
                        "--duration": ("duration_s", duration),
                        "--seed": ("seed", seed),
                        "--engine": ("physics.engine", engine),
                        "--step": ("physics.step_s", step),
                    },
                )
                if trust:
                    trust_scenario(scenario)
            pace = scenario.pacing.speed if speed is None else speed
            races = pace == 0 and scenario.duration_s is not None
            options = None
            if likely and (ui or not races):
                options = editor_options(
                    what,
                    host,
                    port,
                    projects,
                    read_only=read_only,
                    allow_code=allow_code,
                    program=user_code,
                )
            own = (robot, engine, step, bridge, files, settings, arg, path, size, state, record)
            early = not any(own) and _is_ours(what)
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
            if cold and session is None:  # compile now, not while time runs
                prepared.simulation.step()
                prepared.simulation.reset()
        if not early:
            door.open(options)
        profiled = _profile(prepared) if profile else None
        _report(_serve(prepared, door, Programs(user_code, controller)), as_json)
    if profiled is not None:
        _print_profile(profiled)
    if state is None and prepared.simulation.finished is False:
        raise typer.Exit(1)


def _is_ours(what: str | None) -> bool:
    """Return whether something is of the library: it will be built, so pages may wait for it."""
    from outrider.loader.library import in_library

    return what is None or in_library("scenarios", what) or in_library("worlds", what)


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


def _serve(run: "Run", door: EditorDoor, programs: Programs) -> Data:
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
    """Let the first Ctrl-C end the run between two steps; a second one aborts."""

    def stop(number: int, _frame: object) -> None:
        signal.signal(number, signal.default_int_handler)
        stop_it()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
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
