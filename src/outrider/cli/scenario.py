"""outrider scenario: list them, or run one to its end and judge it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outrider.cli.kernels import announce_compiling
from outrider.cli.options import Bridges, Files, Json, Seed, Settings
from outrider.cli.output.table import print_json, print_table
from outrider.cli.process_age import process_start_s
from outrider.core.structure import Data

if TYPE_CHECKING:
    from outrider.scenarios.scenario import Scenario

app = typer.Typer(help="List scenarios, or run one to its end and judge it.")


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
    seed: Seed = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder for the results.")] = None,
    speed: Annotated[
        float, typer.Option(min=0.0, metavar="X", help="Times real time; 0: as fast as possible.")
    ] = 0.0,
    bridge: Bridges = None,
    files: Files = None,
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Run a scenario to its end and judge it; exit code 1 if it failed."""
    announce_compiling()
    from outrider.scenarios.load import load
    from outrider.scenarios.opening import with_flags

    scenario = with_flags(load(name, settings or ()), {"--seed": ("seed", seed)})
    try:
        results = _run_all(scenario, runs, speed=speed, out=out, bridges=bridge or (), files=files)
    except KeyboardInterrupt:
        typer.echo(f"outrider: interrupted: '{scenario.name}' did not come to its end", err=True)
        raise typer.Exit(130) from None
    _report(results, as_json)
    if not all(result["completed"] for result in results):
        raise typer.Exit(1)


def _run_all(scenario: "Scenario", runs: int, **options: Any) -> list[Data]:
    from outrider.cli.output.status import Status
    from outrider.scenarios.run import run_scenario, run_several

    since_s = process_start_s()
    with Status(scenario.name, scenario.duration_s, runs) as status:
        if runs == 1:
            return [run_scenario(scenario, watch=status, since_s=since_s, **options)]
        return run_several(scenario, runs, watch=status, since_s=since_s, **options)


def _report(results: list[Data], as_json: bool) -> None:
    from outrider.cli.output.status import summary
    from outrider.scenarios.result import mean

    if as_json:
        several = {"runs": results, "mean": mean(results)}
        print_json(results[0] if len(results) == 1 else several)
        return
    for result in results:
        mark = "passed" if result["completed"] else "FAILED"
        typer.echo(f"{mark}  seed {result['seed']}  {summary(result)}")
        for verdict in result["expectations"]:
            if not verdict["met"]:
                typer.echo(f"        {_unmet(verdict)}")


def _unmet(verdict: Data) -> str:
    bounds = [
        f"{word} {verdict[key]:g}"
        for word, key in (("at least", "least"), ("at most", "most"))
        if key in verdict
    ]
    expected = " and ".join(bounds)
    return f"{verdict['robot']}: {verdict['figure']} is {verdict['value']:.5g}, expected {expected}"
