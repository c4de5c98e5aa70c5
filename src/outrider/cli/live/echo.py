"""outrider echo: print the messages of a topic."""

from contextlib import suppress
from itertools import islice
from typing import Annotated

import typer

from outrider.cli.live.choice import Pid, TopicName, newest
from outrider.cli.options.shared import Json
from outrider.cli.output.message_text import SHOWN_BYTES, message_lines
from outrider.cli.output.table import print_json
from outrider.core.errors import BridgeError


def echo(
    topic: TopicName,
    count: Annotated[
        int,
        typer.Option(
            "-n", "--count", metavar="N", min=0, help="Stop after this many messages; 0: never."
        ),
    ] = 0,
    as_json: Json = False,
    timeout: Annotated[
        float | None,
        typer.Option(min=0.0, metavar="SECONDS", help="Give up after this long without a message."),
    ] = None,
    pid: Pid = None,
) -> None:
    """Print the messages of a topic (with --json, one object per line)."""
    shown = 0
    with newest(pid) as client, suppress(KeyboardInterrupt):
        samples = client.messages(topic, timeout, longest=None if as_json else SHOWN_BYTES)
        for sample in islice(samples, count or None):
            shown += 1
            if as_json:
                print_json({"topic": topic, "time_ns": sample.time_ns, "msg": sample.message})
            else:
                typer.echo("\n".join([*message_lines(sample.message), "---"]))
        if shown < max(count, 1):
            raise BridgeError(_too_few(topic, max(count, 1), shown, timeout))


def _too_few(topic: str, wanted: int, came: int, timeout_s: float | None) -> str:
    end = "the simulation ended" if timeout_s is None else f"{timeout_s:g} s went by without one"
    return f"topic '{topic}' had {came} of {wanted} messages before {end}"
