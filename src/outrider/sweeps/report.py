"""The report of a sweep: one HTML file with outcomes, plots, and the worst cases to replay."""

import statistics
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from outrider.core.files.atomic_file import write_whole
from outrider.core.files.yaml_file import yaml_text
from outrider.core.structure import Data, plain
from outrider.evaluation.report.document import (
    Block,
    Card,
    Cards,
    Code,
    Heading,
    Paragraph,
    ReportImage,
    Table,
)
from outrider.evaluation.report.html import html
from outrider.evaluation.runs.facts import facts, versions
from outrider.sweeps.load import LoadedSweep
from outrider.sweeps.plots import plot_measure
from outrider.sweeps.table import measures
from outrider.sweeps.verdict import begun
from outrider.sweeps.worst import replay_line, telling_figure, varying, worst_runs

REPORT = "report.html"
_MOST_PLOTS = 12  # measures; the table has all


def write_sweep_report(
    folder: Path, found: LoadedSweep, lines: Sequence[Data], opening: Sequence[Block] = ()
) -> Path:
    """Write the report; ``opening`` are blocks before its own."""
    path = folder / REPORT
    with TemporaryDirectory() as pictures:
        blocks = [*_head(found, lines), *opening, *_worst(found, lines)]
        blocks += [*_plots(Path(pictures), found, lines), *_reasons(lines), *_appendix(found)]
        write_whole(path, html(blocks, f"{found.name} – Outrider").encode())
    return path


def _head(found: LoadedSweep, lines: Sequence[Data]) -> list[Block]:
    done = sum(bool(line["completed"]) for line in lines)
    simulated = sum(measures(line).get("sim_time_s", 0.0) for line in lines)
    took_place = sum(map(begun, lines))
    left = f"runs; {len(lines) - took_place} could not begin" if took_place < len(lines) else "runs"
    cards = (
        Card("completed", f"{done} of {took_place}", left, done == took_place),
        Card("simulated", f"{simulated / 3600:.2f}", "hours"),
        Card("parameters", str(len(found.sweep.parameters)), found.scenario.name),
    )
    return [Heading(found.name, 1), Paragraph(found.sweep.description), Cards(cards)]


def _worst(found: LoadedSweep, lines: Sequence[Data]) -> list[Block]:
    figure = telling_figure(found, lines)
    blocks: list[Block] = [
        Heading("Worst cases"),
        Paragraph(f"Failed runs first, then by {figure}. The commands open them in the editor."),
    ]
    for line in worst_runs(lines, figure):
        value = measures(line).get(figure)
        shown = "" if value is None else f", {figure} {value:.4g}"
        outcome = "completed" if line["completed"] else f"failed: {line['reason']}"
        blocks += [
            Paragraph(f"Run {line['run']}{shown}: {outcome}"),
            Code(replay_line(found, line)),
        ]
    return blocks


def _plots(folder: Path, found: LoadedSweep, lines: Sequence[Data]) -> list[Block]:
    parameters, names = found.sweep.parameters, _ordered(found, varying(lines))
    if not parameters or not names:
        return []
    blocks: list[Block] = [Heading("Measures against parameters")]
    if len(names) > _MOST_PLOTS:
        blocks.append(Paragraph(f"The first {_MOST_PLOTS} of {len(names)} measures that vary."))
    for number, name in enumerate(names[:_MOST_PLOTS]):
        path = plot_measure(folder / f"{number}.png", name, lines, parameters)
        values = [value for line in lines if (value := measures(line).get(name)) is not None]
        mean, low, high = statistics.fmean(values), min(values), max(values)
        text = f"{name}: mean {mean:.4g}, {low:.4g} to {high:.4g} (crosses: failed runs)"
        blocks.append(ReportImage(path, text))
    return blocks


def _ordered(found: LoadedSweep, names: Sequence[str]) -> list[str]:
    """Return the measures with those that the scenario has limits for first, and the IMU's last."""
    limited = tuple(expected.figure for expected in found.scenario.expect)

    def rank(name: str) -> tuple[bool, bool]:
        return not name.endswith(limited), name.startswith("imu.")

    return sorted(names, key=rank)


def _reasons(lines: Sequence[Data]) -> list[Block]:
    failed = [line for line in lines if not line["completed"] and begun(line)]
    idle = [line for line in lines if not begun(line)]
    return [*_listed("Failed runs", failed), *_listed("Runs that could not begin", idle)]


def _listed(title: str, lines: Sequence[Data]) -> list[Block]:
    if not lines:
        return []
    rows = tuple((str(line["run"]), str(line["seed"]), line["reason"]) for line in lines)
    table = Table(("run", "seed", "reason"), rows, text_columns=frozenset({2}))
    return [Heading(title), table]


def _appendix(found: LoadedSweep) -> list[Block]:
    made = ", ".join(f"{name} {version}" for name, version in versions(facts()).items())
    return [
        Heading("How it was made"),
        Paragraph(f"{made}. Lines of results: results.jsonl; the table: table.csv."),
        Code(yaml_text(plain(found.sweep)), "the sweep"),
        Code(yaml_text(plain(found.scenario)), "the scenario"),
    ]
