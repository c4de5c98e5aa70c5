"""outrider run: a simulation that others can watch and drive while it goes."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outrider.cli.editing import edited, editor_options
from outrider.cli.kernels import announce_compiling
from outrider.cli.options import (
    Arguments,
    Bridges,
    HeightSize,
    Json,
    SearchPaths,
    Seed,
    Settings,
    height_size,
    xacro_arguments,
)
from outrider.cli.output.table import print_json
from outrider.cli.process_age import process_start_s
from outrider.cli.starting import starting

if TYPE_CHECKING:
    from outrider.scenarios.run import Run
    from outrider.sim.runner import Runner
    from outrider.ui.options import EditorOptions

_HINT = "look into it from another terminal: outrider topics | echo TOPIC | hz TOPIC | call pause"


def run(
    what: Annotated[
        str | None,
        typer.Argument(metavar="[SCENARIO|WORLD|PATH]", help="Name or file; without one the demo."),
    ] = None,
    robot: Annotated[str | None, typer.Option(help="Robot to drive, by name or file.")] = None,
    headless: Annotated[bool, typer.Option("--headless", help="Open no editor.")] = False,
    ui: Annotated[
        bool | None,
        typer.Option("--ui/--no-ui", help="Open the editor; by default where somebody watches."),
    ] = None,
    speed: Annotated[float | None, typer.Option(help="Times real time; 0 is flat out.")] = None,
    duration: Annotated[float | None, typer.Option(help="Simulated seconds.")] = None,
    seed: Seed = None,
    engine: Annotated[str | None, typer.Option(help="mujoco, bullet or kinematic.")] = None,
    step: Annotated[float | None, typer.Option(help="Seconds per step.")] = None,
    bridge: Bridges = None,
    settings: Settings = None,
    arg: Arguments = None,
    path: SearchPaths = None,
    size: HeightSize = None,
    state: Annotated[
        Path | None, typer.Option(help="Go on from a saved state (outrider call save_state).")
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address the editor listens on; beyond this computer with a token.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Its port; 0 takes a free one.")
    ] = 8130,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Visitors may look, but not touch.")
    ] = False,
    projects: Annotated[
        Path, typer.Option(help="Folder that the editor saves projects in.")
    ] = Path("projects"),
    as_json: Json = False,
) -> None:
    """Run a scenario, or a robot in a world; plain 'outrider run' shows the demo."""
    with starting():
        cold = announce_compiling()
        from outrider.cli.target import Foreign, find_scenario, resumed, with_bridges, with_flags
        from outrider.scenarios.run import Run

        if state is not None:
            refused = (what, robot, seed, engine, step, settings, arg, path, size)
            session = resumed(state, duration, refused)
            session.scenario = with_bridges(session.scenario, bridge)
            prepared = Run(session, speed=speed)
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
            prepared = Run(with_bridges(scenario, bridge), since_s=process_start_s())
            if cold:  # compile now, not while time runs
                prepared.simulation.step()
                prepared.simulation.reset()
    options = None
    races = prepared.runner.pacer.speed == 0 and prepared.scenario.duration_s is not None
    watched = not (as_json or races) if ui is None else ui
    if watched and not headless:
        options = editor_options(what, host, port, read_only, projects)
    _report(_serve(prepared, options), as_json)
    if state is None and prepared.simulation.finished is False:
        raise typer.Exit(1)


def _serve(run: "Run", options: "EditorOptions | None") -> dict[str, Any]:
    """Run with the local port open, until the end or until the user has seen enough."""
    from outrider.bridges.local.server import LocalServer
    from outrider.cli.output.status import Status

    runner = run.runner
    server = LocalServer(
        run.simulation.bus,
        runner.services(),
        scenario=run.scenario.name,
        now_ns=lambda: run.simulation.time_ns,
    )
    typer.echo(_HINT, err=True)
    try:
        with (
            _stopped_by_signals(runner),
            edited(run, options),
            Status(run.scenario.name, run.scenario.duration_s) as status,
        ):
            return run.go(status)
    finally:
        server.close()


@contextmanager
def _stopped_by_signals(runner: "Runner") -> Iterator[None]:
    """Let the first Ctrl-C end the run between two steps; a second one breaks off."""

    def stop(number: int, frame: object) -> None:  # noqa: ARG001 - the shape of a handler
        signal.signal(number, signal.default_int_handler)
        runner.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _report(result: dict[str, Any], as_json: bool) -> None:
    from outrider.cli.output.status import summary

    if as_json:
        print_json(result)
    else:
        typer.echo(summary(result))
