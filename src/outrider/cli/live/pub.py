"""outrider pub: publish to a topic of a running simulation, once or at a rate."""

import time
from contextlib import suppress
from itertools import count as counted
from typing import Annotated

import typer

from outrider.cli.live.choice import Pid, the_only_one
from outrider.core.errors import BridgeError
from outrider.core.structure import Data

Topic = Annotated[str, typer.Argument(metavar="TOPIC", help="As 'outrider topics' lists it.")]
Message = Annotated[
    str, typer.Argument(metavar="MESSAGE", help="YAML or JSON; missing fields are zero.")
]
Rate = Annotated[
    float | None,
    typer.Option(
        "--rate",
        "-r",
        metavar="HZ",
        min=0.001,
        max=10_000,
        help="Repeat at this rate until Ctrl-C.",
    ),
]
Once = Annotated[
    bool, typer.Option("--once", help="Publish one message (the default without --rate).")
]
Count = Annotated[
    int,
    typer.Option(
        "--count", "-n", metavar="N", min=0, help="Stop after this many messages; 0: never."
    ),
]


def pub(
    topic: Topic,
    message: Message = "{}",
    rate: Rate = None,
    once: Once = False,
    count: Count = 0,
    pid: Pid = None,
) -> None:
    """Publish to a topic, e.g. pub /cmd_vel 'linear: {x: 0.5}' --rate 10."""
    if once and rate is not None:
        raise BridgeError("--once: one message has no --rate")
    if count > 1 and rate is None:
        raise BridgeError(f"--count {count}: how often is to be said with --rate")
    fields = _fields(message)
    sent = 0
    with the_only_one(pid) as client, suppress(KeyboardInterrupt):
        start = time.monotonic()
        for number in counted():
            client.publish(topic, fields)
            sent += 1
            if rate is None or sent == count:
                break
            time.sleep(max(0.0, start + (number + 1) / rate - time.monotonic()))
    typer.echo(f"published {sent} message{'s' if sent != 1 else ''} on {topic}", err=True)


def _fields(text: str) -> Data:
    """Read a message as YAML, of which JSON is a part."""
    from outrider.core.files.yaml_file import parse_yaml

    return parse_yaml(text, "MESSAGE")
