"""The report of a result folder: tables, figures, and how to repeat the runs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from outrider.core.files.atomic_file import write_whole
from outrider.core.structure import Data
from outrider.evaluation.measures.checkpoints import ErrorCurve, read_curve
from outrider.evaluation.report.against_published import beside_published
from outrider.evaluation.report.appendix import appendix
from outrider.evaluation.report.comparison import comparison
from outrider.evaluation.report.document import Block, Document, Heading, Paragraph
from outrider.evaluation.report.html import html
from outrider.evaluation.report.machine import use_of_machine
from outrider.evaluation.report.markdown import markdown
from outrider.evaluation.report.overview import cards, runs_table, version_notes
from outrider.evaluation.report.published import platt
from outrider.evaluation.report.trajectories import ways_and_maps
from outrider.evaluation.runs.folder import SavedRun, read_runs
from outrider.evaluation.runs.statistics import whole
from outrider.scenarios.load import loads
from outrider.scenarios.result import Result


@dataclass(slots=True)
class ReportContent:
    """The blocks of a report and the figures behind it."""

    files: list[Path]
    figures: Data
    notes: list[str] = field(default_factory=list)


def write_report(folder: Path, real_curve: Path | None = None) -> ReportContent:
    """Write report.html and report.md into a result folder."""
    runs = read_runs(folder)
    real = None if real_curve is None else read_curve(real_curve)
    document, notes = _report(folder, runs, real)
    results = [run.result for run in runs]
    return ReportContent(
        _written(folder, "report", document, _name(results)), whole(results), notes
    )


def write_comparison(first: Path, second: Path) -> ReportContent:
    """Write compare.html and compare.md into the second of two result folders."""
    one, other = read_runs(first), read_runs(second)
    found = comparison(first, one, second, other)
    title = f"{_name([run.result for run in one])}: two series"
    return ReportContent(
        _written(second, "compare", found.document, title), found.figures, found.notes
    )


def _written(folder: Path, name: str, document: Document, title: str) -> list[Path]:
    page, text = folder / f"{name}.html", folder / f"{name}.md"
    write_whole(page, html(document, f"{title} – Outrider").encode())
    write_whole(text, markdown(document, folder).encode())
    return [page, text]


def _name(results: Sequence[Result]) -> str:
    return str(results[0]["scenario"])


def _report(
    folder: Path, runs: list[SavedRun], real: ErrorCurve | None
) -> tuple[list[Block], list[str]]:
    results = [run.result for run in runs]
    scenario = loads(runs[0].scenario_text, where=str(runs[0].folder))
    published = platt().get(scenario.name)
    notes = version_notes(results)
    blocks: list[Block] = [Heading(scenario.name, 1), Paragraph(scenario.description)]
    blocks += [Paragraph(note, note=True) for note in notes]
    blocks += [cards(results, published), Heading("Runs"), runs_table(results)]
    done = [run for run in runs if "robots" in run.result]
    if done:
        blocks += beside_published([run.result for run in done], published, folder)
        blocks += ways_and_maps(folder, done, scenario, real)
        blocks += use_of_machine(folder, done)
    return [*blocks, *appendix(folder, results, runs[0])], notes
