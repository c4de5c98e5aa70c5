"""outrider bench: measure performance here, next to peers and limits in the same run."""

from typing import TYPE_CHECKING, Annotated

import typer

from outrider.cli.options.shared import Json
from outrider.cli.output.table import print_json, print_table

if TYPE_CHECKING:
    from outrider.bench.measurement import Measurement

Names = Annotated[
    list[str] | None, typer.Argument(metavar="NAME", help="Benchmarks to run; all if left out.")
]


def bench(names: Names = None, as_json: Json = False) -> None:
    """Run benchmarks: medians, next to peers and limits measured in the same run."""
    from outrider.bench.measurement import BENCHMARKS, TOGETHER

    found: list[Measurement] = []
    asked = [one for name in names or BENCHMARKS for one in TOGETHER.get(name, (name,))]
    for name in asked:
        for measurement in BENCHMARKS.load(name)()():
            found.append(measurement)
            typer.echo(f"{name}: {_line(measurement)}", err=True)
    if as_json:
        print_json({"benchmarks": [measurement.as_json() for measurement in found]})
    else:
        print_table([_row(measurement) for measurement in found])


def _line(m: "Measurement") -> str:
    return f"{m.name}: {m.value:.4g} {m.unit} (spread {m.spread:.2g})"


def _row(m: "Measurement") -> dict[str, object]:
    peers = ", ".join(f"{name} {value:.3g}" for name, value in m.peers.items())
    kept = "" if m.ratio_to_limit is None else ("yes" if m.ratio_to_limit >= 1 else "NO")
    return {
        "name": m.name,
        "value": f"{m.value:.4g} {m.unit}",
        "spread": f"{m.spread:.2g}",
        "limit": "" if m.limit is None else f"{m.limit:g}",
        "kept": kept,
        "peers": peers,
    }
