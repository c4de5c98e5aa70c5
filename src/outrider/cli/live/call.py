"""outrider call: call a service of a running simulation."""

import json
from contextlib import suppress
from typing import Annotated

import typer

from outrider.cli.live.choice import Pid, the_only_one
from outrider.cli.options.shared import Json
from outrider.cli.output.message_text import message_lines
from outrider.cli.output.table import print_json
from outrider.core.errors import BridgeError


def call(
    service: Annotated[
        str, typer.Argument(metavar="SERVICE", help="As 'outrider list services' lists it.")
    ],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY=VALUE", help="Its arguments; values as JSON or text."),
    ] = None,
    as_json: Json = False,
    pid: Pid = None,
) -> None:
    """Call a service of a running simulation, such as pause, resume, step or reset."""
    named = dict(_argument(text) for text in arguments or [])
    with the_only_one(pid) as client:
        answer = client.call(service, **named)
    if as_json:
        print_json(answer)
    else:
        typer.echo("\n".join(message_lines(answer)) or "done")


def _argument(text: str) -> tuple[str, object]:
    """Read KEY=VALUE; the value is JSON if it can be, else text."""
    key, equals, value = text.partition("=")
    if not (equals and key):
        raise BridgeError(f"expected KEY=VALUE, got '{text}'")
    with suppress(ValueError):
        return key, json.loads(value)
    return key, value
