"""outrider falsify: search for the smallest disturbance that makes a robot fail."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outrider.cli.options.shared import Json, Trust
from outrider.cli.output.table import print_json
from outrider.cli.startup.kernels import announce_compiling
from outrider.cli.sweep import (
    Jobs,
    Out,
    Ray,
    Record,
    SweepFile,
    end,
    interrupted,
    not_begun,
    tell_not_begun,
)
from outrider.core.structure import Data

if TYPE_CHECKING:
    from outrider.sweeps.falsify.falsify import Failure, SearchResult
    from outrider.sweeps.load import LoadedSweep

Budget = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Runs to spend; default: the file's.")
]


def falsify(
    file: SweepFile,
    budget: Budget = None,
    jobs: Jobs = None,
    ray: Ray = "",
    out: Out = None,
    record: Record = False,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """Search a sweep's ranges for the smallest disturbance that fails; exit code 1 if found."""
    announce_compiling()
    from outrider.cli.output.sweep import LiveTable
    from outrider.scenarios.code_trust import trust_scenario
    from outrider.sweeps.falsify.falsify import falsify as search
    from outrider.sweeps.load import load_search
    from outrider.sweeps.options import SweepOptions

    loaded = load_search(file)
    if trust:
        trust_scenario(loaded.scenario)
    if budget is not None:
        spec = replace(loaded.sweep.falsify, budget=budget)
        loaded = replace(loaded, sweep=replace(loaded.sweep, falsify=spec))
    folder = out or Path(f"{loaded.name}-search")
    try:
        with LiveTable(loaded.name) as table:
            found = search(loaded, SweepOptions(folder, jobs, ray, record), table)
    except KeyboardInterrupt:
        raise interrupted(folder) from None
    figures = _figures(loaded, found)
    print_json(figures) if as_json else _print(figures)
    end(found.result, failed=found.first is not None)


def _figures(loaded: "LoadedSweep", found: "SearchResult") -> Data:
    result = found.result
    return {
        "search": result.name,
        "scenario": loaded.scenario.name,
        "folder": str(result.folder),
        "runs": len(result.lines),
        "kept": result.kept,
        "wall_time_s": result.wall_time_s,
        "not_begun": not_begun(result.lines),
        "first": _case(loaded, found.first),
        "smallest": _case(loaded, found.smallest),
        "files": [str(path) for path in result.files],
    }


def _case(loaded: "LoadedSweep", failure: "Failure | None") -> Data | None:
    from outrider.sweeps.verdict import judge
    from outrider.sweeps.worst import replay_line

    if failure is None:
        return None
    line = failure.line
    return {
        "run": line["run"],
        "size": failure.size,
        "point": line["point"],
        "reason": judge(line, loaded.sweep.falsify.fail).reason,
        "replay": replay_line(loaded, line),
    }


def _print(figures: Data) -> None:
    first, smallest = figures["first"], figures["smallest"]
    if first is None:
        typer.echo(f"none of {figures['runs']} runs failed")
    else:
        typer.echo(f"the first of {figures['runs']} runs to fail was run {first['run']}")
        typer.echo(f"smallest disturbance: {smallest['size']:.3f}, run {smallest['run']}")
        typer.echo(f"  {smallest['reason']}\n  {smallest['replay']}")
    tell_not_begun(figures["not_begun"])
    for path in figures["files"]:
        typer.echo(path)
