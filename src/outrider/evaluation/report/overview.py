"""Overview: key figures, one line per run, warnings."""

from collections.abc import Sequence

from outrider.evaluation.report.document import Card, Cards, Table
from outrider.evaluation.report.published import SIMULATORS, Published
from outrider.evaluation.report.thesis_tables import figure_rows
from outrider.evaluation.runs.facts import versions
from outrider.evaluation.runs.figures import robots_in
from outrider.evaluation.runs.statistics import figures_of, leaves
from outrider.scenarios.result import Result


def cards(results: list[Result], published: Published | None) -> Cards:
    """Return the figures that a reader looks for first."""
    done = sum(bool(r["completed"]) for r in results)
    found = [Card("completed", f"{done} of {len(results)}", "runs", done == len(results))]
    position = figure_rows(results, "localization.position_m.mean")
    if position is not None:
        best = _best(published)
        hint = f"m, mean; better of two published: {best:.3f}" if best else "m, mean"
        good = position.mean < best if best else None
        found.append(Card("position error", position.text(position.mean), hint, good))
    speed = figure_rows(results, "real_time_factor", 2)
    if speed is not None:
        found.append(Card("real-time factor", speed.text(speed.mean), f"worst {speed.worst:.2f}"))
    hits = figure_rows(results, "collisions", 0)
    if hits is not None:
        count = sum(hits.values)
        found.append(Card("collisions", hits.text(count), "in all runs", count == 0))
    robots = robots_in(figures_of(results))
    way = figure_rows(results, "distance_m", 2)
    if len(robots) > 1:
        found.append(Card("robots", str(len(robots)), shortened(robots)))
    elif way is not None:
        found.append(Card("distance", way.text(way.mean), "m, mean"))
    return Cards(tuple(found))


def shortened(names: Sequence[str]) -> str:
    """Return names as one text, the last of many left out."""
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def _best(published: Published | None) -> float | None:
    if published is None:
        return None
    return min(published.columns[name].position_m[1] for name in SIMULATORS)


_MOST_NAMES = 4
_COLUMNS = (
    ("time, s", "sim_time_s", 1),
    ("distance, m", "distance_m", 2),
    ("collisions", "collisions", 0),
    ("real-time factor", "real_time_factor", 2),
    ("waypoints", "waypoints.reached", 0),
    ("position error, mean, m", "localization.position_m.mean", 3),
    ("largest, m", "localization.position_m.max", 3),
)


def _columns(robots: Sequence[str]) -> Sequence[tuple[str, str, int]]:
    """Return the columns of the runs; each of several robots has its distance."""
    if len(robots) < 2:
        return _COLUMNS
    time, _, *others = _COLUMNS
    ways = [(f"{name}, m", f"robots.{name}.distance_m", 2) for name in robots[:_MOST_NAMES]]
    return (time, *ways, *others)


def runs_table(results: list[Result]) -> Table:
    """Return a line per run, with the reason where one failed."""
    found = [dict(leaves(result)) for result in results]
    keys = figures_of(results)
    columns = [column for column in _columns(robots_in(keys)) if column[1] in keys]
    reasons = any(result.get("reason") for result in results)
    rows = []
    for result, figures in zip(results, found, strict=True):
        outcome = "completed" if result["completed"] else "failed"
        cells = [_number(figures.get(key), digits) for _, key, digits in columns]
        why = [result.get("reason") or ""] if reasons else []
        rows.append((str(result["seed"]), outcome, *cells, *why))
    heads = ("seed", "outcome", *(label for label, _, _ in columns))
    texts = frozenset({1, len(heads)})
    return Table((*heads, *(["reason"] if reasons else [])), tuple(rows), text_columns=texts)


def _number(value: object, digits: int) -> str:
    return f"{value:,.{digits}f}" if isinstance(value, int | float) else "–"


def version_notes(results: Sequence[Result]) -> list[str]:
    """Say what differs between the runs of one folder."""
    notes = []
    found = sorted(
        {", ".join(f"{k} {v}" for k, v in versions(r.get("facts", {})).items()) for r in results}
    )
    if len(found) > 1:
        notes.append(
            f"The runs were made by different versions ({'; '.join(found)}): their figures are"
            " not one series."
        )
    machines = {str(r.get("facts", {}).get("processor")) for r in results}
    if len(machines) > 1:
        notes.append(f"The runs come from different machines: {', '.join(sorted(machines))}.")
    if any("jobs" in r for r in results):
        notes.append("Several runs ran at a time: timings and CPU are those of shared cores.")
    return notes
