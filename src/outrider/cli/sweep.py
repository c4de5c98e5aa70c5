"""outrider sweep: many runs of one scenario, over values of its keys."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outrider.cli.options.shared import Json, Trust
from outrider.cli.output.table import print_json
from outrider.cli.startup.kernels import announce_compiling
from outrider.core.structure import Data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from outrider.sweeps.load import LoadedSweep
    from outrider.sweeps.sweep import SweepResult

SweepFile = Annotated[Path, typer.Argument(metavar="FILE", help="A sweep file.")]
Jobs = Annotated[
    int | None,
    typer.Option(min=1, metavar="K", help="Runs at a time; default: as many as cores."),
]
Ray = Annotated[
    str, typer.Option("--ray", metavar="ADDRESS", help="Run on a Ray cluster: HOST:PORT or auto.")
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Folder for the results; finished runs in it are kept."),
]
Record = Annotated[bool, typer.Option("--record", help="Record an MCAP file per run, in DIR.")]


def sweep(
    file: SweepFile,
    jobs: Jobs = None,
    ray: Ray = "",
    out: Out = None,
    record: Record = False,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """Run a scenario over values of its keys; exit code 1 if some runs failed."""
    announce_compiling()
    from outrider.cli.output.sweep import LiveTable
    from outrider.scenarios.code_trust import trust_scenario
    from outrider.sweeps.load import load_sweep
    from outrider.sweeps.options import SweepOptions
    from outrider.sweeps.sweep import run_sweep

    found = load_sweep(file)
    if trust:
        trust_scenario(found.scenario)
    folder = out or Path(f"{found.name}-results")
    options = SweepOptions(folder, jobs, ray, record)
    try:
        with LiveTable(found.name) as table:
            result = run_sweep(found, options, table)
    except KeyboardInterrupt:
        raise interrupted(folder) from None
    figures = sweep_figures(found, result)
    print_json(figures) if as_json else _print(result, figures)
    end(result, failed=figures["completed"] < figures["runs"])


def interrupted(folder: Path) -> SystemExit:
    """Say what is left of an interrupted sweep."""
    left = f"finished runs are in {folder}; the same command continues with the others"
    typer.echo(f"outrider: interrupted: {left}", err=True)
    return SystemExit(130)


def sweep_figures(found: "LoadedSweep", result: "SweepResult") -> Data:
    """Return what ``--json`` prints."""
    from outrider.sweeps.worst import replay_line, telling_figure, worst_runs

    lines = result.lines
    figure = telling_figure(found, lines)
    fresh = len(lines) - result.kept
    return {
        "sweep": result.name,
        "scenario": found.scenario.name,
        "folder": str(result.folder),
        "runs": len(lines),
        "kept": result.kept,
        "completed": sum(bool(line["completed"]) for line in lines),
        "not_begun": not_begun(lines),
        "wall_time_s": result.wall_time_s,
        "runs_per_minute": 60 * fresh / result.wall_time_s,
        "files": [str(path) for path in result.files],
        "worst_by": figure,
        "worst": [
            {"run": line["run"], "reason": line["reason"], "replay": replay_line(found, line)}
            for line in worst_runs(lines, figure)
        ],
    }


def not_begun(lines: "Sequence[Data]") -> list[Data]:
    """Return the runs whose values make a scenario that is refused."""
    from outrider.sweeps.verdict import begun

    return [{key: line[key] for key in ("run", "reason")} for line in lines if not begun(line)]


def tell_not_begun(idle: "Sequence[Data]") -> None:
    """Say how many runs did not take place, and why the first did not."""
    if idle:
        first, many = idle[0], "runs" if len(idle) > 1 else "run"
        typer.echo(f"{len(idle)} {many} could not begin; run {first['run']}: {first['reason']}")


def end(result: "SweepResult", *, failed: bool) -> None:
    """Exit as the result asks for."""
    for trouble in result.troubles:
        typer.echo(f"outrider: {trouble}; the results are complete, not their report", err=True)
    if result.troubles:
        raise typer.Exit(2)
    if failed:
        raise typer.Exit(1)


def _print(result: "SweepResult", figures: Data) -> None:
    fresh = figures["runs"] - figures["kept"]
    kept = f", {figures['kept']} were done before" if figures["kept"] else ""
    typer.echo(
        f"{figures['completed']} of {figures['runs']} runs completed{kept};"
        f" {fresh} runs in {result.wall_time_s:.1f} s"
    )
    tell_not_begun(figures["not_begun"])
    typer.echo(f"worst by {figures['worst_by']}:")
    for case in figures["worst"]:
        typer.echo(f"  run {case['run']}: {case['reason'] or 'completed'}\n    {case['replay']}")
    for path in result.files:
        typer.echo(str(path))
