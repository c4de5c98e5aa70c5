"""The result table: a line per run, in order, without anything that a clock measured.

The same sweep gives the same table, whoever ran it and in whatever order.
"""

from collections.abc import Sequence
from pathlib import Path

from outrider.core.structure import Data
from outrider.evaluation.runs.figures import FIGURES
from outrider.evaluation.runs.folder import write_table
from outrider.evaluation.runs.statistics import leaves

TABLE = "table.csv"
LEFT_OUT = {
    "completed",  # a column of its own
    "steps",
    "total_sim_time_s",
    # measured by a clock
    "cpu_percent",
    "dropped_time_s",
    "memory_mb",
    "paused_time_s",
    "real_time_factor",
    "resources",
    "start_time_s",
    "threads",
    "wall_time_s",
}


def measures(line: Data) -> dict[str, float]:
    """Return the figures of a run that every repetition gives again, by dotted name."""
    kept = {key: value for key, value in line["result"].items() if key not in LEFT_OUT}
    return dict(leaves(kept))


def measure_names(lines: Sequence[Data]) -> list[str]:
    """Return the measures that runs have, those of the usual tables first."""
    known = {name for line in lines for name in measures(line)}
    first = [figure.key for figure in FIGURES if figure.key in known]
    return [*first, *sorted(known - set(first))]


def write_results(path: Path, lines: Sequence[Data]) -> None:
    """Write the table of lines that are in order."""
    keys = list(dict.fromkeys(key for line in lines for key in line["point"]))
    names = measure_names(lines)
    heads = ["run", "seed", *keys, "completed", "reason", *names, "state_hash"]
    write_table(path, heads, [_row(line, keys, names) for line in lines])


def _row(line: Data, keys: Sequence[str], names: Sequence[str]) -> list[object]:
    found = measures(line)
    return [
        line["run"],
        line["seed"],
        *(_exact(line["point"].get(key, "")) for key in keys),
        int(line["completed"]),
        line["reason"] or "",
        *(_exact(found.get(name, "")) for name in names),
        line["result"].get("state_hash", ""),
    ]


def _exact(value: object) -> object:
    """Return a number as text, with all its digits."""
    return repr(value) if isinstance(value, float) else value
