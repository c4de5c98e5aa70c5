"""outrider hz: measure the rate of a topic."""

import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Annotated

import typer

from outrider.bridges.local.client import Client, Sample
from outrider.cli.live.choice import Pid, TopicName, newest
from outrider.cli.options.shared import Json
from outrider.cli.output.table import print_json
from outrider.core.clock import to_s
from outrider.core.errors import BridgeError
from outrider.core.structure import Data


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
