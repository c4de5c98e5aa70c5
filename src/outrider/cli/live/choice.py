"""Select one of the running simulations for a command, and say which."""

from typing import Annotated, TypeAlias

import typer

from outrider.bridges.local.client import Client, connect_newest, connect_only, reachable
from outrider.bridges.local.runs import RunningRun, listed

Pid: TypeAlias = Annotated[
    int | None,
    typer.Option("--pid", metavar="N", help="Process ID of the simulation, if there are several."),
]
TopicName: TypeAlias = Annotated[
    str, typer.Argument(metavar="TOPIC", help="As 'outrider topics' lists it.")
]


def newest(pid: int | None) -> Client:
    """Return a client for reading; of several simulations the newest, which is named."""
    client = connect_newest(pid)
    others = [run for run in reachable() if run.pid != client.run.pid]
    if pid is None and others:
        text = f"looking at {_called(client.run)}, the newest of {len(others) + 1}"
        typer.echo(f"{text}; choose another with --pid: {listed(others)}", err=True)
    return client


def the_only_one(pid: int | None) -> Client:
    """Return a client for changes; if there are several simulations, one must be named."""
    return connect_only(pid, "--pid")


def _called(run: RunningRun) -> str:
    return f"'{run.scenario}' (process {run.pid})"
