"""outrider record: record what a running simulation publishes."""

import time
from pathlib import Path
from typing import Annotated

import typer

from outrider.bridges.local.client import Client
from outrider.cli.live.choice import Pid, the_only_one
from outrider.cli.options.recording import (
    Lossless,
    Overwrite,
    RecordFormat,
    RecordTopics,
    split_topics,
)
from outrider.cli.options.shared import Json
from outrider.cli.output.table import print_json
from outrider.core.errors import BridgeError, RecordingError
from outrider.core.structure import Data

_LOOK_S = 0.25


def record(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A .mcap or .bag file, or a folder.")
    ] = None,
    topics: RecordTopics = None,
    duration: Annotated[float | None, typer.Option(min=0.0, help="Seconds of wall time.")] = None,
    format_: RecordFormat = "",
    overwrite: Overwrite = False,
    lossless: Lossless = None,
    stop: Annotated[bool, typer.Option("--stop", help="Stop the current recording.")] = False,
    as_json: Json = False,
    pid: Pid = None,
) -> None:
    """Record a running simulation until Ctrl-C, until it ends, or for a duration.

    The simulation writes the file itself: nothing is lost on the way.
    """
    with the_only_one(pid) as client:
        if stop:
            _report(client.call("record_stop"), as_json)
            return
        if file is None:
            raise RecordingError("record: give a FILE to record to, or --stop")
        client.call(
            "record",
            file=str(file.resolve()),
            topics=list(split_topics(topics)),
            format=format_,
            overwrite=overwrite,
            lossless=lossless,
        )
        typer.echo(f"recording to {file}; Ctrl-C ends it", err=True)
        _report(_follow(client, duration), as_json)


def _follow(client: Client, duration_s: float | None) -> Data:
    """Wait for the end; return how the recording stood then."""
    end = float("inf") if duration_s is None else time.monotonic() + duration_s
    status: Data = {}
    try:
        while time.monotonic() < end:
            status = client.call("record_status")
            if not status["recording"]:
                break
            time.sleep(min(_LOOK_S, max(0.0, end - time.monotonic())))
    except KeyboardInterrupt:
        pass
    except BridgeError:  # the simulation has ended, and with it the recording
        return status
    try:
        return client.call("record_stop")
    except BridgeError:
        return status


def _report(status: Data, as_json: bool) -> None:
    if as_json:
        print_json(status)
    else:
        files = ", ".join(status.get("files", ()))
        text = f"recorded {status['messages']} messages, {status['bytes'] / 1e6:.1f} MB: {files}"
        lost = f"; {status['dropped']} messages were not written" if status["dropped"] else ""
        typer.echo(text + lost)
    if status.get("failure"):
        raise RecordingError(status["failure"])
