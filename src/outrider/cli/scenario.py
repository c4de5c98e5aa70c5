"""outrider scenario: list scenarios, run and judge them, report on results."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outrider.cli.options.shared import Bridges, Files, Json, Seed, Settings, Trust
from outrider.cli.output.table import print_json, print_table
from outrider.cli.startup.kernels import announce_compiling
from outrider.cli.startup.process_age import process_start_s
from outrider.core.structure import Data

if TYPE_CHECKING:
    from outrider.evaluation.runs.series import Series, SeriesOptions
    from outrider.scenarios.scenario import Scenario

app = typer.Typer(help="List scenarios, run one and check its expectations, or report.")


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List the scenarios of the library."""
    from outrider.cli.output.catalogue import scenarios

    (print_json if as_json else print_table)(scenarios())


@app.command()
def run(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A library name or a file.")],
    runs: Annotated[
        int, typer.Option(min=1, metavar="N", help="Number of runs, each with the next seed.")
    ] = 1,
    jobs: Annotated[
        int,
        typer.Option(min=1, metavar="K", help="Runs in parallel; their timings then interfere."),
    ] = 1,
    seed: Seed = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for the results; finished runs in it are kept."),
    ] = None,
    recorded: Annotated[
        bool, typer.Option("--record", help="Record an MCAP file per run, in DIR.")
    ] = False,
    speed: Annotated[
        float, typer.Option(min=0.0, metavar="X", help="1: real time; 0: as fast as possible.")
    ] = 0.0,
    bridge: Bridges = None,
    files: Files = None,
    settings: Settings = None,
    trust: Trust = False,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the results as JUnit XML, for CI.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Run a scenario, measure it and check its expectations; exit code 1 if it failed."""
    announce_compiling()
    from outrider.core.files.atomic_file import check_writable
    from outrider.evaluation.runs.series import SeriesOptions
    from outrider.scenarios.code_trust import trust_scenario
    from outrider.scenarios.load import load
    from outrider.scenarios.opening import with_flags

    scenario = with_flags(load(name, settings or ()), {"--seed": ("seed", seed)})
    if trust:
        trust_scenario(scenario)
    if junit is not None:
        check_writable(junit)
    bridges = tuple(bridge or ())
    options = SeriesOptions(
        runs=runs, jobs=jobs, speed=speed, out=out, record=recorded, bridges=bridges, files=files
    )
    try:
        series = _run_all(scenario, options)
    except KeyboardInterrupt:
        typer.echo(f"outrider: interrupted: {_left(scenario.name, out)}", err=True)
        raise SystemExit(130) from None
    if junit is not None:  # before anything is printed: who reads that may close the pipe
        _write_junit(junit, series, _command(name, settings or []))
    _report(series.results, as_json)
    for trouble in dict.fromkeys(series.troubles):
        typer.echo(f"outrider: {trouble}; the results are complete, their files are not", err=True)
    if series.troubles:
        raise typer.Exit(2)
    if not all(result["completed"] for result in series.results):
        raise typer.Exit(1)


@app.command()
def report(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR [DIR2]", help="Result folders: one, or two.")
    ],
    real_curve: Annotated[
        Path | None, typer.Option(metavar="CSV", help="An error curve measured on a real robot.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write report.html and report.md of a result folder; of two, their difference."""
    from outrider.evaluation.report.report import write_comparison, write_report

    if len(folders) > 2:
        raise typer.BadParameter(f"expected one or two result folders, got {len(folders)}")
    if len(folders) == 2:
        made = write_comparison(folders[0], folders[1])
    else:
        made = write_report(folders[0], real_curve)
    if as_json:
        print_json(made.figures)
        return
    for note in made.notes:
        typer.echo(f"outrider: {note}", err=True)
    for path in made.files:
        typer.echo(str(path))


def _command(name: str, settings: list[str]) -> str:
    words = ["outrider", "scenario", "run", name]
    return shlex.join([*words, *(word for setting in settings for word in ("--set", setting))])


def _write_junit(path: Path, series: "Series", command: str) -> None:
    from outrider.core.errors import FormatError
    from outrider.evaluation.runs.junit import write_junit

    try:
        write_junit(path, series.results, command)
    except FormatError as error:
        series.troubles.append(str(error))


def _left(name: str, out: Path | None) -> str:
    if out is None:
        return f"'{name}' did not finish"
    return f"finished runs are in {out}; the same command continues with the others"


def _run_all(scenario: "Scenario", options: "SeriesOptions") -> "Series":
    from outrider.evaluation.runs.series import check_series, run_series

    if options.runs > 1:
        from outrider.cli.output.series import SeriesBar

        with SeriesBar(scenario.name, scenario.duration_s or 0.0, options.runs) as bar:
            return run_series(scenario, options, bar)
    check_series(scenario, options)
    return _run_here(scenario, options)


def _run_here(scenario: "Scenario", options: "SeriesOptions") -> "Series":
    """Run once, in this process."""
    from outrider.cli.output.status import Status
    from outrider.evaluation.runs.series import run_once

    with Status(scenario.name, scenario.duration_s) as status:
        return run_once(scenario, options, watch=status, since_s=process_start_s())


def _report(results: list[Data], as_json: bool) -> None:
    from outrider.cli.output.series import print_series
    from outrider.cli.output.status import ending_line
    from outrider.evaluation.runs.statistics import whole

    if as_json:
        print_json(whole(results))
        return
    for result in results:
        mark = "passed" if result["completed"] else "FAILED"
        figures = ending_line(result) if "robots" in result else result["scenario"]
        typer.echo(f"{mark}  seed {result['seed']}  {figures}")
        if result["reason"]:
            typer.echo(f"        {result['reason']}")
    if len(results) > 1:
        print_series(results)
