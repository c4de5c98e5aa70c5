"""Commands that inspect a running simulation: topics, echo, hz, call."""

import json
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice, pairwise
from typing import Annotated, Any

import typer

from outrider.bridges.local.client import Client, Sample
from outrider.cli.choice import Pid, newest, the_only_one
from outrider.cli.options import Json
from outrider.cli.output.table import print_json, print_table
from outrider.cli.pub import pub
from outrider.cli.teleop import teleop
from outrider.core.clock import to_s
from outrider.core.errors import BridgeError
from outrider.core.structure import Data

TopicName = Annotated[str, typer.Argument(metavar="TOPIC", help="As 'outrider topics' lists it.")]

_SHOWN_VALUES = 12  # of an array, on the screen
_SHOWN_BYTES = 64


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    for command in (topics, echo, hz, pub, call, teleop):
        app.command()(command)


def topics(as_json: Json = False, pid: Pid = None) -> None:
    """List the topics of a running simulation."""
    with newest(pid) as client:
        rows = client.topics()
    if as_json:
        print_json(rows)
        return
    print_table(
        [
            {
                "topic": row["name"],
                "type": row["type"],
                "rate": f"{row['rate_hz']:g} Hz" if row["rate_hz"] else "-",
                "direction": row["direction"],
                "messages": row["count"],
                "readers": row["subscribers"],
            }
            for row in rows
        ]
    )


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
        samples = client.messages(topic, timeout, longest=None if as_json else _SHOWN_BYTES)
        for sample in islice(samples, count or None):
            shown += 1
            if as_json:
                print_json({"topic": topic, "time_ns": sample.time_ns, "msg": sample.message})
            else:
                typer.echo("\n".join([*_lines(sample.message), "---"]))
        if shown < max(count, 1):
            raise BridgeError(_too_few(topic, max(count, 1), shown, timeout))


def _too_few(topic: str, wanted: int, came: int, timeout_s: float | None) -> str:
    end = "the simulation ended" if timeout_s is None else f"{timeout_s:g} s went by without one"
    return f"topic '{topic}' had {came} of {wanted} messages before {end}"


def hz(
    topic: TopicName,
    window: Annotated[
        int, typer.Option(min=2, metavar="N", help="Messages to measure over.")
    ] = 1000,
    duration: Annotated[
        float, typer.Option(min=0.0, metavar="SECONDS", help="How long to measure, in seconds.")
    ] = 5.0,
    as_json: Json = False,
    pid: Pid = None,
) -> None:
    """Measure the rate of a topic, in simulated and in wall time."""
    with newest(pid) as client:
        arrivals = _arrivals(client, topic, window, duration)
    if len(arrivals) < 2:
        raise BridgeError(
            f"topic '{topic}' had {len(arrivals)} messages in {duration:g} s; a rate needs two"
        )
    result = {"topic": topic, **_measure(arrivals)}
    if as_json:
        print_json(result)
        return
    for clock, figures in (("simulated", result["simulated"]), ("wall", result["wall"])):
        typer.echo(
            f"{clock:>9}: {_figure(figures['rate_hz'])} Hz, period"
            f" min {_figure(figures['min_s'])} max {_figure(figures['max_s'])}"
            f" std {_figure(figures['std_s'])} s"
        )
    typer.echo(f" messages: {result['messages']}, lost {result['dropped']}")


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
        typer.echo("\n".join(_lines(answer)) or "done")


def _argument(text: str) -> tuple[str, Any]:
    """Read KEY=VALUE; the value is JSON if it can be, else text."""
    key, equals, value = text.partition("=")
    if not (equals and key):
        raise BridgeError(f"expected KEY=VALUE, got '{text}'")
    with suppress(ValueError):
        return key, json.loads(value)
    return key, value


def _arrivals(
    client: Client, topic: str, window: int, duration_s: float
) -> list[tuple[float, Sample]]:
    """Return the last messages within a duration, each with its wall time."""
    kept: deque[tuple[float, Sample]] = deque(maxlen=window)
    samples = client.messages(topic, duration_s=duration_s, kept="all", content=False)
    with suppress(KeyboardInterrupt):
        for sample in samples:
            kept.append((time.monotonic(), sample))
    return list(kept)


def _measure(arrivals: Sequence[tuple[float, Sample]]) -> Data:
    first, last = arrivals[0][1], arrivals[-1][1]
    dropped = last.dropped - first.dropped
    # What was lost on the way was published too: it counts in the rate, not in the periods.
    intervals = len(arrivals) - 1 + dropped
    return {
        "messages": len(arrivals),
        "dropped": dropped,
        "simulated": _periods([to_s(sample.time_ns) for _, sample in arrivals], intervals),
        "wall": _periods([wall_s for wall_s, _ in arrivals], intervals),
    }


def _periods(times_s: list[float], intervals: int) -> dict[str, float | None]:
    from statistics import pstdev

    periods = [after - before for before, after in pairwise(times_s)]
    span = times_s[-1] - times_s[0]
    return {
        "rate_hz": intervals / span if span > 0 else None,
        "min_s": min(periods),
        "max_s": max(periods),
        "std_s": pstdev(periods),
    }


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}"


def _lines(message: Data, indent: str = "") -> Iterator[str]:
    """Yield a message in the manner of YAML, long arrays shortened."""
    for key, value in message.items():
        if isinstance(value, dict):
            yield f"{indent}{key}:"
            yield from _lines(value, indent + "  ")
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            yield f"{indent}{key}:"
            for item in value:
                first, *rest = list(_lines(item, indent + "  ")) or ["{}"]
                yield f"{indent}- {first.lstrip()}"
                yield from rest
        else:
            yield f"{indent}{key}: {_scalar(value)}"


def _scalar(value: object) -> str:
    if isinstance(value, list):
        shown = ", ".join(_scalar(item) for item in value[:_SHOWN_VALUES])
        left = len(value) - _SHOWN_VALUES
        return f"[{shown}, ... {left} more]" if left > 0 else f"[{shown}]"
    if isinstance(value, str):
        return value if value and value.isprintable() else json.dumps(value)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return str(value)
