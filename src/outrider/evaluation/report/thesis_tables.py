"""Tables in the form of chapter 6 of J. Platt's thesis: our results next to his two simulators."""

from collections.abc import Sequence

from outrider.evaluation.report.document import Table
from outrider.evaluation.report.published import CELLS, RESOURCES, SIMULATORS, Column, Published
from outrider.evaluation.runs.figures import FigureRow, Row
from outrider.evaluation.runs.statistics import figures_of
from outrider.scenarios.result import Result

OURS = "Outrider"
_NONE = "–"
_STATISTICS = ("max", "mean", "median")


def resource_table(results: Sequence[Result], published: Published | None) -> Table:
    """Return resource use: rows of figures, a column per simulator."""
    found = figures_of(results)
    rows = []
    for number, (label, unit, key, digits) in enumerate(RESOURCES):
        names = SIMULATORS if published else ()
        theirs = (_theirs(published, name, "resources", number, digits) for name in names)
        rows.append((label, unit, _ours(found, key, digits), *theirs))
    rows.append(_start_row(found, published))
    heads = ("", "unit", OURS, *(SIMULATORS if published else ()))
    return Table(
        heads,
        tuple(rows),
        _caption("Average computer resource utilization", published, 0),
        ours=2,
        ours_is_column=True,
        text_columns=frozenset({0, 1}),
    )


def localization_table(results: Sequence[Result], published: Published | None) -> Table:
    """Return localization errors: a row per simulator."""
    found = figures_of(results)
    parts = (("rotation_deg", 3), ("position_m", 3))
    ours = [
        _ours(found, f"localization.{part}.{statistic}", digits)
        for part, digits in parts
        for statistic in _STATISTICS
    ]
    rows = [(OURS, *ours)]
    for name in SIMULATORS if published else ():
        cells = [
            _theirs(published, name, part, i, digits) for part, digits in parts for i in range(3)
        ]
        rows.append((name, *cells))
    return Table(
        ("", *(["maximum", "mean", "median"] * 2)),
        tuple(rows),
        _caption("Average localization errors", published, 1),
        spans=(("", 1), ("rotational error (degrees)", 3), ("positional error (metres)", 3)),
        ours=0,
    )


def mapping_table(results: Sequence[Result], published: Published | None) -> Table:
    """Return how cells of the true map were classified: a row per simulator."""
    found = figures_of(results)
    rows = [(OURS, *(_ours(found, f"mapping.{cell}", 1) for cell in CELLS))]
    for name in SIMULATORS if published else ():
        cells = [_theirs(published, name, "mapping", i, 1) for i in range(6)]
        rows.append((name, *cells))
    return Table(
        ("classification", "occupied", "clear", "unknown", "clear", "occupied", "unknown"),
        tuple(rows),
        _caption("Average mapping accuracy statistics (cells)", published, 2),
        spans=(("", 1), ("truly occupied", 3), ("truly clear", 3)),
        ours=0,
    )


def figure_rows(results: Sequence[Result], key: str, digits: int = 3) -> Row | None:
    """Return one figure over the runs, if they have it."""
    values = figures_of(results).get(key)
    return None if not values else Row(FigureRow(key, key, digits=digits), tuple(values))


def _caption(text: str, published: Published | None, number: int) -> str:
    if published is None:
        return text
    tables = published.tables
    if number < len(tables) and len(tables) == 3:
        return f"{text} (next to table {tables[number]})"
    return f"{text} (next to table {tables[0]} and the appendix)"


def _start_row(found: dict[str, list[float]], published: Published | None) -> tuple[str, ...]:
    theirs = [f"{value:.2f}" for value in published.start_s] if published else []
    return ("Start time", "s", _ours(found, "start_time_s", 2), *theirs)


def _ours(found: dict[str, list[float]], key: str, digits: int) -> str:
    values = found.get(key)
    if not values:
        return "none" if "gpu" in key else _NONE
    row = Row(FigureRow(key, key, digits=digits), tuple(values))
    return row.text(row.mean)


def _theirs(published: Published | None, name: str, part: str, number: int, digits: int) -> str:
    values = _part(published.columns[name], part) if published else ()
    return f"{values[number]:,.{digits}f}" if number < len(values) else _NONE


def _part(column: Column, part: str) -> tuple[float, ...]:
    parts = {
        "resources": column.resources,
        "rotation_deg": column.rotation_deg,
        "position_m": column.position_m,
        "mapping": column.mapping,
    }
    return parts[part]
