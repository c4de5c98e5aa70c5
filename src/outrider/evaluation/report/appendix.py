"""The appendix of a report: all figures, machine and versions, and how to repeat the runs."""

import shlex
from pathlib import Path

from outrider.core.errors import OutriderError
from outrider.evaluation.report.document import Block, Code, Heading, Table
from outrider.evaluation.runs.figures import Row, table
from outrider.evaluation.runs.folder import SCENARIO, SavedRun
from outrider.scenarios.code_trust import component_files
from outrider.scenarios.load import changed, dump, load
from outrider.scenarios.result import Result

_TEXTS = frozenset({0, 1})
_HEADS = ("figure", "unit", "mean", "spread", "least", "most", "worst", "runs")
_FACTS = (
    ("Outrider", "outrider"),
    ("Python", "python"),
    ("System", "system"),
    ("Processor", "processor"),
    ("Cores", "cores"),
    ("Memory, GB", "memory_gb"),
)


def appendix(folder: Path, results: list[Result], first: SavedRun) -> list[Block]:
    """Return the blocks."""
    rows = tuple(_row(row) for row in table(results))
    return [
        Heading("All figures"),
        Table(_HEADS, rows, text_columns=_TEXTS),
        Heading("Machine and versions"),
        _facts(first.result),
        Heading("How to reproduce it"),
        Code(_commands(folder, results, first)),
        Code(first.scenario_text, "The scenario file"),
    ]


def _row(row: Row) -> tuple[str, ...]:
    values = (row.mean, row.spread, min(row.values), max(row.values), row.worst)
    cells = (row.text(value) for value in values)
    return (row.figure.label, row.figure.unit, *cells, str(len(row.values)))


def _facts(result: Result) -> Table:
    facts = result.get("facts", {})
    parts = ", ".join(f"{name} {version}" for name, version in facts.get("parts", {}).items())
    rows = [(label, str(facts.get(key, "?"))) for label, key in _FACTS]
    return Table(("", ""), (*rows, ("Parts", parts)), text_columns=_TEXTS)


def _commands(folder: Path, results: list[Result], first: SavedRun) -> str:
    seed = min(int(result["seed"]) for result in results)
    place = f"{folder.name}/{first.folder.name}" if first.folder != folder else folder.name
    ran = shlex.quote(f"{place}/scenario.yaml")
    name = str(first.result["scenario"])
    trust = " --trust" if _brings_code(first) else ""
    options = f"--runs {len(results)} --seed {seed} --out results{trust}"
    series = f"{options}\noutrider scenario report results"
    if not _is_in_library(name, first):
        return f"outrider scenario run {ran} {series}"
    return (
        f"outrider scenario run {name} {series}\n\n"
        "# or exactly what ran here, whatever the library holds by now:\n"
        f"outrider scenario run {ran}{trust}"
    )


def _brings_code(run: SavedRun) -> bool:
    """Return whether a run needs ``--trust``."""
    try:
        return bool(component_files(load(run.folder / SCENARIO)))
    except OutriderError:
        return False


def _is_in_library(name: str, run: SavedRun) -> bool:
    """Return whether the library's scenario of this name is what ran: no file, no ``--set``."""
    try:
        found = changed(load(name), [f"seed={run.result['seed']}"])
    except OutriderError:
        return False
    return dump(found) == run.scenario_text
