"""Two series of runs compared: the difference of their means and its significance."""

from dataclasses import dataclass, field
from pathlib import Path

from outrider.core.errors import EvaluationError
from outrider.core.files.yaml_file import parse_yaml
from outrider.core.structure import Data
from outrider.evaluation.measures.significance import Difference, difference
from outrider.evaluation.report.document import Block, Heading, Paragraph, Table
from outrider.evaluation.runs.facts import versions
from outrider.evaluation.runs.figures import FigureRow, Row, rows_for
from outrider.evaluation.runs.folder import SavedRun
from outrider.evaluation.runs.statistics import figures_of

_NAMES = ("name", "description", "seed")  # say nothing about what was run
_UNSET = "default"
_MOST_KEYS = 6
_HEADS = ("figure", "unit", "first", "spread", "second", "spread", "difference", "%", "p", "")


@dataclass(slots=True)
class Comparison:
    """The document, the figures behind it, and notes on what differs between the two."""

    document: list[Block]
    figures: Data
    notes: list[str] = field(default_factory=list)


def comparison(first: Path, one: list[SavedRun], second: Path, other: list[SavedRun]) -> Comparison:
    """Compare all figures that both series have."""
    results, others = [run.result for run in one], [run.result for run in other]
    a, b = figures_of(results), figures_of(others)
    shown = rows_for([key for key in a if key in b])
    if not shown:
        raise EvaluationError(f"{first} and {second} have no figures in common")
    found = {f.key: difference(a[f.key], b[f.key]) for f in shown}
    notes = [*_settings(one[0], other[0]), *_notes(results, others)]
    rows = tuple(_row(f, a[f.key], b[f.key], found[f.key]) for f in shown)
    document: list[Block] = [
        Heading(f"{results[0]['scenario']}: two series", 1),
        Paragraph(
            f"First: {first.name}, {_runs(results)}. Second: {second.name}, {_runs(others)}."
        ),
        *(Paragraph(note, note=True) for note in notes),
        Table(_HEADS, rows, "Means over runs", text_columns=frozenset({0, 1, 9})),
        Paragraph(
            "p is the p-value of Welch's t-test: the probability of such a difference by chance."
            " Below 0.05 it is called significant; of twenty equal figures, one will look so."
        ),
    ]
    return Comparison(document, {"differences": {k: _json(d) for k, d in found.items()}}, notes)


def _runs(results: list[Data]) -> str:
    done = sum(bool(r["completed"]) for r in results)
    return f"{len(results)} run{'s' if len(results) != 1 else ''}, {done} completed"


def _row(figure: FigureRow, a: list[float], b: list[float], found: Difference) -> tuple[str, ...]:
    one, other = Row(figure, tuple(a)), Row(figure, tuple(b))
    percent = "–" if found.percent is None else f"{found.percent:+.1f}"
    p = "–" if found.p is None else f"{found.p:.3f}" if found.p >= 0.001 else "< 0.001"
    return (
        figure.label,
        figure.unit,
        one.text(one.mean),
        one.text(one.spread),
        other.text(other.mean),
        other.text(other.spread),
        f"{found.value:+,.{figure.digits}f}",
        percent,
        p,
        "significant" if found.significant else "",
    )


def _json(found: Difference) -> Data:
    return {
        "first": found.first,
        "second": found.second,
        "difference": found.value,
        "p": found.p,
        "significant": found.significant,
    }


def _settings(one: SavedRun, other: SavedRun) -> list[str]:
    """Say which keys of the two scenarios differ."""
    a, b = (_flat(parse_yaml(run.scenario_text, str(run.folder))) for run in (one, other))
    differ = [key for key in {**a, **b} if a.get(key) != b.get(key) and key not in _NAMES]
    if not differ:
        return []
    said = [f"{key} ({a.get(key, _UNSET)}; {b.get(key, _UNSET)})" for key in differ[:_MOST_KEYS]]
    more = len(differ) - len(said)
    return [f"The scenarios differ in {', '.join(said)}{f' and {more} more keys' * bool(more)}."]


def _flat(data: object, path: str = "") -> dict[str, object]:
    """Return the values of nested mappings and lists by their dotted keys."""
    if isinstance(data, dict) and data:
        items = [(str(key), value) for key, value in data.items()]
    elif isinstance(data, list) and any(isinstance(item, dict | list) for item in data):
        items = [(str(number), value) for number, value in enumerate(data)]
    else:
        return {path: data}
    found: dict[str, object] = {}
    for key, value in items:
        found |= _flat(value, f"{path}.{key}" if path else key)
    return found


def _notes(results: list[Data], others: list[Data]) -> list[str]:
    notes = []
    names = {str(r["scenario"]) for r in [*results, *others]}
    if len(names) > 1:
        notes.append(f"These are different scenarios: {', '.join(sorted(names))}.")
    one, other = ({str(versions(r.get("facts", {}))) for r in rs} for rs in (results, others))
    if one != other:
        notes.append("The two series were made by different versions.")
    machines = {str(r.get("facts", {}).get("processor")) for r in [*results, *others]}
    if len(machines) > 1:
        notes.append("The two series come from different machines: timings cannot be compared.")
    if {r.get("jobs", 1) for r in results} != {r.get("jobs", 1) for r in others}:
        notes.append(
            "The two series had different numbers of runs at a time: timings cannot be compared."
        )
    if min(len(results), len(others)) < 2:
        notes.append("A single run has no spread: significance cannot be tested.")
    return notes
